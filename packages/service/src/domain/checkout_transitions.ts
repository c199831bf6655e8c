import { M, S, type Answer } from './answer.ts'
import type { CheckoutStatus } from './checkout.ts'
import type { CheckoutSignal } from './signals.ts'

export type NextCheckoutStatus = Exclude<CheckoutStatus, 'initiated'>

type Row = Readonly<Record<NextCheckoutStatus, Answer>>
type Cells = [Answer, Answer, Answer, Answer, Answer]

function row(...[failure, open, completed, expired, cancelled]: Cells): Row {
  return { failure, open, completed, expired, cancelled }
}

/**
 * A page changes by the answer to our own call, by our clock, and by a payment that the payment's own
 * transition table accepted; nothing else reports about it, so no pair is asked about.
 * Columns: failure, open, completed, expired, cancelled.
 */
const CHECKOUT_TRANSITIONS: Readonly<Record<CheckoutStatus, Row>> = {
  initiated: row(M, M, M, S, S),
  // A page that was given up is never opened again: another page may have its order id.
  failure: row(S, S, M, S, S),
  open: row(S, S, M, M, M),
  completed: row(S, S, S, S, S),
  expired: row(S, S, M, S, S),
  cancelled: row(S, S, M, S, S),
}

export type CheckoutDecision =
  | {
      kind: 'move'
      to: NextCheckoutStatus
      signal: CheckoutSignal | null
      surprise: 'late_money' | null
    }
  | { kind: 'stale' }

/** Decides about a change of a page. Repeated and late ones are values, not exceptions. */
export function decideCheckoutTransition(
  from: CheckoutStatus,
  to: NextCheckoutStatus,
): CheckoutDecision {
  if (CHECKOUT_TRANSITIONS[from][to] !== 'move') return { kind: 'stale' }
  const late = to === 'completed' && from !== 'open' && from !== 'initiated'
  return { kind: 'move', to, signal: SIGNAL[to], surprise: late ? 'late_money' : null }
}

const SIGNAL: Readonly<Record<NextCheckoutStatus, CheckoutSignal | null>> = {
  failure: null,
  open: 'checkout_created',
  completed: 'checkout_completed',
  expired: 'checkout_expired',
  cancelled: 'checkout_cancelled',
}
