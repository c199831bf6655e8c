// The history, the event and the alarms of a payment's step.
import type { AlarmKind } from '../../domain/alarm.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { PaymentRepresentation } from '../../domain/payment_representation.ts'
import type { PaymentDecision } from '../../domain/payment_transitions.ts'
import type { PaymentSignal } from '../../domain/signals.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'
import { findCheckoutByOrderId } from '../../store/checkouts/rows.ts'
import { doneOnCommit, type Tx } from '../../store/connection/transaction.ts'
import { takeOrderId } from '../../store/payments/locks.ts'
import { findPaymentByOrderId } from '../../store/payments/rows.ts'
import { closeAlarmAbout } from '../../store/staff/alarms.ts'
import { alarmAboutObject, recordObjectStep, type StepRecord } from '../object_step.ts'
import { representWithin } from './representation.ts'

/** The history and the event of one step of a payment. */
export async function recordStep(
  tx: Tx,
  before: GatewayPayment,
  after: GatewayPayment,
  record: StepRecord<PaymentSignal> & { refund_key?: string | undefined },
): Promise<void> {
  const { transaction_status: from_status } = before
  const { transaction_status: to_status } = after
  const show = async () => {
    const object = await representWithin(tx, after)
    return { object, refund_id: refundIdOf(object, record.signal, record.refund_key) }
  }
  await recordObjectStep(
    tx,
    { object_kind: 'payment', object: after, from_status, to_status, show },
    record,
  )
  countReceived(before, after)
}

/**
 * The refund that `payment_refunded` names: the one that the report brought, or, if it was known
 * before the status changed, the last that was made.
 */
export function refundIdOf(
  { refunds }: PaymentRepresentation,
  signal: PaymentSignal | null,
  refund_key: string | undefined,
): string | null {
  if (signal !== 'payment_refunded') return null
  const brought = refunds.find((refund) => refund.refund_key === refund_key)
  const refund = brought ?? refunds.findLast(({ status }) => status === 'succeeded')
  return refund?.id ?? null
}

/** Money is counted when a payment first counts as paid. */
export function countReceived(before: GatewayPayment, after: GatewayPayment): void {
  const { payment_type, captured_amount: amount } = after
  if (before.paid_at === null && after.paid_at !== null) {
    doneOnCommit({ kind: 'received', payment_type, amount })
  }
}

/** Opens an alarm about this payment. */
export async function alarmAbout(
  tx: Tx,
  { id, owner_id }: Pick<GatewayPayment, 'id' | 'owner_id'>,
  kind: AlarmKind,
  detail: string,
): Promise<void> {
  await alarmAboutObject(tx, { subject_kind: 'payment', id, owner_id }, kind, detail)
}

/**
 * The gateway has a charge that was given up. The payment gets its order id back, unless another
 * payment or a checkout has that id now. Returns whether the payment must stay refused.
 */
export async function revive(tx: Tx, payment: GatewayPayment): Promise<boolean> {
  const said = `charge of ${payment.order_id} was given up, and the gateway has it`
  await alarmAbout(tx, payment, 'outcome_unknown', said)
  const { order_id } = payment
  const page = await findCheckoutByOrderId(tx, order_id)
  if (page === undefined && (await takeOrderId(tx, payment.id))) return false
  const rival = await findPaymentByOrderId(tx, order_id)
  const detail = page
    ? `order ${order_id} is also that of checkout ${page.id}`
    : `order ${order_id} is also that of payment ${rival?.id ?? ''}`
  await alarmAbout(tx, payment, 'duplicate_at_gateway', detail)
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
