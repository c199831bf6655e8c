import type { GatewayPayment } from '../../domain/payment.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'
import { newId } from '../../store/sql/values.ts'
import { applyReportedRefunds } from '../../store/refunds/reports.ts'
import { listRefunds } from '../../store/refunds/rows.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { alarmAbout } from './payment_alarm.ts'

/**
 * Records the refunds that the gateway lists: ours become refunded, others become new rows.
 * Undefined, and nothing is changed, if they exceed the amount known as captured.
 */
export async function applyRefundFacts(
  tx: Tx,
  payment: GatewayPayment,
  facts: TransactionFacts,
): Promise<GatewayPayment | undefined> {
  if (facts.refunds.length === 0) return payment
  const refunds = [...new Map(facts.refunds.map((refund) => [refund.refund_key, refund])).values()]
  const applied = await applyReportedRefunds(
    tx,
    payment.id,
    refunds.map((refund) => ({ ...refund, id: newId() })),
  )
  if (applied === undefined) return undefined
  if (applied.revived > 0) {
    const detail = `a refund of ${payment.order_id} was refused, and the gateway lists it as made`
    await alarmAbout(tx, payment, 'outcome_unknown', detail)
  }
  return { ...payment, ...applied.amounts }
}

/** Whether a report lists a refund that we do not know as made. The list is not signed. */
export async function hasUnknownRefund(
  tx: Tx,
  payment: GatewayPayment,
  facts: TransactionFacts,
): Promise<boolean> {
  const known = await listRefunds(tx, payment.id)
  const made = new Map(
    known
      .filter(({ status }) => status === 'succeeded')
      .map((refund) => [refund.refund_key, refund]),
  )
  return facts.refunds.some(({ refund_key, amount }) => made.get(refund_key)?.amount !== amount)
}
