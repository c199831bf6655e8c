// The one door: charge replies, notifications, status checks, actions, sweeps and the resolver all
// end here, so they cannot disagree about what a report means. The payment's row is locked by the
// caller; everything is written in the caller's transaction.
import type { Evidence } from '../../domain/answer.ts'
import type { AlarmKind } from '../../domain/alarm.ts'
import { nextCheckAt } from '../../domain/check_plan.ts'
import type { NotificationEffect } from '../../domain/notification.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { sumMoney } from '../../domain/money.ts'
import { movePayment, type PaymentMove } from '../../domain/payment_moves.ts'
import { paid, statusCodeFits } from '../../domain/payment_status.ts'
import type { PaymentSignal, Source } from '../../domain/signals.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'
import { changePayment, type PaymentChange } from '../../store/payments/transitions.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import type { StepRecord } from '../object_step.ts'
import { amountsAfter, fitsAmount } from './payment_amounts.ts'
import { alarmAbout } from './payment_alarm.ts'
import { PaymentBook } from './payment_book.ts'
import { recordStep } from './record_step.ts'
import { applyRefundFacts, hasUnknownRefund } from './refund_facts.ts'
import { alarmAboutStep, revive } from './step_alarms.ts'

/** Who says so, and what proves it. */
export interface Testimony {
  evidence: Evidence
  /** The answer to a call of our own about this very payment: it is ours whatever it leaves out. */
  own?: 'charge' | 'action'
  source: Source
  /** The notification or operation the transition points back to. */
  evidence_id: string | null
  notification_id: string | null
  /** What a person said, where one was behind it; a surprise of the move says more. */
  reason?: string
  /** Ask the gateway before a move that gives value, however well the report is signed. */
  confirm_value?: boolean
  /** Ask before any move: the signature may have been made for another order (ADR 0004). */
  confirm_all?: boolean
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
  const book = new PaymentBook(tx)
  const applied = await enterFacts(book, payment, { facts, testimony })
  await book.close()
  return applied
}

/** The same for one of many: it is written when the book is closed. */
export async function enterFacts(
  book: PaymentBook,
  payment: GatewayPayment,
  { facts, testimony }: Told,
): Promise<Applied> {
  const doubt = doubtOf(payment, facts, testimony)
  if (doubt !== null) return await doubted(book, payment, { facts, doubt, testimony })
  // What the gateway itself lists is recorded whatever the status does. An answer to our own call may
  // be older than what is known, but a refund it lists was made: refunds are never taken back.
  const believed = testimony.evidence === 'gateway_answer' || testimony.own === 'action'
  const booked = believed ? await booksOf(book, payment, facts) : payment
  if (booked === undefined) return await deferred(book, payment, 'refunds_do_not_fit_yet')
  const move = moveOf(payment, booked, { facts, testimony })
  if (move.kind === 'ask') return await deferred(book, booked, 'asked_first')
  if (move.kind === 'stale') return await stale(book, booked, { facts, testimony })
  if (confirmsFirst(testimony, facts, paid(move.to, move.fraud))) {
    return await deferred(book, payment, 'confirmed_first')
  }
  const known = believed ? booked : await booksOf(book, payment, facts)
  if (known === undefined || !refundsFit(known, facts)) {
    return await deferred(book, payment, 'refunds_do_not_fit_yet')
  }
  const moved = await step(book, { before: payment, known }, { facts, move, testimony })
  return { effect: 'applied', reason: null, payment: moved }
}

/**
 * Whether the gateway is asked before the move. Where value is confirmed, so is every other word of
 * the code 200: a signature does not tell them apart (ADR 0004).
 */
const confirmsFirst = (
  { confirm_value, confirm_all }: Testimony,
  { status_code }: TransactionFacts,
  gives_value: boolean,
): boolean =>
  confirm_all === true || (confirm_value === true && (gives_value || status_code === '200'))

/** Refunds of what we never saw captured wait for the move that captures. */
const booksOf = async (book: PaymentBook, payment: GatewayPayment, facts: TransactionFacts) =>
  payment.captured_amount > 0n ? await enterRefunds(book, payment, facts) : payment

/** Refunds are rows of their own, and rare: written at once, on the payment as it is by then. */
async function enterRefunds(book: PaymentBook, payment: GatewayPayment, facts: TransactionFacts) {
  if (facts.refunds.length === 0) return payment
  await book.write()
  return await applyRefundFacts(book.tx, payment, facts)
}

/** Whether the refunds of a capture that is first heard of now are within what it captures. */
function refundsFit(payment: GatewayPayment, facts: TransactionFacts): boolean {
  if (payment.captured_amount > 0n) return true
  const refunds = new Map(facts.refunds.map(({ refund_key, amount }) => [refund_key, amount]))
  return sumMoney([...refunds.values()]) <= amountsAfter(payment, facts).captured_amount
}

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
  book: PaymentBook,
  payment: GatewayPayment,
  { facts, testimony }: Told,
): Promise<Applied> {
  if (testimony.evidence === 'report' && facts.refunds.length > 0) {
    if (await hasUnknownRefund(book.tx, payment, facts)) {
      return await deferred(book, payment, 'refunds_to_confirm')
    }
    await enterRefunds(book, payment, facts)
  }
  const filled = await book.fill(payment, detailsOf(facts))
  const settled = testimony.evidence === 'gateway_answer' ? await book.settle(filled) : filled
  return { effect: 'stale', reason: null, payment: settled }
}

