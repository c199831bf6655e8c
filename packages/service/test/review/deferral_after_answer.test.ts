// An answer that the gateway gave before a report arrived does not settle that report.
import { expect, test } from 'vitest'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
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
