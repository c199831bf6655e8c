// The reply to a creation, refreshes and sweeps all apply reports about a subscription here. The
// caller has locked the row. Notices do not come here: they are not signed (ADR 0004).
import { ANSWERS_LATE_MS } from '../../domain/answer.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { Source } from '../../domain/signals.ts'
import { nextSubscriptionCheck, type GatewaySubscription } from '../../domain/subscription.ts'
import { decideSubscriptionTransition } from '../../domain/subscription_transitions.ts'
import type { SubscriptionFacts } from '../../gateway/subscription_facts.ts'
import { onClock, readClock } from '../../store/connection/settings.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { listTransitions } from '../../store/events/history.ts'
import { listOpenOperations } from '../../store/operations/rows.ts'
import { checkSubscriptionSoon, planSubscriptionCheck } from '../../store/subscriptions/checks.ts'
import type { SubscriptionChange } from '../../store/subscriptions/rows.ts'
import { alarmAboutObject } from '../object_step.ts'
import { endCreation, stepSubscription } from './subscription_step.ts'

interface SubscriptionProvenance {
  source: Source
  /** The operation that proves it, if one does. */
  evidence_id: string | null
  /** The time of the next check when the gateway was queried. */
  claimed_at: Date | null
  /** The reason that a staff member gave, if one found it. */
  reason?: string
  /** When the gateway was queried, as `performance.now()` said. Default: just now. */
  asked_at?: number
}

/** Applies the gateway's answer, plans the next query, and returns the subscription after it. */
export async function applySubscriptionFacts(
  tx: Tx,
  held: GatewaySubscription,
  facts: SubscriptionFacts,
  { source, evidence_id, claimed_at, reason: said, asked_at }: SubscriptionProvenance,
): Promise<GatewaySubscription> {
  const open = await listOpenOperations(tx, held.id)
  const now = await readClock(tx)
  const too_soon = await followsOurChange(tx, held, onClock(now, asked_at))
  const { change, signal } = changeOf(held, facts, { open, too_soon })
  if (!too_soon && open.length === 0 && isEnded(held) && facts.status === 'active')
    await alarmActive(tx, held)
  const born = held.gateway_subscription_id === null
  const record = { signal, source, evidence_id, notification_id: null }
  const reason = said ?? (isUnborn(held) ? null : 'gateway_says')
  const stepped =
    Object.keys(change).length === 0
      ? held
      : await stepSubscription(tx, held, { ...change, ...planOf(facts) }, { ...record, reason })
  const { next_execution_at } = { ...stepped, ...planOf(facts) }
  const planned = await planSubscriptionCheck(tx, held.id, {
    claimed_at,
    next_check_at: nextSubscriptionCheck({ status: stepped.status, next_execution_at }, now),
    next_execution_at,
  })
  const after = planned ?? stepped
  if (too_soon) await checkSubscriptionSoon(tx, held.id)
  // The engine ends the operation whose answer this is, unless a cycle has ended it.
  if (born && (evidence_id === null || !isUnborn(held))) await endCreation(tx, after, open)
  return after
}

const isUnborn = ({ status }: GatewaySubscription): boolean =>
  status === 'initiated' || status === 'failure'

const isEnded = ({ status }: GatewaySubscription): boolean =>
  status === 'disabled' || status === 'cancelled'

/** It was resumed on the gateway's own pages: it charges although the caller stopped it. */
const alarmActive = async (tx: Tx, held: GatewaySubscription): Promise<void> => {
  const about = { ...held, subject_kind: 'subscription' as const }
  await alarmAboutObject(tx, about, 'active_at_gateway', `it is ${held.status} here`)
}

const planOf = ({ next_execution_at }: SubscriptionFacts) =>
  next_execution_at === null ? {} : { next_execution_at }

const OUR_CHANGES: ReadonlySet<Source> = new Set(['action', 'resolver', 'staff'])

/** Whether the gateway was asked so soon after a change of our own that its answer may be older. */
async function followsOurChange(tx: Tx, held: GatewaySubscription, asked: Date): Promise<boolean> {
  if (isUnborn(held)) return false
  const last = (await listTransitions(tx, held.id)).at(-1)
  if (last === undefined || !OUR_CHANGES.has(last.source) || last.from_status === 'initiated')
    return false
  return asked.getTime() - last.occurred_at.getTime() < ANSWERS_LATE_MS
}

/** What differs from our record and may be changed by an answer. */
function changeOf(
  held: GatewaySubscription,
  facts: SubscriptionFacts,
  { open, too_soon }: { open: readonly GatewayOperation[]; too_soon: boolean },
) {
  const change: SubscriptionChange = {}
  if (held.gateway_subscription_id === null) change.gateway_subscription_id = facts.gateway_id
  if (held.start_time === null && facts.start_time !== null) change.start_time = facts.start_time
  // While an action is under way the answer may predate it; the resolver ends the action.
  if (too_soon || open.some(({ kind }) => kind !== 'create_subscription'))
    return { change, signal: null }
  // It was changed on the gateway's own pages, and that amount will be charged.
  if (facts.amount !== null && facts.amount > 0n && facts.amount !== held.amount)
    change.amount = facts.amount
  // It exists with an unknown status: inactive until the gateway reports a known one.
  const status = facts.status ?? (isUnborn(held) ? 'inactive' : null)
  if (status === null) return { change, signal: null }
  const move = decideSubscriptionTransition(held.status, status, 'gateway_answer')
  if (move.kind !== 'move') return { change, signal: null }
  change.status = move.to
  return { change, signal: move.signal }
}
