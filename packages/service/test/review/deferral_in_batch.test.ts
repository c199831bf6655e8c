// Two reports about one payment in one batch: the second does not undo what the first deferred.
import { expect, test } from 'vitest'
import { writeInbox } from '../../src/services/notifications/inbox.ts'
import { PARTLY_REFUNDED, useReports } from './report_bench.ts'

const { service, charged, paymentOf, sixHours, itemOf } = useReports()

test('a refund and its settlement in one batch: the refund is looked up and recorded', async () => {
  const { order_id } = await charged('gopay')
  await service.control(`transactions/${order_id}/pay`)
  await service.control(`transactions/${order_id}/refund`, { amount: 50_000, refund_key: 'dash' })
  const results = await writeInbox(service.ctx, [
    itemOf(order_id, PARTLY_REFUNDED),
    itemOf(order_id, { transaction_status: 'settlement' }),
  ])
  expect(results.map(({ effect }) => effect)).toEqual(['deferred', 'applied'])
  await sixHours()
  expect(await paymentOf(order_id)).toMatchObject({ refunded: '50000.00' })
})
