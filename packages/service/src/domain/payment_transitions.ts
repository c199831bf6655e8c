import { A, M, S, weigh, type Answer, type Evidence } from './answer.ts'
import type { Money } from './money.ts'
import { type FraudStatus, type PaymentStatus, type ReportedStatus } from './payment_status.ts'
import type { PaymentSignal } from './signals.ts'

/** Three pairs depend on more than the two statuses: a fraud review, and the sum of refunds. */
type Cell = Answer | 'review' | 'deny_in_review' | 'sum'

type Row = Readonly<Record<ReportedStatus, Cell>>
type Cells = [Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell]

/** One line of the table. The tuple makes a forgotten cell a type error. */
function row(...cells: Cells): Row {
  const [pending, authorize, capture, settlement, deny, cancel, expire, failure, ...money] = cells
  const [partial_refund, refund, partial_chargeback, chargeback] = money
  const open = { pending, authorize, capture, settlement, deny, cancel, expire, failure }
  return { ...open, partial_refund, refund, partial_chargeback, chargeback }
}

/** Never left by report alone: money that arrives after the end is queried first. */
const ENDED = row(S, S, A, A, S, S, S, S, A, A, A, A)
/** A bank that refuses a capture leaves the hold (gateway-protocol.md#capture), so one may follow. */
const DENIED = row(S, A, A, A, S, S, S, S, A, A, A, A)

/**
 * Every pair of known and reported status. Charge replies, notifications, status checks, actions
 * and sweeps all use this table, so they cannot disagree about what a report means.
 * Columns: pending, authorize, capture, settlement, deny, cancel, expire, failure, partial_refund,
 * refund, partial_chargeback, chargeback.
 */
const PAYMENT_TRANSITIONS: Readonly<Record<PaymentStatus, Row>> = {
  initiated: row(M, M, M, M, M, M, M, M, A, A, A, A),
  pending: row(S, M, M, M, M, M, M, M, A, A, A, A),
  authorize: row(S, S, M, M, M, M, M, A, A, A, A, A),
  capture: row(S, S, 'review', M, 'deny_in_review', M, A, A, A, A, A, A),
  settlement: row(S, S, S, 'review', A, A, A, A, M, M, M, M),
  partial_refund: row(S, S, S, S, A, A, A, A, 'sum', M, M, M),
  refund: row(S, S, S, S, A, S, S, S, S, S, A, A),
  partial_chargeback: row(S, S, S, S, A, S, S, S, A, A, S, M),
  chargeback: row(S, S, S, S, S, S, S, S, A, A, S, S),
  deny: DENIED,
  cancel: ENDED,
  expire: ENDED,
  failure: row(A, A, A, A, S, S, S, S, A, A, A, A),
}

/** The stored state of a payment when a report arrives, read under its row lock. */
export interface Known {
  status: PaymentStatus
  fraud: FraudStatus | null
  /** `paid_at` is set: `payment_settled` was emitted and is not emitted again. */
  was_paid: boolean
  refunded_amount: Money
}

export interface Report {
  status: ReportedStatus
  fraud: FraudStatus | null
  /** The gateway's cumulative `refund_amount`, if it gave one. */
  refund_amount: Money | null
}

/** Why a transition is unexpected and staff should look at it; null if it is not. */
export type Surprise = 'late_money' | 'reversal' | null

export type PaymentDecision =
  | {
      kind: 'move'
      to: ReportedStatus
      /** The fraud status after the transition. */
      fraud: FraudStatus | null
      signal: PaymentSignal | null
      surprise: Surprise
      /** Whether an answer from before the last transition would say the same. */
      turns_back: boolean
    }
  | { kind: 'stale' }
  | { kind: 'ask' }

