// Lost replies. A creation has no look-up at the gateway, so it is never made twice; the four
// changes may be sent again and are (ADR 0008).
import { describe, expect, test } from 'vitest'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import {
  cancelSubscription,
  createSubscription,
  disableSubscription,
  enableSubscription,
  updateSubscription,
} from '../../src/services/subscriptions/actions.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { bodyOf, requestOf } from './service_bench.ts'
import { useSubscriptions } from './subscription_bench.ts'

const here = useSubscriptions()
const UNKNOWN = { code: 'outcome_unknown' }

/** The worker's tasks of the next minutes. */
async function recover(rounds = 4) {
  for (let round = 0; round < rounds; round++) {
    await here.pass(2)
    await resolveOperations(here.service.ctx, 50)
  }
}
const newest = async () =>
  String(
    (
      await here.sql('select id from gapura.gateway_subscription order by created_at desc limit 1')
    )[0]?.['id'],
  )
const create = async (input: object, key: string) =>
  await createSubscription(here.service.ctx, input, requestOf('owner-1', key))
const made = async () => await here.calls('create_subscription')

describe('a creation', () => {
  test.each(['drop_before', 'drop_after', 'timeout_after', 'truncated_json'])(
    'whose first reply is lost (%s) is sent once more under the same key, and there is one',
    async (effect) => {
      await here.fault('create_subscription', effect)
      const { id, status } = await here.created(daily)
      expect(status).toBe('active')
      await oneAtGateway(id)
    },
  )

  test('whose replies are all lost stays unknown, with an alarm, and is never made again', async () => {
    await here.fault('create_subscription', 'drop_after', { times: 2 })
    const input = await here.inputOf(daily)
    await expect(create(input, 'lost')).rejects.toMatchObject(UNKNOWN)
    const id = await newest()
    const sent = await made()
    await recover()
    expect(await made()).toBe(sent)
    expect(await here.alarmsOf(id)).toEqual(['outcome_unknown'])
    // Too late to be sure of the key: the same request is not sent again either.
    await expect(create(input, 'lost')).rejects.toMatchObject(UNKNOWN)
    expect(await made()).toBe(sent)
    expect(await here.operationsOf(id)).toEqual([
      { kind: 'create_subscription', state: 'unknown', sends: 2 },
    ])
    expect(await here.statusOfSubscription(id)).toBe('initiated')
  })

  test('repeated within two minutes returns the one that was made', async () => {
    await here.fault('create_subscription', 'drop_after', { times: 2 })
    const input = await here.inputOf(daily)
    await expect(create(input, 'again')).rejects.toMatchObject(UNKNOWN)
    const body = bodyOf(await create(input, 'again'))
    expect(body).toMatchObject({ id: await newest(), status: 'active' })
    await oneAtGateway(body.id)
    expect(await here.alarmsOf(body.id)).toEqual([])
  })

  test('is found by its first cycle, whose signed order id carries our name', async () => {
    const { id, input } = await lost('by-cycle')
    await recover()
    expect(await here.alarmsOf(id)).toEqual(['outcome_unknown'])
    await here.pass(24 * 60)
    expect(await here.read(id)).toMatchObject({ status: 'active', current_interval: 1 })
    expect((await here.eventsOf(id)).map(({ type }) => type)).toEqual([
      'subscription_created',
      'subscription_charged',
    ])
    await here.sync()
    expect((await here.rowOf(id))['gateway_subscription_id']).not.toBeNull()
    expect(await here.alarmsOf(id)).toEqual([])
    expect(bodyOf(await create(input, 'by-cycle'))).toMatchObject({ id })
    await oneAtGateway(id)
  })

  test('is found by the unsigned notice of its creation, once the gateway confirms it', async () => {
    await here.hearNotices()
    const { id, input } = await lost('by-notice')
    await here.pass(1)
    await here.sync()
    expect(await here.read(id)).toMatchObject({ status: 'active' })
    expect(bodyOf(await create(input, 'by-notice'))).toMatchObject({ id, status: 'active' })
    expect(await here.operationsOf(id)).toMatchObject([{ state: 'succeeded' }])
    await here.service.control('settings', { recurring_notification_url: '' })
  })

  test('is not found by a forged notice under its name', async () => {
    const { id } = await lost('forged')
    const other = await here.created(daily)
    const { gateway_subscription_id } = await here.rowOf(other.id)
    const { gateway_name } = await here.rowOf(id)
    const notice = { name: gateway_name, amount: '1', status: 'active' }
    // Until then the gateway might just not know it yet.
    await here.pass(11)
    for (const stranger of [gateway_subscription_id, 'unknown']) {
      await receiveNotification(here.service.ctx, { ...notice, id: stranger })
      await here.pass(1)
      await here.sync()
      expect(await here.rowOf(id)).toMatchObject({
        status: 'initiated',
        gateway_subscription_id: null,
        hinted_id: null,
      })
    }
  })

  /** Made at the gateway, and both replies lost. */
  async function lost(key: string) {
    await here.fault('create_subscription', 'drop_after', { times: 2 })
    const input = await here.inputOf(daily)
    await expect(create(input, key)).rejects.toMatchObject(UNKNOWN)
    return { id: await newest(), input }
  }
})

const daily = { interval_unit: 'day' }

/** After its first day exactly one charge was made under its name: there is exactly one of it. */
async function oneAtGateway(id: string) {
  const { gateway_name, current_interval } = await here.rowOf(id)
  if (current_interval === 0) await here.pass(24 * 60 + 1)
  expect(await here.atGateway(String(gateway_name))).toHaveLength(1)
}

describe.each(['drop_before', 'drop_after', 'timeout_after'])('a change hit by %s', (effect) => {
  const CHANGES = {
    disable: { run: disableSubscription, local: 'disabled', gateway: 'inactive' },
    enable: { run: enableSubscription, local: 'active', gateway: 'active' },
    cancel: { run: cancelSubscription, local: 'cancelled', gateway: 'inactive' },
  }

  test.each(Object.entries(CHANGES))('%s succeeds and is published once', async (name, change) => {
    const { id } = await here.created()
    if (name === 'enable') await disableSubscription(here.service.ctx, requestOf(), id)
    await here.fault(`${name}_subscription`, effect)
    await change.run(here.service.ctx, requestOf(), id).catch((error: unknown) => {
      expect(error).toMatchObject(UNKNOWN)
    })
    await recover()
    expect(await here.statusOfSubscription(id)).toBe(change.local)
    expect(await here.gatewayStatus(id)).toBe(change.gateway)
    expect((await here.operationsOf(id)).at(-1)).toMatchObject({ state: 'succeeded' })
    const types = (await here.eventsOf(id)).map(({ type }) => type)
    expect(new Set(types).size).toBe(types.length)
    expect(await here.alarmsOf(id)).toEqual([])
  })

  test('update ends with the requested values', async () => {
    const { id } = await here.created()
    await here.fault('update_subscription', effect)
    const request = requestOf('owner-1', `update-${effect}`)
    const update = async () =>
      await updateSubscription(here.service.ctx, request, id, { amount: 61_000, interval: 2 })
    await expect(update()).rejects.toMatchObject(UNKNOWN)
    await recover()
    expect(await here.read(id)).toMatchObject({ amount: '61000.00', interval: 2 })
    expect(bodyOf(await update())).toMatchObject({ amount: '61000.00' })
    const { gateway_subscription_id } = await here.rowOf(id)
    expect(
      await here.service.ctx.gateway.getSubscription(String(gateway_subscription_id)),
    ).toMatchObject({ amount: '61000' })
  })
})
