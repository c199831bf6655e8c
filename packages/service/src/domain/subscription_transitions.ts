import { A, M, S, weigh, type Answer, type Evidence } from './answer.ts'
import type { SubscriptionSignal } from './signals.ts'
import type { SubscriptionStatus } from './subscription.ts'

export type ReportedSubscriptionStatus = 'failure' | 'active' | 'inactive'

type Row = Readonly<Record<ReportedSubscriptionStatus, Answer>>

function row(...[failure, active, inactive]: [Answer, Answer, Answer]): Row {
  return { failure, active, inactive }
}

/**
 * Notices about subscriptions are not signed, so a report alone makes no transition except by the
 * reply to the creation; `get_subscription` decides (ADR 0004). What the caller disabled or
 * cancelled stays so: at the gateway both are `inactive` (ADR 0012).
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

/** Decides about the gateway's report on a subscription. */
export function decideSubscriptionTransition(
  from: SubscriptionStatus,
  to: ReportedSubscriptionStatus,
  evidence: Evidence,
): SubscriptionDecision {
  const answer = weigh(SUBSCRIPTION_TRANSITIONS[from][to], evidence)
  if (answer !== 'move') return { kind: answer }
  return { kind: 'move', to, signal: signalFor(from, to) }
}

function signalFor(
  from: SubscriptionStatus,
  to: ReportedSubscriptionStatus,
): SubscriptionSignal | null {
  // A subscription that was taken for refused and exists has emitted no event yet.
  if (from === 'initiated' || from === 'failure')
    return to === 'failure' ? null : 'subscription_created'
  // The gateway charges no more: its retries or its cycles are used up, or staff paused it there.
  return from === 'active' && to === 'inactive' ? 'subscription_disabled' : null
}

export const SUBSCRIPTION_ACTIONS = ['disable', 'enable', 'cancel'] as const

export type SubscriptionAction = (typeof SUBSCRIPTION_ACTIONS)[number]

interface ActionRow {
  from: readonly SubscriptionStatus[]
  to: SubscriptionStatus
  signal: SubscriptionSignal | null
}

/** The actions of a caller: from which statuses, to which, and the signal. Cancelled is final. */
export const SUBSCRIPTION_ACTION: Readonly<Record<SubscriptionAction, ActionRow>> = {
  disable: { from: ['active'], to: 'disabled', signal: 'subscription_disabled' },
  // The gateway calls both inactive, and accepts it for both (ADR 0012).
  enable: { from: ['disabled', 'inactive'], to: 'active', signal: null },
  cancel: {
    from: ['active', 'inactive', 'disabled'],
    to: 'cancelled',
    signal: 'subscription_cancelled',
  },
}

export const isSubscriptionAction = (name: string): name is SubscriptionAction =>
  SUBSCRIPTION_ACTIONS.some((action) => action === name)

/** The statuses in which it may be updated: once it exists and before its end. */
export const SUBSCRIPTION_UPDATE_FROM: readonly SubscriptionStatus[] = [
  'active',
  'inactive',
  'disabled',
]