/** A repeated, late or contradictory report is a normal value here and never an exception. */
export function decideTransition(
  known: Known,
  report: Report,
  evidence: Evidence,
): PaymentDecision {
  const answer = answerFor(known, report)
  const weighed = weigh(answer, evidence)
  if (weighed !== 'move') return { kind: weighed }
  const fraud = fraudAfter(known, report)
  const surprise = surpriseOf(known, report, answer)
  const signal = signalFor(known, { ...report, fraud }, surprise)
  const turns_back = answer === 'ask' && mayPrecede(known.status, report.status)
  return { kind: 'move', to: report.status, fraud, signal, surprise, turns_back }
}

/** A report without a fraud status keeps the known one; a review ends with a later status. */
const fraudAfter = (known: Known, report: Report): FraudStatus | null =>
  report.fraud ?? (known.fraud === 'challenge' ? null : known.fraud)

/** The table's answer before the evidence is considered. */
export function answerFor(known: Known, report: Report): Answer {
  const cell = PAYMENT_TRANSITIONS[known.status][report.status]
  switch (cell) {
    case 'review':
      // A review ends only with an explicit fraud status.
      return known.fraud === 'challenge' && isVerdict(report.fraud) ? 'move' : 'stale'
    case 'deny_in_review':
      return known.fraud === 'challenge' ? 'move' : 'ask'
    case 'sum':
      return (report.refund_amount ?? 0n) > known.refunded_amount ? 'move' : 'stale'
    default:
      return cell
  }
}

const isVerdict = (fraud: FraudStatus | null): boolean => fraud === 'accept' || fraud === 'deny'

/** Asks the table instead of a second list of "final" statuses that could differ (ADR 0001). */
export const mayTransition = (from: PaymentStatus, to: ReportedStatus): boolean =>
  PAYMENT_TRANSITIONS[from][to] === 'move'

/** At most one signal for each transition: a jump over several states emits only the last one. */
function signalFor(known: Known, report: Report, surprise: Surprise): PaymentSignal | null {
  switch (report.status) {
    case 'pending':
      return 'payment_received'
    case 'authorize':
      return known.status === 'initiated' ? 'payment_received' : null
    case 'capture':
    case 'settlement':
      if (report.fraud === 'deny') return 'payment_denied'
      if (report.fraud === 'challenge') return 'payment_received'
      // Money that came back after a reversal emits the signal again (ADR 0001).
      return known.was_paid && surprise === null ? null : 'payment_settled'
    case 'deny':
      // The fraud system's denial already emitted it; the bank's denial of the same adds nothing.
      return known.fraud === 'deny' ? null : 'payment_denied'
    case 'cancel':
      return 'payment_cancelled'
    case 'expire':
      return 'payment_expired'
    case 'failure':
      return 'payment_failed'
    case 'partial_refund':
    case 'refund':
      return 'payment_refunded'
    case 'partial_chargeback':
    case 'chargeback':
      return 'payment_charged_back'
  }
}

const ENDED_WITHOUT_MONEY: ReadonlySet<PaymentStatus> = new Set([
  'deny',
  'cancel',
  'expire',
  'failure',
])

/** Whether money that arrives now is late: staff must decide about it. */
export const hasEndedWithoutMoney = (status: PaymentStatus): boolean =>
  ENDED_WITHOUT_MONEY.has(status)
const WAITING: ReadonlySet<PaymentStatus> = new Set(['pending', 'authorize'])

/** Whether a payment with this status may have had the other one before. */
const mayPrecede = (status: PaymentStatus, other: ReportedStatus): boolean =>
  status !== 'initiated' &&
  (ENDED_WITHOUT_MONEY.has(status) || PAYMENT_TRANSITIONS[other][status] !== 'stale')

function surpriseOf(known: Known, report: Report, answer: Answer): Surprise {
  const ends = ENDED_WITHOUT_MONEY.has(report.status)
  if (ENDED_WITHOUT_MONEY.has(known.status) && !ends && !WAITING.has(report.status)) {
    return 'late_money'
  }
  // Cancelling a captured card is expected; losing settled money is not.
  return answer === 'ask' && known.was_paid && ends ? 'reversal' : null
}