/** Why this report cannot simply be applied, or null. */
function doubtOf(
  payment: GatewayPayment,
  facts: TransactionFacts,
  { evidence, own }: Testimony,
): string | null {
  const { transaction_id } = payment
  if (transaction_id === null) {
    // An order id alone proves nothing: the mark we sent with the charge does (ADR 0003).
    const marked = facts.payment_id === payment.id || payment.subscription_id !== null
    if (own === undefined && !marked && payment.invoice_id === null) return 'not_ours'
  } else if (facts.transaction_id !== null && facts.transaction_id !== transaction_id) {
    return 'another_transaction'
  }
  // Nobody is charged nothing, whoever says so.
  if (facts.gross_amount !== null && facts.gross_amount <= 0n) return 'amount_mismatch'
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
  book: PaymentBook,
  payment: GatewayPayment,
  { facts, doubt, testimony }: Told & { doubt: string },
): Promise<Applied> {
  const kind = ALARMS[doubt]
  const mismatch = doubt === 'amount_mismatch'
  if (kind !== undefined && (mismatch || testimony.evidence === 'gateway_answer')) {
    await alarmAbout(book.tx, payment, kind, `${doubt}: reported ${facts.status}`)
  }
  if (testimony.evidence === 'gateway_answer') {
    return { effect: 'mismatch', reason: doubt, payment: await book.settle(payment) }
  }
  const waiting = await book.defer(payment)
  return { effect: mismatch ? 'mismatch' : 'deferred', reason: doubt, payment: waiting }
}

async function deferred(
  book: PaymentBook,
  payment: GatewayPayment,
  reason: string,
): Promise<Applied> {
  return { effect: 'deferred', reason, payment: await book.defer(payment) }
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
  book: PaymentBook,
  { before, known: payment }: { before: GatewayPayment; known: GatewayPayment },
  { facts, move, testimony }: Step,
) {
  const change = {
    ...changeOf(payment, { facts, move, testimony, now: await book.now() }),
    ...(payment.refused && { refused: await revive(book.tx, payment) }),
  }
  const record = {
    ...testimony,
    signal: move.signal,
    reason: move.surprise ?? testimony.reason ?? null,
  }
  const late = before.captured_amount === 0n && facts.refunds.length > 0
  const changed = late
    ? await stepWithRefunds(book, payment, { facts, change, record })
    : await book.step(payment, change, record)
  book.tellLinked({ before, after: changed, facts, told: testimony })
  await alarmAboutStep(book.tx, payment, { facts, move })
  return changed
}

function changeOf(
  payment: GatewayPayment,
  { facts, move, testimony, now }: Step & { now: Date },
): PaymentChange {
  const status = move.to
  const paid_at = payment.paid_at ?? (paid(status, move.fraud) ? now : null)
  const expiry_time = facts.details.expiry_time ?? payment.expiry_time
  return {
    ...detailsOf(facts),
    transaction_status: status,
    fraud_status: move.fraud,
    status_code: facts.status_code,
    status_message: facts.status_message,
    ...amountsAfter(payment, facts),
    paid_at,
    ...checksAfter(payment, testimony, {
      now,
      planned: nextCheckAt({ ...payment, status, fraud: move.fraud, expiry_time, paid_at }, now),
    }),
  }
}

/** A step by a report leaves open what was deferred before it: the gateway is still to be asked. */
function checksAfter(
  { deferred_since, next_check_at }: GatewayPayment,
  { evidence }: Testimony,
  { now, planned }: { now: Date; planned: Date | null },
): PaymentChange {
  const open = evidence === 'report' && deferred_since !== null
  if (!open) return { next_check_at: planned, check_attempts: 0, deferred_since: null }
  return { next_check_at: next_check_at ?? now, check_attempts: 0, deferred_since }
}

interface RefundedStep {
  facts: TransactionFacts
  change: PaymentChange
  record: StepRecord<PaymentSignal>
}

/** Captured and refunded in one word: the refunds come between the change and what it tells. */
async function stepWithRefunds(
  book: PaymentBook,
  payment: GatewayPayment,
  { facts, change, record }: RefundedStep,
): Promise<GatewayPayment> {
  await book.write()
  const stepped = await changePayment(book.tx, payment, change)
  const changed = stepped && (await applyRefundFacts(book.tx, stepped, facts))
  if (changed === undefined) throw new Error(`payment ${payment.id} moved under its own lock`)
  await recordStep(book.tx, payment, changed, record)
  return changed
}
