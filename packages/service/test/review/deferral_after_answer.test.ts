// An answer that the gateway gave before a report arrived does not settle that report, nor does one
// that says nothing about it.
import { expect, test } from 'vitest'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { requestOf } from '../services/service_bench.ts'
import { holdUp } from './paused_gateway.ts'
import { PARTLY_REFUNDED, useReports } from './report_bench.ts'

const { service, caller, charged, paymentOf, sixHours, signed } = useReports()

test('a refund reported after the gateway answered settlement is looked up and recorded', async () => {
  const { id, order_id } = await charged('gopay')
  await service.control(`transactions/${order_id}/pay`)
  const ctx = holdUp(service.ctx, 'getStatus', 'after_answer', async () => {
    await service.control(`transactions/${order_id}/refund`, { amount: 50_000, refund_key: 'dash' })
    await receiveNotification(service.ctx, signed(order_id, PARTLY_REFUNDED))
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
  await refundPayment(service.ctx, requestOf(), id, { amount: 30_000 })
  await sixHours()
  expect(await paymentOf(order_id)).toMatchObject({ refunded: '80000.00' })
})
