// The one door for what the gateway says of a subscription: the reply to its creation, a refresh, a
// sweep. Its row is locked by the caller. Notices do not come here: they are not signed (ADR 0004).
import type { GatewayOperation } from '../../domain/operation.ts'
import type { Source } from '../../domain/signals.ts'
import { nextSubscriptionCheck, type GatewaySubscription } from '../../domain/subscription.ts'
import { decideSubscriptionTransition } from '../../domain/subscription_transitions.ts'
import type { SubscriptionFacts } from '../../gateway/subscription_facts.ts'
import { listOpenOperations } from '../../store/operations/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import { planSubscriptionCheck } from '../../store/subscriptions/checks.ts'
import type { SubscriptionChange } from '../../store/subscriptions/rows.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { alarmAboutObject } from '../object_alarm.ts'
import { endCreation } from './end_creation.ts'
import { stepSubscription } from './subscription_step.ts'

interface ToldBy {
  source: Source
  /** The operation that proves it, where one does. */
  evidence_id: string | null
  /** What the time of the next check was when the gateway was asked. */
  claimed_at: Date | null
  /** What a person said who found it. */
  reason?: string
}

/** Applies what the gateway answered, plans the next question, and returns what became of it. */
export async function applySubscriptionFacts(
  tx: Tx,
  held: GatewaySubscription,
  facts: SubscriptionFacts,
  { source, evidence_id, claimed_at, reason: said }: ToldBy,
): Promise<GatewaySubscription> {
  const open = await listOpenOperations(tx, held.id)
  const { change, signal } = changeOf(held, facts, open)
  if (open.length === 0 && isEnded(held) && facts.status === 'active') await tellActive(tx, held)
  const born = held.gateway_subscription_id === null
  const record = { signal, source, evidence_id, notification_id: null }
  const reason = said ?? (isUnborn(held) ? null : 'gateway_says')
  const stepped =
    Object.keys(change).length === 0
      ? held
      : await stepSubscription(tx, held, { ...change, ...planOf(facts) }, { ...record, reason })
  const now = await readClock(tx)
  const { next_execution_at } = { ...stepped, ...planOf(facts) }
  const planned = await planSubscriptionCheck(tx, held.id, {
    claimed_at,
    next_check_at: nextSubscriptionCheck({ status: stepped.status, next_execution_at }, now),
    next_execution_at,
  })
  const after = planned ?? stepped
  // The engine ends the operation whose answer this is.
  if (born && evidence_id === null) await endCreation(tx, after, open)
  return after
}

const isUnborn = ({ status }: GatewaySubscription): boolean =>
  status === 'initiated' || status === 'failure'

const isEnded = ({ status }: GatewaySubscription): boolean =>
  status === 'disabled' || status === 'cancelled'

/** Somebody took it up again on the gateway's own pages: it charges against the caller's word. */
const tellActive = async (tx: Tx, held: GatewaySubscription): Promise<void> => {
  const about = { ...held, subject_kind: 'subscription' as const }
  await alarmAboutObject(tx, about, 'active_at_gateway', `it is ${held.status} here`)
}

const planOf = ({ next_execution_at }: SubscriptionFacts) =>
  next_execution_at === null ? {} : { next_execution_at }

/** What differs from our record and may be changed by an answer. */
function changeOf(
  held: GatewaySubscription,
  facts: SubscriptionFacts,
  open: readonly GatewayOperation[],
) {
  const change: SubscriptionChange = {}
  if (held.gateway_subscription_id === null) change.gateway_subscription_id = facts.gateway_id
  if (held.start_time === null && facts.start_time !== null) change.start_time = facts.start_time
  // While an action is under way the gateway may have answered from before it; the resolver ends it.
  if (open.some(({ kind }) => kind !== 'create_subscription')) return { change, signal: null }
  // Somebody changed it on the gateway's own pages, and that is what will be charged.
  if (facts.amount !== null && facts.amount > 0n && facts.amount !== held.amount)
    change.amount = facts.amount
  // It exists, under a word we do not know: not charged until the gateway says so in one we do.
  const status = facts.status ?? (isUnborn(held) ? 'inactive' : null)
  if (status === null) return { change, signal: null }
  const move = decideSubscriptionTransition(held.status, status, 'gateway_answer')
  if (move.kind !== 'move') return { change, signal: null }
  change.status = move.to
  return { change, signal: move.signal }
}
