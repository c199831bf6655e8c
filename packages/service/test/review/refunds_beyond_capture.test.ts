// Refunds beyond what was captured, of a payment whose settlement was never reported.
import { expect, test } from 'vitest'
import { useReports } from './report_bench.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'

const { service, charged, fault, paymentOf, alarmsOf, sixHours, signed } = useReports()

test('paid and refunded with its fee before our look: the money is recorded, or there is an alarm', async () => {
  const { id, order_id, transaction_id } = await charged('gopay')
  const refunds = [
    { refund_chargeback_id: 5, refund_key: 'dash-1', refund_amount: '152000.00', reason: 'back' },
  ]
  const amounts = {
    original_amount: '150000.00',
    gross_amount: '152000.00',
    customer_imposed_payment_fee: '2000.00',
  }
  const body = {
    status_code: '200',
    transaction_id,
    order_id,
    gross_amount: '152000.00',
    payment_type: 'gopay',
    currency: 'IDR',
    transaction_status: 'refund',
    refund_amount: '152000.00',
    fraud_status: 'accept',
    metadata: { gapura_payment_id: id, extra_info: { gross_amount_info: amounts } },
    refunds,
  }
  await fault('get_status', 'status', { times: null, options: { http_status: 200, body } })
  await receiveNotification(
    service.ctx,
    signed(order_id, { transaction_id, transaction_status: 'refund', refunds }),
  )
  await sixHours()
  const { transaction_status } = (await paymentOf(order_id)) ?? {}
  expect({ transaction_status, alarms: await alarmsOf(id) }).not.toEqual({
    transaction_status: 'pending',
    alarms: [],
  })
})
