// Notices about subscriptions carry no signature (gateway-protocol.md#subscription-notifications):
// they are hints, and a forged one leads to one look a minute and to nothing else (ADR 0004).
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { useSubscriptions } from './subscription_bench.ts'

const here = useSubscriptions()

const noticeOf = (
  subscription: object,
  transaction: object = { transaction_status: 'capture' },
) => ({
  event_name: 'subscription.charge',
  transaction: { status_code: '200', transaction_id: randomUUID(), ...transaction },
  subscription,
})
const receive = async (body: object) => await receiveNotification(here.service.ctx, body)
const rows = async () => [
  await here.sql('select count(*)::integer as n from gapura.gateway_notification'),
  await here.sql('select count(*)::integer as n from gapura.gateway_payment'),
  await here.sql('select count(*)::integer as n from gapura.gateway_event'),
  await here.sql('select count(*)::integer as n from gapura.gateway_subscription'),
]

async function forgedNotice() {
  const { id } = await here.created()
  const { gateway_subscription_id, gateway_name } = await here.rowOf(id)
  const forged = {
    id: gateway_subscription_id,
    name: gateway_name,
    amount: '1',
    status: 'inactive',
    token: 'x',
    schedule: { current_interval: 12 },
  }
  return { id, forged }
}

test('a forged charge or end of a subscription of ours changes nothing', async () => {
  const { id, forged } = await forgedNotice()
  const before = { rows: await rows(), subscription: await here.read(id) }
  for (let time = 0; time < 20; time++) expect((await receive(noticeOf(forged))).status).toBe('ok')
  await receive(forged)
  const asked = await here.calls('get_subscription')
  for (let time = 0; time < 5; time++) await here.sync()
  expect(await here.calls('get_subscription')).toBe(asked + 1)
  for (let time = 0; time < 20; time++) await receive(noticeOf(forged))
  await here.sync()
  expect(await here.calls('get_subscription')).toBe(asked + 1)
  await here.pass(1)
  await here.sync()
  expect(await here.calls('get_subscription')).toBe(asked + 2)
  expect(await rows()).toEqual(before.rows)
  const { updated_at: _, ...after } = { ...(await here.read(id)) }
  expect(before.subscription).toMatchObject(after)
})

test('a notice about an unknown subscription leaves no row and causes no look', async () => {
  const before = await rows()
  const asked = await here.calls('get_subscription')
  await receive(noticeOf({ id: randomUUID(), name: 'unknown', amount: '1', status: 'active' }))
  await here.sync()
  expect(await rows()).toEqual(before)
  expect(await here.calls('get_subscription')).toBe(asked)
})

test('a genuine one of a cycle whose signed notification was lost records it within a minute', async () => {
  const { id } = await here.created({ interval_unit: 'day' })
  await here.hearNotices()
  await here.service.control('faults', {
    effect: 'lost',
    match: { operation: 'notification', transaction_status: 'capture' },
  })
  await here.pass(24 * 60)
  await here.heal()
  expect(await here.read(id)).toMatchObject({ current_interval: 0 })
  await here.pass(1)
  await here.sync()
  expect(await here.read(id)).toMatchObject({ current_interval: 1 })
  expect((await here.eventsOf(id)).map(({ type }) => type)).toEqual([
    'subscription_created',
    'subscription_charged',
  ])
})

test('both shapes, doubled, at once and together with the sync: one charge is published', async () => {
  await here.service.control('settings', { recurring_notification_url: '' })
  const { id } = await here.created({ interval_unit: 'day' })
  const { gateway_name } = await here.rowOf(id)
  await here.service.control('faults', { effect: 'lost', match: { operation: 'notification' } })
  await here.pass(24 * 60)
  // The card settles on the next day; both reports of the one cycle are available.
  await here.service.control('clock/advance', { days: 2 })
  await here.heal()
  const reply = await fetch(`${here.service.simulator.url}/_sim/deliveries`)
  const { deliveries } = (await reply.json()) as { deliveries: { payload: object }[] }
  const payloads = deliveries
    .map(({ payload }) => payload)
    .filter((payload) => JSON.stringify(payload).includes(String(gateway_name)))
  const cycles = new Set(payloads.flatMap((one) => ('order_id' in one ? [one.order_id] : [])))
  expect(payloads.length).toBeGreaterThan(cycles.size + 1)
  const all = [...payloads, ...payloads.toReversed(), ...payloads]
  await Promise.all([...all.map(async (payload) => await receive(payload)), here.sync()])
  await here.pass(1)
  await here.sync()
  const published = (await here.eventsOf(id)).map(({ type }) => type)
  expect(published.filter((type) => type === 'subscription_charged')).toHaveLength(cycles.size)
  expect(await here.read(id)).toMatchObject({ current_interval: cycles.size })
  expect(await here.paymentsOf(id)).toHaveLength(cycles.size)
})
