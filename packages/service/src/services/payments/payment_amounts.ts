import type { Evidence } from '../../domain/answer.ts'
import { sumMoney, type Money } from '../../domain/money.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { applyReportedRefunds } from '../../store/refunds/reports.ts'
import { listRefunds } from '../../store/refunds/rows.ts'
import { newId } from '../../store/sql/values.ts'
import type { PaymentWriteBatch } from './payment_write_batch.ts'
import { alarmAbout } from './record_step.ts'

type Amounts = Pick<GatewayPayment, 'gross_amount' | 'authorized_amount' | 'captured_amount'>

/**
 * Whether a reported amount fits this payment: the charged amount, the captured amount, or the
 * charged amount plus a fee that the payer bears. After a partial capture the gateway reports the
 * captured part (gateway-protocol.md#capture), so from `authorize` a smaller amount counts if the
 * gateway itself answers it.
 */
export function fitsAmount(
  payment: Amounts & Pick<GatewayPayment, 'transaction_status'>,
  facts: TransactionFacts,
  evidence: Evidence,
): boolean {
  const { gross_amount: reported } = facts
  if (reported === null) return true
  if (reported === payment.gross_amount || reported === payment.captured_amount) return true
  if (evidence !== 'gateway_answer') return false
  if (reported === payment.gross_amount + facts.imposed_fee) return true
  return payment.transaction_status === 'authorize' && reported < payment.gross_amount
}

/** The amounts after a transition. The captured amount is kept when the payment ends without it. */
export function amountsAfter(
  payment: Amounts,
  facts: TransactionFacts,
): Pick<Amounts, 'authorized_amount' | 'captured_amount'> {
  const { gross_amount, authorized_amount, captured_amount } = payment
  switch (facts.status) {
    case 'pending':
    case 'deny':
    case 'cancel':
    case 'expire':
    case 'failure':
      return { authorized_amount, captured_amount }
    case 'authorize':
      return { authorized_amount: gross_amount, captured_amount }
    default:
      return {
        authorized_amount: gross_amount,
        captured_amount: captured_amount || capturedBy(payment, facts),
      }
  }
}

/** A fee that the payer bears raises the reported amount, never what the merchant charged. */
function capturedBy(
  { gross_amount }: Amounts,
  { gross_amount: reported }: TransactionFacts,
): Money {
  return reported !== null && reported < gross_amount ? reported : gross_amount
}

/**
 * Records the refunds that the gateway lists: ours become refunded, others become new rows.
 * Undefined, and nothing is changed, if they exceed the amount known as captured. The last new one
 * is named by the payment's next event.
 */
export async function applyRefundFacts(
  batch: PaymentWriteBatch,
  payment: GatewayPayment,
  facts: TransactionFacts,
): Promise<GatewayPayment | undefined> {
  if (facts.refunds.length === 0) return payment
  // Refunds are rows of their own and rare: the batch is flushed and they are written at once.
  await batch.write()
  const refunds = [...new Map(facts.refunds.map((refund) => [refund.refund_key, refund])).values()]
  const applied = await applyReportedRefunds(
    batch.tx,
    payment.id,
    refunds.map((refund) => ({ ...refund, id: newId() })),
  )
  if (applied === undefined) return undefined
  if (applied.revived > 0) {
    const detail = `a refund of ${payment.order_id} was refused, and the gateway lists it as made`
    await alarmAbout(batch.tx, payment, 'outcome_unknown', detail)
  }
  if (applied.made_last !== null) batch.knowRefund(payment.id, applied.made_last)
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

/** Refunds of a payment that is not captured yet wait for the transition that captures it. */
export const withRefunds = async (
  batch: PaymentWriteBatch,
  payment: GatewayPayment,
  facts: TransactionFacts,
) => (payment.captured_amount > 0n ? await applyRefundFacts(batch, payment, facts) : payment)

/**
 * Records only the refund of our own that was asked about: its amount is reserved, so it fits although
 * the others do not. Its operation ends with this answer, and no later one would record it in time.
 */
export async function withOwnRefund(
  batch: PaymentWriteBatch,
  payment: GatewayPayment,
  facts: TransactionFacts,
  own_key: string | null | undefined,
): Promise<GatewayPayment> {
  const refunds = facts.refunds.filter(({ refund_key }) => refund_key === own_key)
  const applied = await applyRefundFacts(batch, payment, { ...facts, refunds })
  return applied === undefined || applied === payment ? payment : await batch.post(applied)
}

/** Whether the refunds of a capture that is first reported now are within the captured amount. */
export function refundsFit(payment: GatewayPayment, facts: TransactionFacts): boolean {
  if (payment.captured_amount > 0n) return true
  const refunds = new Map(facts.refunds.map(({ refund_key, amount }) => [refund_key, amount]))
  return sumMoney([...refunds.values()]) <= amountsAfter(payment, facts).captured_amount
}
