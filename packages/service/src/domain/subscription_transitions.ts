import { A, M, S, weigh, type Answer, type Evidence } from './answer.ts'
import type { SubscriptionSignal } from './signals.ts'
import type { SubscriptionStatus } from './subscription.ts'

export type ReportedSubscriptionStatus = 'failure' | 'active' | 'inactive'

type Row = Readonly<Record<ReportedSubscriptionStatus, Answer>>

function row(...[failure, active, inactive]: [Answer, Answer, Answer]): Row {
  return { failure, active, inactive }
}

/**
 * Notices about subscriptions carry no signature, so a report alone moves nothing but a creation's
 * own reply; `get_subscription` decides (ADR 0004). What the caller disabled or cancelled stays so,
 * whatever the gateway calls it: there both are `inactive` (ADR 0012).
 * Columns: failure, active, inactive.
 */
const SUBSCRIPTION_TRANSITIONS: Readonly<Record<SubscriptionStatus, Row>> = {
  initiated: row(M, M, M),
  failure: row(S, A, A),
  active: row(S, S, A),
  inactive: row(S, A, S),
  disabled: row(S, S, S),
  cancelled: row(S, S, S),
}

export type SubscriptionDecision =
  | { kind: 'move'; to: SubscriptionStatus; signal: SubscriptionSignal | null }
  | { kind: 'stale' | 'ask' }

/** What the gateway's word about a subscription leads to. */
export function decideSubscriptionTransition(
  from: SubscriptionStatus,
  to: ReportedSubscriptionStatus,
  evidence: Evidence,
): SubscriptionDecision {
  const answer = weigh(SUBSCRIPTION_TRANSITIONS[from][to], evidence)
  if (answer !== 'move') return { kind: answer }
  // One thought refused and found to exist was never told of.
  const created = (from === 'initiated' || from === 'failure') && to !== 'failure'
  return { kind: 'move', to, signal: created ? 'subscription_created' : null }
}

export const SUBSCRIPTION_ACTIONS = ['disable', 'enable', 'cancel'] as const

export type SubscriptionAction = (typeof SUBSCRIPTION_ACTIONS)[number]

interface ActionRow {
  from: readonly SubscriptionStatus[]
  to: SubscriptionStatus
  signal: SubscriptionSignal | null
}

/** What a caller may do, from where, and what it tells. Cancelled is for ever. */
export const SUBSCRIPTION_ACTION: Readonly<Record<SubscriptionAction, ActionRow>> = {
  disable: { from: ['active'], to: 'disabled', signal: 'subscription_disabled' },
  enable: { from: ['disabled'], to: 'active', signal: null },
  cancel: {
    from: ['active', 'inactive', 'disabled'],
    to: 'cancelled',
    signal: 'subscription_cancelled',
  },
}

export const isSubscriptionAction = (name: string): name is SubscriptionAction =>
  SUBSCRIPTION_ACTIONS.some((action) => action === name)

/** Where what it charges may be changed: anywhere but before it exists and after its end. */
export const SUBSCRIPTION_UPDATE_FROM: readonly SubscriptionStatus[] = [
  'active',
  'inactive',
  'disabled',
]
