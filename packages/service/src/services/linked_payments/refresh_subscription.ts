import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { withoutSecrets } from '../../gateway/redaction.ts'
import { subscriptionFacts, type SubscriptionFacts } from '../../gateway/subscription_facts.ts'
import type { SubscriptionReply } from '../../gateway/wire/subscriptions.ts'
import { withTransaction, withReadTransaction } from '../../store/connection/transaction.ts'
import { checkSubscriptionSoon, type DueSubscription } from '../../store/subscriptions/checks.ts'
import { lockSubscription, findSubscription } from '../../store/subscriptions/rows.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { lockExisting } from '../operations/operation_type.ts'
import { applySubscriptionFacts } from '../subscriptions/apply_subscription_facts.ts'
import {
  representSubscription,
  type SubscriptionRepresentation,
} from '../../domain/subscription_representation.ts'
import { mirrorCycles, type Mirroring } from './mirror_payments.ts'

const SUBSCRIPTION_LOCK = { subject_kind: 'subscription', lock: lockSubscription } as const

/** How often a query is repeated because the subscription changed while it was under way. */
const ASKS_MAX = 3

interface Refreshed {
  subscription: GatewaySubscription
  reply: SubscriptionReply
}

/**
 * Queries the gateway about a subscription, creates payments for the cycles it lists, and applies
 * the rest of the answer if the subscription has not changed; otherwise queries again.
 */
export async function refreshSubscription(
  ctx: Context,
  due: DueSubscription,
  mirroring: Mirroring,
): Promise<Refreshed> {
  let asked: GatewaySubscription = due
  const id = due.gateway_subscription_id ?? due.hinted_id
  if (id === null) throw gatewayError('gateway_not_found', { operation: 'get_subscription' })
  for (let round = 1; ; round++) {
    const asked_at = performance.now()
    const reply = await ctx.gateway.getSubscription(id)
    const facts = subscriptionFacts(reply)
    // A hint may name a subscription that is not ours: only one with our generated name is
    // accepted.
    if (asked.gateway_subscription_id === null && facts.name !== asked.gateway_name) {
      throw gatewayError('gateway_not_found', { operation: 'get_subscription' })
    }
    const whole = await mirrorCycles(ctx, asked, facts, mirroring)
    const { source } = mirroring
    const claimed_at = due.next_check_at
    const applied = await apply(ctx, asked, facts, { source, whole, claimed_at, asked_at })
    if (applied.fresh || round === ASKS_MAX) return { subscription: applied.subscription, reply }
    asked = applied.subscription
  }
}

interface Applying extends Pick<Mirroring, 'source'> {
  /** Whether every cycle the gateway lists is known. */
  whole: boolean
  claimed_at: Date | null
  asked_at: number
}

const apply = async (
  ctx: Context,
  asked: GatewaySubscription,
  facts: SubscriptionFacts,
  { source, whole, claimed_at, asked_at }: Applying,
): Promise<{ fresh: boolean; subscription: GatewaySubscription }> =>
  await withTransaction(ctx.db, async (tx) => {
    const held = await lockExisting(tx, SUBSCRIPTION_LOCK, asked.id)
    // An answer to a query about an older version may predate an action of ours.
    if (held.version !== asked.version && held.gateway_subscription_id !== null) {
      return { fresh: false, subscription: held }
    }
    const provenance = { source, evidence_id: null, claimed_at, asked_at }
    const subscription = await applySubscriptionFacts(tx, held, facts, provenance)
    if (!whole) await checkSubscriptionSoon(tx, held.id)
    return { fresh: true, subscription }
  })

export interface SubscriptionChecked {
  subscription: SubscriptionRepresentation
  /** Without its token. */
  gateway_response: unknown
}

const AT_ONCE = async (): Promise<void> => {}

/** Refreshes a subscription of the caller from the gateway. Undefined if it is not the caller's. */
export async function getSubscriptionStatus(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<SubscriptionChecked | undefined> {
  const found = await withReadTransaction(ctx.db, (tx) => findSubscription(tx, caller, id))
  if (found === undefined) return undefined
  await recordRead(ctx, caller, 'subscription.check_status', found)
  // Its creation has no answer yet, so there is no gateway id to query.
  if (found.gateway_subscription_id === null) {
    throw gatewayError('gateway_not_found', { operation: 'get_subscription' })
  }
  const { subscription, reply } = await refreshSubscription(
    ctx,
    { ...found, hinted_id: null },
    { source: 'check_status', take: AT_ONCE },
  )
  return {
    subscription: representSubscription(subscription),
    gateway_response: withoutSecrets(reply),
  }
}
