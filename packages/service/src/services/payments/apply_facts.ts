// Charge replies, notifications, status checks, actions, sweeps and the resolver all apply status
// reports here, so they cannot disagree about what a report means. The caller has locked the
// payment's row; everything is written in the caller's transaction.
import type { AlarmKind } from '../../domain/alarm.ts'
import type { Evidence } from '../../domain/answer.ts'
import { nextCheckAt } from '../../domain/check_plan.ts'
import type { NotificationEffect } from '../../domain/notification.ts'
import { isFurtherAttempt, type GatewayPayment } from '../../domain/payment.ts'
import { paid, statusCodeFits } from '../../domain/payment_status.ts'
import {
  decideTransition,
  hasEndedWithoutMoney,
  type PaymentDecision,
} from '../../domain/payment_transitions.ts'
import type { PaymentSignal, Source } from '../../domain/signals.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'
import { changePayment, type PaymentChange } from '../../store/payments/transitions.ts'
import type { StepRecord } from '../object_step.ts'
import {
  amountsAfter,
  applyRefundFacts,
  fitsAmount,
  hasUnknownRefund,
  refundsFit,
  withOwnRefund,
  withRefunds,
} from './payment_amounts.ts'
import type { PaymentWriteBatch } from './payment_write_batch.ts'
import { alarmAbout, alarmAboutStep, recordStep, revive } from './record_step.ts'
import { checksAfter, isTooSoon, settle } from './settle.ts'

/** The source and the evidence of a status report. */
export interface Provenance {
  evidence: Evidence
  /** Set if this is the reply to our own call for this payment: it is ours whatever it omits. */
  own?: 'charge' | 'action'
  /** Our own refund that this is the answer to. */
  refund_key?: string | null
  /** With an answer: when the gateway was asked, as `performance.now()` said. Default: just now. */
  asked_at?: number
  source: Source
  /** The notification or operation the transition points back to. */
  evidence_id: string | null
  notification_id: string | null
  /** The reason a staff member gave, if any; the transition's `surprise` takes precedence. */
  reason?: string
  /** Query the gateway before a transition that gives value, even if the signature is good. */
  confirm_value?: boolean
  /** Query before any transition: the signature may be of another order (ADR 0004). */
  confirm_all?: boolean
}

interface Applied {
  effect: Extract<NotificationEffect, 'applied' | 'stale' | 'deferred' | 'mismatch'>
  reason: string | null
  payment: GatewayPayment
}

/** Applies what the gateway reports to a locked payment, and closes the batch. */
export async function applyFacts(
  batch: PaymentWriteBatch,
  payment: GatewayPayment,
  facts: TransactionFacts,
  provenance: Provenance,
): Promise<Applied> {
  const applied = await enterFacts(batch, payment, { facts, provenance })
  await batch.close()
  return applied
}

/** The same as part of a batch: it is written when the batch is closed. */
export async function enterFacts(
  batch: PaymentWriteBatch,
  payment: GatewayPayment,
  { facts, provenance }: StatusReport,
): Promise<Applied> {
  const doubt = doubtOf(payment, facts, provenance)
  if (doubt !== null) return await doubted(batch, payment, { facts, doubt, provenance })
  // Refunds are never reversed, so listed refunds are recorded even if the status is stale.
  const believed = provenance.evidence === 'gateway_answer' || provenance.own === 'action'
  const refunded = believed ? await withRefunds(batch, payment, facts) : payment
  if (refunded === undefined) {
    const booked = await withOwnRefund(batch, payment, facts, provenance.refund_key)
    return await deferred(batch, booked, { reason: 'refunds_do_not_fit_yet', provenance })
  }
  const move = moveOf(payment, refunded, { facts, provenance })
  const too_soon =
    move.kind === 'move' && move.turns_back && (await isTooSoon(batch, payment, provenance))
  if (move.kind !== 'move' || too_soon) {
    // A transition posts its refunds itself.
    const booked = refunded === payment ? payment : await batch.post(refunded)
    return too_soon || move.kind === 'ask'
      ? await deferred(batch, booked, { reason: 'asked_first', provenance })
      : await stale(batch, booked, { facts, provenance })
  }
  if (confirmsFirst(provenance, facts, paid(move.to, move.fraud))) {
    return await deferred(batch, payment, { reason: 'confirmed_first', provenance })
  }
  const known = believed ? refunded : await withRefunds(batch, payment, facts)
  if (known === undefined || !refundsFit(known, facts)) {
    return await deferred(batch, payment, { reason: 'refunds_do_not_fit_yet', provenance })
  }
  const moved = await step(batch, { before: payment, known }, { facts, move, provenance })
  return { effect: 'applied', reason: null, payment: moved }
}

/** Where value is confirmed, so is every code 200: the signature covers no status (ADR 0004). */
const confirmsFirst = (
  { confirm_value, confirm_all }: Provenance,
  { status_code }: TransactionFacts,
  gives_value: boolean,
): boolean =>
  confirm_all === true || (confirm_value === true && (gives_value || status_code === '200'))

interface StatusReport {
  facts: TransactionFacts
  provenance: Provenance
}

function moveOf(
  before: GatewayPayment,
  refunded: GatewayPayment,
  { facts, provenance }: StatusReport,
) {
  // Some replies give the sum of all refunds, some only the last one: prefer our sum if it grew.
  const grown = refunded.refunded_amount > before.refunded_amount
  const refund_amount = grown ? refunded.refunded_amount : facts.refund_amount
  const known = {
    status: before.transaction_status,
    fraud: before.fraud_status,
    was_paid: before.paid_at !== null,
    refunded_amount: before.refunded_amount,
  }
  return decideTransition(known, { ...facts, refund_amount }, provenance.evidence)
}

