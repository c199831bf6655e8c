import { afterEach, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { matchUnmatched } from '../../src/services/notifications/match_unmatched.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { holdUp } from '../review/paused_gateway.ts'
import { eventually } from '../store/test_database.ts'
import { requestOf } from './service_bench.ts'
import { BUDGET, useSweeps } from './sweep_bench.ts'

const bench = useSweeps()
const { service } = bench

afterEach(async () => {
  await bench.heal()
})

const match = async () => await matchUnmatched(service.ctx, BUDGET)

async function report(order_id: string, more: object = {}): Promise<string> {
  const signed = { order_id, status_code: '200', gross_amount: '150000.00' }
  const signature_key = signNotification(signed, service.simulator.server_key)
  const body = { ...signed, transaction_status: 'settlement', ...more, signature_key }
  return (await receiveNotification(service.ctx, body)).notification_id ?? ''
}

const rowsOf = async (pattern: string) =>
  await service.database.sql(
    `select id, effect, reason, payment_id, resolved_at is not null as resolved
     from gapura.gateway_notification where order_id like $1`,
    [pattern],
  )

test('a test notification of the dashboard is recognised and closed, without an alarm', async () => {
  await service.control('test_notification')
  const rows = async () => await rowsOf('payment_notif_test_%')
  await eventually(rows, ({ length }) => length > 0)
  expect(await match()).toBe(1)
  const [row] = await rows()
  expect(row).toMatchObject({ effect: 'stale', reason: 'dashboard_test', resolved: true })
  expect(await bench.alarmsOf(String(row?.['id']))).toEqual([])
})

test('one whose payment exists by now is applied as if it arrived now', async () => {
  await bench.mute()
  const order_id = `qris-${service.fresh('x').split('-')[1] ?? ''}1`
  const id = await report(order_id)
  expect(await rowsOf(order_id)).toMatchObject([{ effect: 'unmatched', resolved: false }])
  expect(await match()).toBe(0)
  const payment = await bench.charged('qris', { order_id })
  expect(await match()).toBe(1)
  expect(await bench.statusOf(payment.id)).toBe('settlement')
  expect(await rowsOf(order_id)).toMatchObject([
    { id, effect: 'applied', payment_id: payment.id, resolved: true },
  ])
  expect(await match()).toBe(0)
})

test('one that is newer than the answer about its order is not lost', async () => {
  await bench.mute()
  const { id, order_id } = await bench.charged('gopay')
  await service.control(`transactions/${order_id}/pay`)
  await getStatus(service.ctx, requestOf().caller, id)
  const rename = async (to: string) =>
    await service.database.sql('update gapura.gateway_payment set order_id = $2 where id = $1', [
      id,
      to,
    ])
  await rename(`${order_id}-hidden`)
  await report(order_id, { transaction_status: 'partial_refund', refund_amount: '50000.00' })
  await bench.pass(11)
  // The query is answered with what was before the refund, and another process records the payment.
  const ctx = holdUp(service.ctx, 'getStatus', 'after_answer', async () => {
    await rename(order_id)
    await service.control(`transactions/${order_id}/refund`, { amount: 50_000 })
  })
  expect(await matchUnmatched(ctx, BUDGET)).toBe(1)
  expect(await rowsOf(order_id)).toMatchObject([{ effect: 'deferred', reason: 'asked_first' }])
  await bench.pass(2)
  await bench.sweep()
  expect(await bench.statusOf(id)).toBe('partial_refund')
})

test('one for an unknown order is looked up after ten minutes and opens an alarm, once', async () => {
  const id = await report('of-unknown')
  expect(await match()).toBe(0)
  await bench.pass(11)
  await bench.strike('drop_before')
  expect(await match()).toBe(0)
  await bench.heal()
  expect(await match()).toBe(1)
  expect(await bench.alarmsOf(id)).toEqual(['unmatched_notification'])
  expect(await rowsOf('of-unknown')).toMatchObject([
    { effect: 'unmatched', reason: 'order_unknown_at_gateway', resolved: true },
  ])
  expect(await match()).toBe(0)
})

test('one for an order that is at the gateway but not in our database says so', async () => {
  await bench.mute()
  const { order_id } = await bench.charged('bank_transfer')
  await service.database.sql(
    `update gapura.gateway_payment set order_id = 'elsewhere' where order_id = $1`,
    [order_id],
  )
  await report(order_id)
  await bench.pass(11)
  expect(await match()).toBe(1)
  expect(await rowsOf(order_id)).toMatchObject([{ reason: 'order_of_another' }])
})
