import { A, M, S, weigh, type Answer, type Evidence } from './answer.ts'
import type { InvoiceStatus } from './invoice.ts'
import type { InvoiceSignal } from './signals.ts'

/** What the gateway or its refusal can report; `initiated` is ours alone. */
export type ReportedInvoiceStatus = Exclude<InvoiceStatus, 'initiated'>

type Row = Readonly<Record<ReportedInvoiceStatus, Answer>>
type Cells = [Answer, Answer, Answer, Answer, Answer, Answer, Answer]

function row(...[failure, draft, pending, overdue, paid, expired, voided]: Cells): Row {
  return { failure, draft, pending, overdue, paid, expired, voided }
}

/**
 * `paid` is queried from every status: a notification names the invoice in an unsigned field, so
 * only `get_invoice` is trusted (ADR 0011). After the end, so is everything else.
 * Columns: failure, draft, pending, overdue, paid, expired, voided.
 */
const INVOICE_TRANSITIONS: Readonly<Record<InvoiceStatus, Row>> = {
  initiated: row(M, M, M, M, A, M, M),
  failure: row(S, A, A, A, A, A, A),
  draft: row(S, S, M, M, A, M, M),
  pending: row(S, S, S, M, A, M, M),
  overdue: row(S, S, S, S, A, M, M),
  paid: row(S, S, S, S, S, S, A),
  expired: row(S, S, A, A, A, S, M),
  voided: row(S, S, S, S, A, S, S),
}

export type InvoiceDecision =
  | {
      kind: 'move'
      to: ReportedInvoiceStatus
      signal: InvoiceSignal | null
      surprise: 'late_money' | 'reversal' | null
    }
  | { kind: 'stale' | 'ask' }

/** Decides about a report on an invoice. Repeated and late reports are values, not exceptions. */
export function decideInvoiceTransition(
  from: InvoiceStatus,
  to: ReportedInvoiceStatus,
  evidence: Evidence,
): InvoiceDecision {
  const answer = weigh(INVOICE_TRANSITIONS[from][to], evidence)
  if (answer !== 'move') return { kind: answer }
  return { kind: 'move', to, signal: signalFor(from, to), surprise: surpriseOf(from, to) }
}

function surpriseOf(from: InvoiceStatus, to: ReportedInvoiceStatus) {
  if (to === 'paid' && (from === 'voided' || from === 'expired')) return 'late_money'
  return from === 'paid' ? 'reversal' : null
}

function signalFor(from: InvoiceStatus, to: ReportedInvoiceStatus): InvoiceSignal | null {
  if (to === 'paid') return 'invoice_paid'
  if (to === 'voided') return 'invoice_voided'
  // An invoice that was taken for refused and exists has emitted no event yet.
  const unknown = from === 'initiated' || from === 'failure'
  return unknown && to !== 'failure' ? 'invoice_created' : null
}

/** Only what is still to be paid can be voided (api-rules.md#invoices). */
export const mayVoid = (status: InvoiceStatus): boolean =>
  status === 'pending' || status === 'overdue'