/** Fills empty details and confirms known refunds. Unknown refunds defer to a status query. */
async function stale(
  batch: PaymentWriteBatch,
  payment: GatewayPayment,
  { facts, provenance }: StatusReport,
): Promise<Applied> {
  if (provenance.evidence === 'report' && facts.refunds.length > 0) {
    if (await hasUnknownRefund(batch.tx, payment, facts)) {
      return await deferred(batch, payment, { reason: 'refunds_to_confirm', provenance })
    }
    await applyRefundFacts(batch, payment, facts)
  }
  const filled = await batch.fill(payment, detailsOf(facts))
  return { effect: 'stale', reason: null, payment: await settle(batch, filled, provenance) }
}

/** Why this report cannot simply be applied, or null. */
function doubtOf(
  payment: GatewayPayment,
  facts: TransactionFacts,
  { evidence, own }: Provenance,
): string | null {
  const { transaction_id } = payment
  if (transaction_id === null) {
    // An order id alone proves nothing; the payment id we sent with the charge does (ADR 0003).
    const marked = facts.payment_id === payment.id || payment.subscription_id !== null
    if (own === undefined && !marked && payment.invoice_id === null) return 'not_ours'
  } else if (facts.transaction_id !== null && facts.transaction_id !== transaction_id) {
    return 'another_transaction'
  }
  // Reject a zero or negative amount from any source.
  if (facts.gross_amount !== null && facts.gross_amount <= 0n) return 'amount_mismatch'
  if (own !== 'action' && !fitsAmount(payment, facts, evidence)) {
    // A higher amount with its fee, or a partial capture, is confirmed by a status query.
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

/** A doubtful report is confirmed by a status query; a doubtful query reply raises an alarm. */
async function doubted(
  batch: PaymentWriteBatch,
  payment: GatewayPayment,
  { facts, doubt, provenance }: StatusReport & { doubt: string },
): Promise<Applied> {
  const kind = ALARMS[doubt]
  const mismatch = doubt === 'amount_mismatch'
  if (kind !== undefined && (mismatch || provenance.evidence === 'gateway_answer')) {
    await alarmAbout(batch.tx, payment, kind, `${doubt}: reported ${facts.status}`)
  }
  if (provenance.evidence === 'gateway_answer') {
    const settled = await settle(batch, payment, provenance)
    return { effect: 'mismatch', reason: doubt, payment: settled }
  }
  const waiting = await batch.defer(payment, isNew(provenance))
  return { effect: mismatch ? 'mismatch' : 'deferred', reason: doubt, payment: waiting }
}

/** The late answer to a query of our own brings no report that is not deferred already. */
const isNew = ({ evidence, own, notification_id }: Provenance): boolean =>
  evidence === 'report' && (own !== undefined || notification_id !== null)

const deferred = async (
  batch: PaymentWriteBatch,
  payment: GatewayPayment,
  { reason, provenance }: { reason: string; provenance: Provenance },
): Promise<Applied> => ({
  effect: 'deferred',
  reason,
  payment: await batch.defer(payment, isNew(provenance)),
})

const detailsOf = ({ details, transaction_id }: TransactionFacts) => ({
  ...details,
  ...(transaction_id !== null && { transaction_id }),
})

interface Step extends StatusReport {
  move: Extract<PaymentDecision, { kind: 'move' }>
}

/** One transition with its history, its event and, if it is unexpected, its alarm. */
async function step(
  batch: PaymentWriteBatch,
  { before, known: payment }: { before: GatewayPayment; known: GatewayPayment },
  { facts, move, provenance }: Step,
) {
  const change = {
    ...changeOf(payment, { facts, move, provenance, now: await batch.now() }),
    ...(payment.refused &&
      !isFurtherAttempt(payment) && { refused: await revive(batch.tx, payment) }),
  }
  const record = {
    ...provenance,
    signal: move.signal,
    reason: move.surprise ?? provenance.reason ?? null,
  }
  const late = before.captured_amount === 0n && facts.refunds.length > 0
  const changed = late
    ? await stepWithRefunds(batch, payment, { facts, change, record })
    : await batch.step(payment, change, record)
  batch.notifyLinked({ before, after: changed, facts, provenance })
  await alarmAboutStep(batch.tx, payment, { facts, move })
  return changed
}

function changeOf(
  payment: GatewayPayment,
  { facts, move, provenance, now }: Step & { now: Date },
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
    ...checksAfter(payment, provenance, {
      now,
      planned: nextCheckAt({ ...payment, status, fraud: move.fraud, expiry_time, paid_at }, now),
    }),
  }
}

interface RefundedStep extends Pick<Step, 'facts'> {
  change: PaymentChange
  record: StepRecord<PaymentSignal>
}

/** Captured and refunded in one report: the refunds are written between change and event. */
async function stepWithRefunds(
  batch: PaymentWriteBatch,
  payment: GatewayPayment,
  { facts, change, record }: RefundedStep,
): Promise<GatewayPayment> {
  await batch.write()
  const stepped = await changePayment(batch.tx, payment, change)
  const refunded = stepped && (await applyRefundFacts(batch, stepped, facts))
  if (refunded === undefined) throw new Error(`payment ${payment.id} changed while locked`)
  const changed = await batch.post(refunded, hasEndedWithoutMoney(payment.transaction_status))
  const refund_key = batch.refundKeyOf(payment.id)
  await recordStep(batch.tx, payment, changed, { ...record, refund_key })
  return changed
}
