// An answer that may be older than a report does not settle that report, nor does one that says
// nothing about it.
import { expect, test } from 'vitest'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { requestOf } from '../services/service_bench.ts'
import { holdUp } from './paused_gateway.ts'
import { PARTLY_REFUNDED, useReports } from './report_bench.ts'

const { service, caller, charged, paymentOf, sixHours, signed, fault, later } = useReports()

test('a refund reported after the gateway answered settlement is looked up and recorded', async () => {
  const { id, order_id } = await charged('gopay')
  await service.control(`transactions/${order_id}/pay`)
  const ctx = holdUp(service.ctx, 'getStatus', 'after_answer', async () => {
    await service.control(`transactions/${order_id}/refund`, { amount: 50_000, refund_key: 'dash' })
    await receiveNotification(service.ctx, signed(order_id, PARTLY_REFUNDED))
    await later(61_000)
  })
  await getStatus(ctx, caller, id)
  await sixHours()
  expect(await paymentOf(order_id)).toMatchObject({ refunded: '50000.00' })
})

test('a refund reported before one of our own is looked up and recorded: the answer names only ours', async () => {
  const { id, order_id } = await charged('gopay')
  await service.control(`transactions/${order_id}/pay`)
  await getStatus(service.ctx, caller, id)
  await service.control(`transactions/${order_id}/refund`, { amount: 50_000, refund_key: 'dash' })
  await receiveNotification(service.ctx, signed(order_id, { ...PARTLY_REFUNDED, refunds: [] }))
  await later(61_000)
  await refundPayment(service.ctx, requestOf(), id, { amount: 30_000 })
  await sixHours()
  expect(await paymentOf(order_id)).toMatchObject({ refunded: '80000.00' })
})

/** What a replica answers that has seen neither the payment nor the refund. */
const STILL_PENDING = {
  options: {
    http_status: 200,
    body: { status_code: '201', transaction_status: 'pending', gross_amount: '150000.00' },
  },
}

/** Nothing else is planned after it. */
const SETTLED = { transaction_status: 'settlement' }

test('a reported refund of which a replica has not heard yet is looked up again and recorded', async () => {
  const { id, order_id } = await charged('gopay')
  await service.control(`transactions/${order_id}/pay`)
  await service.control(`transactions/${order_id}/refund`, { amount: 50_000, refund_key: 'dash' })
  await receiveNotification(service.ctx, signed(order_id, PARTLY_REFUNDED))
  await fault('get_status', 'status', STILL_PENDING)
  await getStatus(service.ctx, caller, id)
  await receiveNotification(service.ctx, signed(order_id, SETTLED))
  await sixHours()
  expect(await paymentOf(order_id)).toMatchObject({ refunded: '50000.00' })
})

test('an answer from between two deferred reports settles neither', async () => {
  const { id, order_id } = await charged('gopay')
  await service.control(`transactions/${order_id}/pay`)
  await receiveNotification(service.ctx, signed(order_id, PARTLY_REFUNDED))
  await later(59_000)
  await service.control(`transactions/${order_id}/refund`, { amount: 50_000, refund_key: 'dash' })
  await receiveNotification(service.ctx, signed(order_id, { ...PARTLY_REFUNDED, refunds: [] }))
  await later(2_000)
  await fault('get_status', 'status', STILL_PENDING)
  await getStatus(service.ctx, caller, id)
  await receiveNotification(service.ctx, signed(order_id, SETTLED))
  await sixHours()
  expect(await paymentOf(order_id)).toMatchObject({ refunded: '50000.00' })
})
