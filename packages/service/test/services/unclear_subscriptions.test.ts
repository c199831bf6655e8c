// Two workers, a late answer and a rate-limiting gateway: nothing is given up that may have been
// done, nothing stays open for ever, and no alarm is opened about what has ended.
import { afterEach, describe, expect, test } from 'vitest'
import { subscriptionFacts } from '../../src/gateway/subscription_facts.ts'
import { recordDone } from '../../src/services/operations/record.ts'
import {
  cancelSubscription,
  updateSubscription,
  createSubscription,
} from '../../src/services/subscriptions/actions.ts'
import { SUBSCRIPTION_OPERATIONS } from '../../src/services/subscriptions/operations.ts'
import { resolveOne, resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { claimOperation } from '../../src/store/operations/claims.ts'
import { findOperation } from '../../src/store/operations/rows.ts'
import { findSubscriptionById } from '../../src/store/subscriptions/rows.ts'
import { eventually } from '../store/test_database.ts'
import { bodyOf, requestOf } from './service_bench.ts'
import { useSubscriptions } from './subscription_bench.ts'

const here = useSubscriptions()
const { service } = here
const UNKNOWN = { code: 'outcome_unknown' }
const DAY = 24 * 60
const daily = { interval_unit: 'day' }

afterEach(here.heal)

async function recover(rounds: number, minutes = 2) {
  for (let round = 0; round < rounds; round++) {
    await here.pass(minutes)
    await resolveOperations(service.ctx, 50)
  }
}

const typesOf = async (id: string) => (await here.eventsOf(id)).map(({ type }) => type)

/** The gateway's id of it, from the notice that went elsewhere. */
async function noticedId(name: string): Promise<string> {
  const reply = await fetch(`${service.simulator.url}/_sim/deliveries?order_id=${name}`)
  const { deliveries } = (await reply.json()) as { deliveries: { payload: { id: string } }[] }
  return deliveries[0]?.payload.id ?? ''
}

/** Made at the gateway, and both replies lost. */
async function lost(key: string) {
  const elsewhere = `${service.simulator.url}/_sim/sink`
  await service.control('settings', { recurring_notification_url: elsewhere })
  await here.fault('create_subscription', 'drop_after', { times: 2 })
  const input = await here.inputOf(daily)
  const request = requestOf('owner-1', key)
  await expect(createSubscription(service.ctx, input, request)).rejects.toMatchObject(UNKNOWN)
  const [row] = await here.sql(
    `select subscription.id, subscription.gateway_name, operation.id as operation_id
     from gapura.gateway_subscription as subscription
     join gapura.gateway_operation as operation on operation.subject_id = subscription.id
     order by subscription.created_at desc limit 1`,
  )
  const { id, gateway_name, operation_id } = row ?? {}
  const gateway_id = await noticedId(String(gateway_name))
  const operationNow = async () => {
    const operation = await service.database.do((tx) => findOperation(tx, String(operation_id)))
    if (operation === undefined) throw new Error('the creation is gone')
    return operation
  }
  return {
    id: String(id),
    gateway_id,
    operationNow,
    notice: { id: gateway_id, name: String(gateway_name), amount: '50000', status: 'active' },
    repeat: async () => bodyOf(await createSubscription(service.ctx, input, request)),
  }
}

describe('a change that may have been carried out', () => {
  const limited = { options: { http_status: 429, body: { status_message: 'slow down' } } }

  test('is not given up because the gateway limits us when it is sent again', async () => {
    const { id } = await here.created()
    await here.fault('cancel_subscription', 'drop_after')
    await here.fault('cancel_subscription', 'status', limited)
    await expect(cancelSubscription(service.ctx, requestOf(), id)).rejects.toMatchObject(UNKNOWN)
    await recover(4)
    expect(await here.statusOfSubscription(id)).toBe('cancelled')
    expect(await typesOf(id)).toEqual(['subscription_created', 'subscription_cancelled'])
  })

  test('nor is an update', async () => {
    const { id } = await here.created()
    await here.fault('update_subscription', 'drop_after')
    await here.fault('update_subscription', 'status', limited)
    const update = updateSubscription(service.ctx, requestOf(), id, { amount: 61_000 })
    await expect(update).rejects.toMatchObject(UNKNOWN)
    await recover(4)
    expect(await here.read(id)).toMatchObject({ amount: '61000.00' })
    expect((await here.operationsOf(id)).at(-1)).toMatchObject({ state: 'succeeded' })
  })

  test('is carried out however long the gateway was unreachable, and closes its alarm', async () => {
    const { id } = await here.created()
    await here.fault('cancel_subscription', 'drop_before', { times: 9 })
    await expect(cancelSubscription(service.ctx, requestOf(), id)).rejects.toMatchObject(UNKNOWN)
    await recover(8, 70)
    expect(await here.alarmsOf(id)).toEqual(['outcome_unknown'])
    await recover(4, 70)
    expect(await here.statusOfSubscription(id)).toBe('cancelled')
    expect(await here.gatewayStatus(id)).toBe('inactive')
    expect(await here.alarmsOf(id)).toEqual([])
  })
})

describe('a creation without an answer', () => {
  test('ends when it is found while another attempt at it begins', async () => {
    const { id, notice, operationNow, repeat } = await lost('found-meanwhile')
    await here.hint(notice)
    await here.pass(1)
    const before = await operationNow()
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const attempt = service.database.do(async (tx) => {
      await claimOperation(tx, before, 30_000)
      begun.resolve()
      await held.promise
    })
    await begun.promise
    const synced = here.sync()
    await eventually(
      async () =>
        await here.sql(
          `select 1 from pg_stat_activity
           where datname = current_database()
             and wait_event_type = 'Lock' and query like '%gateway_operation%'`,
        ),
      (waiting) => waiting.length > 0,
    )
    held.resolve()
    await attempt
    await synced
    expect((await operationNow()).state).toBe('succeeded')
    await recover(3)
    expect(await here.alarmsOf(id)).toEqual([])
    await cancelSubscription(service.ctx, requestOf(), id)
    expect(await here.statusOfSubscription(id)).toBe('cancelled')
    expect(await repeat()).toMatchObject({ id, status: 'active' })
  })

  test('is found although the gateway does not know it yet when its notice arrives', async () => {
    const { id, notice } = await lost('early-notice')
    await here.hint(notice)
    await here.fault('get_subscription', 'status', {
      options: { http_status: 404, body: { status_message: 'not there' } },
    })
    await here.sync()
    expect(await here.statusOfSubscription(id)).toBe('initiated')
    await here.pass(2)
    await here.sync()
    expect(await here.statusOfSubscription(id)).toBe('active')
  })

  test('whose answer comes after the resolver claimed it is recorded from that answer', async () => {
    const { id, gateway_id, operationNow, repeat } = await lost('slow-answer')
    const operation = await operationNow()
    const asked_at = performance.now()
    const facts = subscriptionFacts(await service.ctx.gateway.getSubscription(gateway_id))
    await recover(2)
    expect((await operationNow()).attempt).toBeGreaterThan(operation.attempt)
    const subject = await service.database.do((tx) => findSubscriptionById(tx, id))
    if (subject === undefined) throw new Error('the subscription does not exist')
    const attempt = { operation, subject, source: 'action' as const, request: null }
    const { create_subscription } = SUBSCRIPTION_OPERATIONS
    await recordDone(service.ctx, create_subscription, { attempt, answer: facts, asked_at })
    expect(await here.read(id)).toMatchObject({
      status: 'active',
      gateway_subscription_id: gateway_id,
    })
    expect((await operationNow()).state).toBe('succeeded')
    expect(await here.alarmsOf(id)).toEqual([])
    expect(await repeat()).toMatchObject({ id, status: 'active' })
  })

  test('found while the resolver worked on it opens no alarm', async () => {
    const { id, notice, operationNow } = await lost('stale-resolver')
    await here.pass(5)
    const left = await operationNow()
    const operation = await service.database.do(
      async (tx) => await claimOperation(tx, left, 90_000),
    )
    if (operation === undefined) throw new Error('it was not claimed')
    await here.hint(notice)
    await here.sync()
    expect(await here.statusOfSubscription(id)).toBe('active')
    await resolveOne(service.ctx, operation)
    expect(await here.alarmsOf(id)).toEqual([])
  })
})

describe('what it charges', () => {
  test('set on the gateway’s own pages is not changed by an update of something else', async () => {
    const { id } = await here.created()
    await here.amountAtGateway(id, '75000')
    await updateSubscription(service.ctx, requestOf(), id, { interval: 2 })
    const { gateway_subscription_id } = await here.rowOf(id)
    const there = await service.ctx.gateway.getSubscription(String(gateway_subscription_id))
    expect(there.amount).toBe('75000')
  })

  test('changed after a cycle that is reported late: no alarm about the old amount', async () => {
    await here.mute()
    const { id } = await here.created(daily)
    await here.pass(DAY + 1)
    await updateSubscription(service.ctx, requestOf(), id, { amount: 61_000 })
    await here.pass(10)
    await here.sync()
    expect(await here.paymentsOf(id)).toMatchObject([{ captured: '50000.00' }])
    expect(await here.alarmsOf(id)).toEqual([])
  })

  test('charged while its update has no answer yet: no alarm about the new amount', async () => {
    const { id } = await here.created(daily)
    await here.fault('update_subscription', 'drop_after')
    const update = updateSubscription(service.ctx, requestOf(), id, { amount: 61_000 })
    await expect(update).rejects.toMatchObject(UNKNOWN)
    await here.pass(DAY + 1)
    await eventually(
      async () => await here.paymentsOf(id),
      ([payment]) => payment?.['captured'] === '61000.00',
    )
    expect(await here.alarmsOf(id)).toEqual([])
    await recover(1)
    expect((await here.operationsOf(id)).at(-1)).toMatchObject({ state: 'succeeded' })
  })

  test('the old amount long after the change opens an alarm', async () => {
    const { id } = await here.created(daily)
    await updateSubscription(service.ctx, requestOf(), id, { amount: 61_000 })
    await here.amountAtGateway(id, '50000')
    await here.pass(DAY + 1)
    await eventually(
      async () => await here.paymentsOf(id),
      ([payment]) => payment?.['captured'] === '50000.00',
    )
    expect(await here.alarmsOf(id)).toEqual(['amount_mismatch'])
  })
})

test('one cycle that the gateway cannot show does not delay the payments of others', async () => {
  await here.mute()
  const { id } = await here.created(daily)
  await here.pass(3 * DAY + 1)
  const { gateway_subscription_id } = await here.rowOf(id)
  const { transaction_ids } = await service.ctx.gateway.getSubscription(
    String(gateway_subscription_id),
  )
  expect(transaction_ids).toHaveLength(3)
  const first = await service.ctx.gateway.getStatus(transaction_ids?.[0] ?? '')
  await service.control('faults', {
    effect: 'status',
    match: { operation: 'get_status', order_id_prefix: first.order_id },
    options: { http_status: 200, body: { status_code: '404', status_message: 'not there' } },
  })
  await here.sync()
  expect(await here.paymentsOf(id)).toHaveLength(2)
  expect(await here.alarmsOf(id)).toEqual(['outcome_unknown'])
  await here.heal()
  await here.mute()
  await here.pass(DAY)
  await here.sync()
  expect(await here.read(id)).toMatchObject({ current_interval: 4 })
})
