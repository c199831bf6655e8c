// The reply to a refund is lost, and the query after it lists more refunds than fit beside what is
// reserved: our own is recorded with its operation all the same.
import { expect, test } from 'vitest'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { bodyOf, requestOf } from '../services/service_bench.ts'
import { holdUp } from './paused_gateway.ts'
import { useReports } from './report_bench.ts'

const { service, settledWallet, fault, later, rowOf } = useReports()

test('two refunds of the dashboard beside three of ours: ours is recorded, theirs by the next query', async () => {
  const { id, order_id } = await settledWallet()
  const refund = async (amount: number, meanwhile?: () => Promise<void>) => {
    const ctx = meanwhile ? holdUp(service.ctx, 'refund', 'before_send', meanwhile) : service.ctx
    return await refundPayment(ctx, requestOf(), id, { amount })
  }
  let ours: unknown
  let row: unknown
  const third = async (): Promise<void> => {
    for (const refund_key of ['dash-1', 'dash-2'])
      await service.control(`transactions/${order_id}/refund`, { amount: 5_000, refund_key })
    await fault('refund', 'drop_after')
    ours = bodyOf(await refund(60_000))['refund']
    row = await rowOf(order_id)
  }
  await refund(65_000, async () => void (await refund(20_000, third))).catch(() => 'no money left')
  expect(ours).toMatchObject({ status: 'succeeded', amount: '60000.00' })
  expect(row).toMatchObject({ refunded: '60000.00', reserved: '85000.00' })

  await later(61_000)
  await checkPendingPayments(service.ctx, { budget: { take: async () => undefined } })
  const { refunded } = (await service.ledger(order_id)) ?? {}
  expect(await rowOf(order_id)).toMatchObject({ refunded: `${refunded}.00`, reserved: '0.00' })
})
