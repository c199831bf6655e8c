// What is true of every payment whatever the transition tables say. Written by hand and apart from
// them on purpose: a mistake in a table must not excuse itself.
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
/** Money that went back does not return under these words. */
const BACK_TO = new Set(['capture', 'settlement'])
const WENT_BACK = new Set(['partial_refund', 'refund', 'partial_chargeback', 'chargeback'])

type Rule = (from: string, to: string, step: StepMade) => boolean

/** Each says what a step must not be. */
const FORBIDDEN: readonly Rule[] = [
  (_from, to) => to === 'initiated',
  (from, to) => MONEY.has(from) && WAITING.has(to),
  (from, to) => WENT_BACK.has(from) && BACK_TO.has(to),
  (from, to) => (from === 'refund' || from === 'chargeback') && to === 'partial_refund',
  // A report is not enough to bring money after the end, and staff are told when an answer does.
  (from, to, { source }) => ENDED.has(from) && MONEY.has(to) && source === 'notification',
  (from, to, { late }) => ENDED.has(from) && MONEY.has(to) && !late,
]

/** Whether a step contradicts one of them. */
export function breaksPlainRule(step: StepMade): boolean {
  const { object_kind, from_status, to_status } = step
  if (object_kind !== 'payment' || from_status === null) return false
  return FORBIDDEN.some((forbids) => forbids(from_status, to_status, step))
}
