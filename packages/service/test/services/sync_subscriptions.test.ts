// The sync alone is enough: without a single notification a subscription gets the gateway's state,
// and what the caller disabled or cancelled stays so.
import { beforeAll, describe, expect, test } from 'vitest'
import { cancelSubscription } from '../../src/services/subscriptions/actions.ts'
import { disableSubscription } from '../../src/services/subscriptions/actions.ts'
import { enableSubscription } from '../../src/services/subscriptions/actions.ts'
import { subscriptionFacts } from '../../src/gateway/subscription_facts.ts'
import { syncSubscriptionStatus } from '../../src/services/sweeps/sync_subscription_status.ts'
import { holdUp } from '../review/paused_gateway.ts'
import { requestOf } from './service_bench.ts'
import { useSubscriptions } from './subscription_bench.ts'
import { BUDGET } from './sweep_bench.ts'

const here = useSubscriptions()
const DAY = 24 * 60
const daily = { interval_unit: 'day' }

beforeAll(async () => await here.mute())

async function passAndSync(rounds: number, minutes: number) {
  for (let round = 0; round < rounds; round++) {
    await here.pass(minutes)
    await here.sync()
  }
}

/** As a user would on the gateway's own pages. */
async function changeAtGateway(id: string, what: 'disable' | 'enable') {
  const { gateway_subscription_id } = await here.rowOf(id)
  const gateway_id = String(gateway_subscription_id)
  if (what === 'disable') await here.service.ctx.gateway.disableSubscription(gateway_id)
  else await here.service.ctx.gateway.enableSubscription(gateway_id)
}

describe('without a single notification', () => {
  test('every cycle becomes a payment with an event, and the last one ends it', async () => {
    const { id } = await here.created({ ...daily, max_interval: 3 })
    await passAndSync(8, 12 * 60)
    expect(await here.read(id)).toMatchObject({ status: 'inactive', current_interval: 3 })
    expect((await here.eventsOf(id)).map(({ type }) => type)).toEqual([
      'subscription_created',
      'subscription_charged',
      'subscription_charged',
      'subscription_charged',
      'subscription_disabled',
    ])
    expect(await here.paymentsOf(id)).toHaveLength(3)
  })

  test('after a long outage cycles are recorded a dozen at a time', async () => {
    const { id } = await here.created({ ...daily, max_interval: 30 })
    await here.pass(20 * DAY)
    await here.sync()
    expect(await here.read(id)).toMatchObject({ current_interval: 12 })
    await here.pass(1)
    await here.sync()
    expect(await here.read(id)).toMatchObject({ current_interval: 20, status: 'active' })
  })
})

