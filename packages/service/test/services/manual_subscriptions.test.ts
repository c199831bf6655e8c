// A staff member resolves an open operation of a subscription. It is recorded as made only if the
// gateway shows it, under the name that was minted for it and with our amount.
import { afterEach, expect, test } from 'vitest'
import { readObjectHistory } from '../../src/services/staff/history.ts'
import {
  cancelSubscription,
  disableSubscription,
  createSubscription,
} from '../../src/services/subscriptions/actions.ts'
import { eventually } from '../store/test_database.ts'
import { dewi, handsOf, reason, refusedFor, UNKNOWN } from './hand_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'
import { useSubscriptions } from './subscription_bench.ts'

const here = useSubscriptions()
const { service } = here
const { end, openOf, alarmsOf } = handsOf(service)
afterEach(here.heal)

async function lost(effect: 'drop_after' | 'drop_before') {
  const elsewhere = `${service.simulator.url}/_sim/sink`
  await service.control('settings', { recurring_notification_url: elsewhere })
  const request = requestOf('owner-1', service.fresh('key'))
  const input = await here.inputOf({ name: service.fresh('Teh') })
  await here.fault('create_subscription', effect, { times: 2 })
  await expect(createSubscription(service.ctx, input, request)).rejects.toMatchObject(UNKNOWN)
  const [row] = await here.sql(
    'select id, gateway_name from gapura.gateway_subscription where name = $1',
    [input.name],
  )
  const id = String(row?.['id'])
  return {
    id,
    operation_id: await openOf(id),
    gateway_id: await idAtGateway(String(row?.['gateway_name'])),
    repeat: async () => bodyOf(await createSubscription(service.ctx, input, request)),
  }
}
/** By the notice that went elsewhere. */
async function idAtGateway(name: string): Promise<string> {
  const reply = await fetch(`${service.simulator.url}/_sim/deliveries?order_id=${name}`)
  const { deliveries } = (await reply.json()) as { deliveries: { payload: { id: string } }[] }
  return deliveries[0]?.payload.id ?? ''
}

test('a subscription found on the dashboard is recorded as made with staff id, and its cycles follow', async () => {
  const { id, operation_id, gateway_id, repeat } = await lost('drop_after')
  await here.pass(5)
  await here.fault('notification', 'muted', { times: 9 })
  await service.control(`subscriptions/${gateway_id}/cycle`)
  const resolved = await end(operation_id, 'done', { gateway_id })
  expect(resolved).toMatchObject({
    operation: { state: 'succeeded', reply: { resolved_by: 'dewi', reason } },
    subscription: { id, status: 'active', gateway_subscription_id: gateway_id },
  })
  const history = await readObjectHistory(service.ctx, dewi, { kind: 'subscription', id })
  expect(history?.transitions.find(({ to_status }) => to_status === 'active')).toMatchObject({
    source: 'staff',
    reason: `by dewi: ${reason}`,
  })
  expect(await repeat()).toMatchObject({ id, status: 'active' })
  await here.pass(2)
  await here.sync()
  expect(await here.read(id)).toMatchObject({ current_interval: 1 })
})

test('a subscription that a cycle proved during the resolution keeps the id that staff found', async () => {
  const { id, operation_id, gateway_id } = await lost('drop_after')
  await here.pass(5)
  await here.fault('get_subscription', 'delay', { options: { ms: 300 } })
  const ending = end(operation_id, 'done', { gateway_id })
  await service.control(`subscriptions/${gateway_id}/cycle`)
  // Without its id, if the cycle is reported in time; on a slow machine staff may be first.
  await eventually(
    async () => await here.rowOf(id),
    ({ status }) => status === 'active',
  )
  expect(await ending).toMatchObject({
    operation: { state: 'succeeded' },
    subscription: { id, status: 'active', gateway_subscription_id: gateway_id },
  })
  expect((await alarmsOf(id)).filter(({ closed_by }) => closed_by === null)).toEqual([])
})

test('a subscription needs the gateway’s id, and one with the right name and amount', async () => {
  const { id, operation_id, gateway_id } = await lost('drop_after')
  const other = await here.created()
  await here.pass(5)
  await expect(end(operation_id, 'done')).rejects.toMatchObject(
    refusedFor('gateway_id', 'must be the id that the gateway gave it'),
  )
  const stranger = { gateway_id: other['gateway_subscription_id'] }
  await expect(end(operation_id, 'done', stranger)).rejects.toMatchObject(
    refusedFor('gateway_id', expect.stringContaining('there it is called')),
  )
  await here.sql('update gapura.gateway_subscription set amount = 60000 where id = $1', [id])
  await expect(end(operation_id, 'done', { gateway_id })).rejects.toMatchObject(
    refusedFor('gateway_id', 'there it charges 50000.00, not 60000.00'),
  )
  await here.sql('update gapura.gateway_subscription set amount = 50000 where id = $1', [id])
  expect(await here.read(id)).toMatchObject({ status: 'initiated' })
  await end(operation_id, 'done', { gateway_id })
})

test('a subscription marked as not made fails, once no repeat can be in flight', async () => {
  const { id, operation_id } = await lost('drop_before')
  await here.pass(1.5)
  await expect(end(operation_id, 'refused')).rejects.toMatchObject(
    refusedFor('outcome', expect.stringContaining('it may still be sent again')),
  )
  await here.pass(5)
  expect(await end(operation_id, 'refused')).toMatchObject({
    operation: { state: 'refused', reply: { resolved_by: 'dewi', reason } },
    subscription: { status: 'failure' },
  })
  expect((await alarmsOf(id)).filter(({ closed_by }) => closed_by === null)).toEqual([])
})

test('a change without an answer: done if the gateway shows it, otherwise staff may give it up', async () => {
  const disabled = await here.created()
  await here.fault('disable_subscription', 'drop_after')
  await here.fault('get_subscription', 'drop_before', { times: 9 })
  const lostDisable = disableSubscription(service.ctx, requestOf(), disabled.id)
  await expect(lostDisable).rejects.toMatchObject(UNKNOWN)
  await here.heal()
  const cancelled = await here.created()
  await here.fault('cancel_subscription', 'drop_before')
  await here.fault('get_subscription', 'drop_before', { times: 9 })
  const lostCancel = cancelSubscription(service.ctx, requestOf(), cancelled.id)
  await expect(lostCancel).rejects.toMatchObject(UNKNOWN)
  await here.heal()
  await here.pass(2)

  expect(await end(await openOf(disabled.id), 'done')).toMatchObject({
    operation: { state: 'succeeded', reply: { resolved_by: 'dewi' } },
    subscription: { status: 'disabled' },
  })
  const open = await openOf(cancelled.id)
  await expect(end(open, 'done')).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await end(open, 'refused')).toMatchObject({
    operation: { state: 'refused' },
    subscription: { status: 'active' },
  })
})
