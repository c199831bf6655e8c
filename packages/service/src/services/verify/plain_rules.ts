// Rules that hold for every payment, whatever the transition tables say. They are deliberately
// written apart from the tables: a mistake in a table must not hide itself.
import type { StepMade } from '../../store/invariants/steps.ts'

const WAITING = new Set(['initiated', 'pending', 'authorize'])
const ENDED = new Set(['deny', 'cancel', 'expire', 'failure'])
const MONEY = new Set([
  'capture',
  'settlement',
  'partial_refund',
  'refund',
  'partial_chargeback',
  'chargeback',
])
/** Refunded money does not return with these statuses. */
const BACK_TO = new Set(['capture', 'settlement'])
const WENT_BACK = new Set(['partial_refund', 'refund', 'partial_chargeback', 'chargeback'])

type Rule = (from: string, to: string, step: StepMade) => boolean

/** Each describes a forbidden transition. */
const FORBIDDEN: readonly Rule[] = [
  (_from, to) => to === 'initiated',
  (from, to) => MONEY.has(from) && WAITING.has(to),
  (from, to) => WENT_BACK.has(from) && BACK_TO.has(to),
  (from, to) => from === 'refund' && to === 'partial_refund',
  // A dispute that was won: only the gateway's answer to our own query says so.
  (from, to, { source }) =>
    from === 'chargeback' && to === 'partial_refund' && source === 'notification',
  // A report alone never brings money after the end; if an answer does, staff are alarmed.
  (from, to, { source }) => ENDED.has(from) && MONEY.has(to) && source === 'notification',
  (from, to, { late }) => ENDED.has(from) && MONEY.has(to) && !late,
]

/** Whether a transition breaks one of these rules. */
export function breaksPlainRule(step: StepMade): boolean {
  const { object_kind, from_status, to_status } = step
  if (object_kind !== 'payment' || from_status === null) return false
  return FORBIDDEN.some((forbids) => forbids(from_status, to_status, step))
}
