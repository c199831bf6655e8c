// The alarms that a transition opens or closes.
import type { GatewayPayment } from '../../domain/payment.ts'
import type { PaymentDecision } from '../../domain/payment_transitions.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'
import { closeAlarmAbout } from '../../store/staff/alarms.ts'
import { findPaymentByOrderId } from '../../store/payments/rows.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { alarmAbout } from './payment_alarm.ts'

/**
 * The gateway has a charge that was given up. The payment gets its order id back, unless another
 * payment has that id now. Returns whether the payment must stay refused.
 */
export async function revive(tx: Tx, payment: GatewayPayment): Promise<boolean> {
  const detail = `charge of ${payment.order_id} was given up, and the gateway has it`
  await alarmAbout(tx, payment, 'outcome_unknown', detail)
  const rival = await findPaymentByOrderId(tx, payment.order_id)
  if (rival === undefined) return false
  const both = `order ${payment.order_id} is also that of payment ${rival.id}`
  await alarmAbout(tx, payment, 'duplicate_at_gateway', both)
  return true
}

interface StepTaken {
  facts: TransactionFacts
  move: Extract<PaymentDecision, { kind: 'move' }>
}

/** Alarms about unexpected transitions, unknown fraud statuses, and settled money in review. */
export async function alarmAboutStep(
  tx: Tx,
  payment: GatewayPayment,
  { facts, move }: StepTaken,
): Promise<void> {
  if (move.surprise !== null) {
    const detail = `${payment.transaction_status} became ${move.to}`
    await alarmAbout(tx, payment, move.surprise, detail)
  }
  // Settled money in review never becomes paid by itself; an unknown fraud status counts as a
  // review.
  const settled_in_review = move.to === 'settlement' && move.fraud === 'challenge'
  if (facts.unknown_fraud === null && !settled_in_review) return
  const detail = `${move.to} with the fraud status ${facts.unknown_fraud ?? 'challenge'}`
  await alarmAbout(tx, payment, 'status_unknown', detail)
}

/** Closes the alarm about a report that stayed unsettled, once an answer has settled it. */
export async function closeSettled(
  tx: Tx,
  before: GatewayPayment,
  after: GatewayPayment,
): Promise<void> {
  if (before.deferred_since === null || after.deferred_since !== null) return
  const about = { kind: 'report_unsettled', subject_id: after.id } as const
  await closeAlarmAbout(tx, about, { closed_by: 'gapura', note: 'the gateway has settled it' })
}