describe('drift', () => {
  test('ended and enabled again on the gateway’s own pages: the record follows', async () => {
    const { id } = await here.created()
    await changeAtGateway(id, 'disable')
    await passAndSync(1, DAY)
    expect(await here.statusOfSubscription(id)).toBe('inactive')
    await changeAtGateway(id, 'enable')
    await passAndSync(1, DAY)
    expect(await here.statusOfSubscription(id)).toBe('active')
    const [, ...steps] = await here.sql(
      `select from_status, to_status, source, reason from gapura.gateway_transition
       where object_id = $1 order by version`,
      [id],
    )
    expect(steps.slice(1)).toEqual([
      { from_status: 'active', to_status: 'inactive', source: 'sweep', reason: 'gateway_says' },
      { from_status: 'inactive', to_status: 'active', source: 'sweep', reason: 'gateway_says' },
    ])
  })

  test('that the gateway made inactive is published, cannot be disabled, and can be enabled', async () => {
    const { id } = await here.created()
    await changeAtGateway(id, 'disable')
    await passAndSync(1, DAY)
    expect((await here.eventsOf(id)).map(({ type }) => type)).toEqual([
      'subscription_created',
      'subscription_disabled',
    ])
    const refused = disableSubscription(here.service.ctx, requestOf(), id)
    await expect(refused).rejects.toMatchObject({ code: 'subscription_action_refused' })
    await enableSubscription(here.service.ctx, requestOf(), id)
    await passAndSync(1, DAY)
    expect(await here.statusOfSubscription(id)).toBe('active')
  })

  test('never overwrites disabled, whatever the gateway’s state', async () => {
    const { id } = await here.created()
    await disableSubscription(here.service.ctx, requestOf(), id)
    await passAndSync(2, DAY)
    expect(await here.statusOfSubscription(id)).toBe('disabled')
    expect(await here.alarmsOf(id)).toEqual([])
    // It charges again although the caller disabled it: this opens an alarm.
    await changeAtGateway(id, 'enable')
    await passAndSync(2, DAY)
    expect(await here.statusOfSubscription(id)).toBe('disabled')
    expect(await here.alarmsOf(id)).toEqual(['active_at_gateway'])
    await enableSubscription(here.service.ctx, requestOf(), id)
    expect(await here.statusOfSubscription(id)).toBe('active')
  })

  test('never overwrites cancelled', async () => {
    const { id } = await here.created()
    await cancelSubscription(here.service.ctx, requestOf(), id)
    await passAndSync(3, DAY)
    expect(await here.statusOfSubscription(id)).toBe('cancelled')
  })

  test('a retry that was waiting when it was disabled is still charged and published', async () => {
    const { id } = await here.created({ ...daily, retry_interval: 2 })
    await here.fault('subscription_charge', 'status')
    await here.pass(DAY)
    await disableSubscription(here.service.ctx, requestOf(), id)
    await passAndSync(2, DAY)
    expect(await here.read(id)).toMatchObject({ status: 'disabled', current_interval: 1 })
  })

  test('another amount, set on the gateway’s own pages, is what will be charged', async () => {
    const { id } = await here.created()
    const { gateway_subscription_id, gateway_name } = await here.rowOf(id)
    const { gateway } = here.service.ctx
    const { token } = await gateway.getSubscription(String(gateway_subscription_id))
    await gateway.updateSubscription(String(gateway_subscription_id), {
      name: String(gateway_name),
      amount: '75000',
      currency: 'IDR',
      token: String(token),
    })
    await passAndSync(1, DAY)
    expect(await here.read(id)).toMatchObject({ amount: '75000.00' })
  })
})

test('an answer from before an action of ours does not undo it', async () => {
  const { id } = await here.created()
  await disableSubscription(here.service.ctx, requestOf(), id)
  await here.pass(DAY)
  // The sync's request is in flight, and answered late, while it is enabled again.
  await here.fault('get_subscription', 'delay', { options: { ms: 250 } })
  const asking = here.sync()
  await enableSubscription(here.service.ctx, requestOf(), id)
  await asking
  expect(await here.statusOfSubscription(id)).toBe('active')
})

test('a cycle that is cancelled while the gateway is asked about it stays cancelled', async () => {
  const { id } = await here.created(daily)
  await here.pass(DAY + 10)
  const { ctx } = here.service
  const { gateway_subscription_id } = await here.rowOf(id)
  const reply = await ctx.gateway.getSubscription(String(gateway_subscription_id))
  const [cycle = ''] = subscriptionFacts(reply).transaction_ids
  const statusOfCycle = async () => (await here.paymentsOf(id))[0]?.['transaction_status']
  const held = holdUp(ctx, 'getStatus', 'after_answer', async () => {
    await here.heal()
    await ctx.gateway.cancel(cycle)
    await expect.poll(statusOfCycle).toBe('cancel')
    await here.mute()
    await here.pass(2)
  })
  await syncSubscriptionStatus(held, { budget: BUDGET })
  expect(await statusOfCycle()).toBe('cancel')
  await here.pass(2)
  await here.sweep()
  expect(await statusOfCycle()).toBe('cancel')
})

test('an unreachable gateway loses nothing; a subscription it does not know opens an alarm', async () => {
  const { id } = await here.created({ ...daily, max_interval: 1 })
  await here.strike('drop_before', 'get_subscription')
  await here.pass(DAY + 10)
  expect((await here.sync()).unreachable).toBeGreaterThan(0)
  expect(await here.read(id)).toMatchObject({ status: 'active', current_interval: 0 })
  await here.heal()
  await here.mute()
  await passAndSync(2, 10)
  expect(await here.read(id)).toMatchObject({ status: 'inactive', current_interval: 1 })
  const lost = (await here.created()).id
  await here.sql(
    'update gapura.gateway_subscription set gateway_subscription_id = $2 where id = $1',
    [lost, 'nowhere'],
  )
  await passAndSync(1, DAY)
  expect(await here.alarmsOf(lost)).toEqual(['outcome_unknown'])
  expect(await here.statusOfSubscription(lost)).toBe('active')
})
