/**
 * The three answers of every moves table. `move`: do it. `stale`: we are past it; note it, change
 * nothing. `ask`: nothing is guessed; only what the gateway answers to our own question may be
 * applied along this pair.
 */
export type Answer = 'move' | 'stale' | 'ask'

/** Whether somebody told us, or the gateway answered our own question. */
export type Evidence = 'report' | 'gateway_answer'

export const M = 'move'
export const S = 'stale'
export const A = 'ask'

/** What the answer comes to, once it is known who says so. */
export const weigh = (answer: Answer, evidence: Evidence): Answer =>
  answer === 'ask' && evidence === 'gateway_answer' ? 'move' : answer
