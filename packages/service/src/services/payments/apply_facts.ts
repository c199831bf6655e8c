// The one door: charge replies, notifications, status checks, actions, sweeps and the resolver all
// end here, so they cannot disagree about what a report means. The payment's row is locked by the
// caller; everything is written in the caller's transaction.
import type { Evidence } from '../../domain/answer.ts'
import type { AlarmKind } from '../../domain/alarm.ts'
import { nextCheckAt } from '../../domain/check_plan.ts'
import type { NotificationEffect } from '../../domain/notification.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { movePayment, type PaymentMove } from '../../domain/payment_moves.ts'
import { paid, statusCodeFits } from '../../domain/payment_status.ts'
import type { Source } from '../../domain/signals.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'
import { changePayment, fillPaymentDetails } from '../../store/payment_changes.ts'
import { checkPaymentNow } from '../../store/payment_checks.ts'
import { readClock } from '../../store/settings.ts'
import type { Tx } from '../../store/transaction.ts'
import { amountsAfter, fitsAmount } from './payment_amounts.ts'
import { alarmAbout } from './payment_alarm.ts'
import { recordStep } from './record_step.ts'
import { applyRefundFacts, hasUnknownRefund } from './refund_facts.ts'

/** Who says so, and what proves it. */
export interface Testimony {
  evidence: Evidence
  /** The answer to a call of our own about this very payment: it is ours whatever it leaves out. */
  own?: 'charge' | 'action'
  source: Source
  /** The notification or operation the transition points back to. */
  evidence_id: string | null
  notification_id: string | null
  /** Ask the gateway before a move that gives value, however well the report is signed (D-20). */
  confirm_value?: boolean
}

export interface Applied {
  effect: Extract<NotificationEffect, 'applied' | 'stale' | 'deferred' | 'mismatch'>
  reason: string | null
  payment: GatewayPayment
}

/** Applies what the gateway says to a payment that is locked, and tells what came of it. */
export async function applyFacts(
  tx: Tx,
  payment: GatewayPayment,
  facts: TransactionFacts,
  testimony: Testimony,
): Promise<Applied> {
  const doubt = doubtOf(payment, facts, testimony)
  if (doubt !== null) return await doubted(tx, payment, { facts, doubt, testimony })
  const believed = testimony.evidence === 'gateway_answer'
  // What the gateway itself lists goes onto the books whatever the status does.
  const booked = believed ? await booksOf(tx, payment, facts) : payment
  if (booked === undefined) return await deferred(tx, payment, 'refunds_do_not_fit_yet')
  const move = moveOf(payment, booked, { facts, testimony })
  if (move.kind === 'ask') return await deferred(tx, booked, 'asked_first')
  if (move.kind === 'stale') return await stale(tx, booked, { facts, testimony })
  if (testimony.confirm_value === true && paid(move.to, move.fraud)) {
    return await deferred(tx, payment, 'confirmed_first')
  }
  const known = believed ? booked : await booksOf(tx, payment, facts)
  if (known === undefined) return await deferred(tx, payment, 'refunds_do_not_fit_yet')
  const moved = await step(tx, { before: payment, known }, { facts, move, testimony })
  return { effect: 'applied', reason: null, payment: moved }
}

/** Refunds of what we never saw captured wait for the move that captures. */
const booksOf = async (tx: Tx, payment: GatewayPayment, facts: TransactionFacts) =>
  payment.captured_amount > 0n ? await applyRefundFacts(tx, payment, facts) : payment

interface Told {
  facts: TransactionFacts
  testimony: Testimony
}

function moveOf(before: GatewayPayment, booked: GatewayPayment, { facts, testimony }: Told) {
  // Some answers tell the sum of all refunds, some only the last one; the books know which grew.
  const grown = booked.refunded_amount > before.refunded_amount
  const refund_amount = grown ? booked.refunded_amount : facts.refund_amount
  const known = {
    status: before.transaction_status,
    fraud: before.fraud_status,
    was_paid: before.paid_at !== null,
    refunded_amount: before.refunded_amount,
  }
  return movePayment(known, { ...facts, refund_amount }, testimony.evidence)
}

/** Changes nothing but empty details, and when a refund was confirmed. New refunds are asked about. */
async function stale(
  tx: Tx,
  payment: GatewayPayment,
  { facts, testimony }: Told,
): Promise<Applied> {
  if (testimony.evidence === 'report' && facts.refunds.length > 0) {
    if (await hasUnknownRefund(tx, payment, facts)) {
      return await deferred(tx, payment, 'refunds_to_confirm')
    }
    await applyRefundFacts(tx, payment, facts)
  }
  const filled = await fillPaymentDetails(tx, payment.id, detailsOf(facts))
  return { effect: 'stale', reason: null, payment: filled ?? payment }
}

