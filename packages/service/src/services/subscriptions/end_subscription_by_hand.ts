import { formatMoney } from '../../domain/money.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { subscriptionFacts, type SubscriptionFacts } from '../../gateway/subscription_facts.ts'
import { checkSubscriptionSoon } from '../../store/subscription_checks.ts'
import type { Context } from '../context.ts'
import type { DueOperation, HandOrder } from '../operations/due.ts'
import { endChangeByHand, endCreationByHand } from '../operations/end_object_by_hand.ts'
import { OPEN_CREATION } from './open_creation.ts'
import { SUBSCRIPTION_CHANGES } from './resolve_subscription.ts'

/** Ends an operation on a subscription in a person's name. */
export async function endSubscriptionByHand(
  ctx: Context,
  due: DueOperation,
  order: HandOrder,
): Promise<void> {
  const change = SUBSCRIPTION_CHANGES[due.operation.kind]
  if (change !== undefined) {
    await endChangeByHand(ctx, due, order, change)
    return
  }
  await endCreationByHand(ctx, due, order, {
    creation: { ...OPEN_CREATION, made },
    ask: async (gateway_id) => subscriptionFacts(await ctx.gateway.getSubscription(gateway_id)),
    differs,
    // A notice or a cycle that names it is the sync's to follow (ADR 0008).
    discover: () => Promise.resolve(undefined),
  })
}

/** It may have charged for days before somebody found it: the sync makes payments of its cycles. */
const made: typeof OPEN_CREATION.made = async (tx, held, facts, attempt) => {
  const after = await OPEN_CREATION.made(tx, held, facts, attempt)
  await checkSubscriptionSoon(tx, held.id)
  return after
}

/** The name was minted for it alone, and it charges what we asked it to. */
function differs(subscription: GatewaySubscription, facts: SubscriptionFacts): string | undefined {
  const { gateway_name, amount } = subscription
  if (facts.name !== gateway_name) return `there it is called ${facts.name}, not ${gateway_name}`
  if (facts.amount === amount) return undefined
  const charged = facts.amount === null ? 'no amount' : formatMoney(facts.amount)
  return `there it charges ${charged}, not ${formatMoney(amount)}`
}
