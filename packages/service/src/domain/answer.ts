/**
 * The three answers of every transition table. `move`: make the transition. `stale`: the object is
 * past it; record the report, change nothing. `ask`: only the gateway's answer to our own query may
 * make this transition.
 */
export type Answer = 'move' | 'stale' | 'ask'

/** Whether it was reported to us, or the gateway answered our own query. */
export type Evidence = 'report' | 'gateway_answer'

/** For so long after a change the gateway may still answer with what was before, as from a replica. */
export const ANSWERS_LATE_MS = 60_000

export const M = 'move'
export const S = 'stale'
export const A = 'ask'

/** The decision, once the evidence is known. */
export const weigh = (answer: Answer, evidence: Evidence): Answer =>
  answer === 'ask' && evidence === 'gateway_answer' ? 'move' : answer