/** Why this report cannot simply be applied, or null. */
function doubtOf(
  payment: GatewayPayment,
  facts: TransactionFacts,
  { evidence, own }: Testimony,
): string | null {
  const { transaction_id } = payment
  if (transaction_id === null) {
    // An order id alone proves nothing: the mark we sent with the charge does (design 2.2).
    const marked = facts.payment_id === payment.id || payment.subscription_id !== null
    if (own === undefined && !marked && payment.invoice_id === null) return 'not_ours'
  } else if (facts.transaction_id !== null && facts.transaction_id !== transaction_id) {
    return 'another_transaction'
  }
  if (own !== 'action' && !fitsAmount(payment, facts, evidence)) {
    // A raised amount that names its fee, or a part of a hold, is confirmed by asking the gateway.
    const part = payment.transaction_status === 'authorize' && (facts.gross_amount ?? 0n) > 0n
    const explains = facts.imposed_fee > 0n || part
    return explains && evidence === 'report' ? 'amount_to_confirm' : 'amount_mismatch'
  }
  if (evidence === 'gateway_answer') return null
  const refunding = facts.status === 'refund' || facts.status === 'partial_refund'
  if (refunding && facts.refunds.length === 0) return 'refunds_not_listed'
  const fits = statusCodeFits(facts.status_code, facts.status, facts.fraud)
  return fits ? null : 'code_not_of_the_status'
}

const ALARMS: Readonly<Record<string, AlarmKind>> = {
  amount_mismatch: 'amount_mismatch',
  not_ours: 'duplicate_at_gateway',
  another_transaction: 'duplicate_at_gateway',
}

/** A report in doubt is asked about. The gateway's own answer in doubt is for a person. */
async function doubted(
  tx: Tx,
  payment: GatewayPayment,
  { facts, doubt, testimony }: Told & { doubt: string },
): Promise<Applied> {
  const kind = ALARMS[doubt]
  const mismatch = doubt === 'amount_mismatch'
  if (kind !== undefined && (mismatch || testimony.evidence === 'gateway_answer')) {
    await alarmAbout(tx, payment, kind, `${doubt}: reported ${facts.status}`)
  }
  if (testimony.evidence === 'gateway_answer') return { effect: 'mismatch', reason: doubt, payment }
  await checkPaymentNow(tx, payment.id)
  return { effect: mismatch ? 'mismatch' : 'deferred', reason: doubt, payment }
}

async function deferred(tx: Tx, payment: GatewayPayment, reason: string): Promise<Applied> {
  await checkPaymentNow(tx, payment.id)
  return { effect: 'deferred', reason, payment }
}

const detailsOf = ({ details, transaction_id }: TransactionFacts) => ({
  ...details,
  ...(transaction_id !== null && { transaction_id }),
})

interface Step {
  facts: TransactionFacts
  move: Extract<PaymentMove, { kind: 'move' }>
  testimony: Testimony
}

/** One transition with its history, its event and, where it surprises, its alarm. */
async function step(
  tx: Tx,
  { before, known: payment }: { before: GatewayPayment; known: GatewayPayment },
  { facts, move, testimony }: Step,
) {
  const now = await readClock(tx)
  const status = move.to
  const paid_at = payment.paid_at ?? (paid(status, move.fraud) ? now : null)
  const expiry_time = facts.details.expiry_time ?? payment.expiry_time
  const stepped = await changePayment(tx, payment, {
    ...detailsOf(facts),
    transaction_status: status,
    fraud_status: move.fraud,
    status_code: facts.status_code,
    status_message: facts.status_message,
    ...amountsAfter(payment, facts),
    paid_at,
    next_check_at: nextCheckAt({ ...payment, status, expiry_time, paid_at }, now),
    check_attempts: 0,
  })
  const late = before.captured_amount === 0n
  const changed = stepped && (late ? await applyRefundFacts(tx, stepped, facts) : stepped)
  if (changed === undefined) throw new Error(`payment ${payment.id} moved under its own lock`)
  await recordStep(tx, payment, changed, {
    ...testimony,
    signal: move.signal,
    reason: move.surprise,
  })
  if (move.surprise !== null) {
    await alarmAbout(tx, payment, move.surprise, `${payment.transaction_status} became ${status}`)
  }
  return changed
}
