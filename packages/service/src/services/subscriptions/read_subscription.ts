import type { Caller } from '../../domain/caller.ts'
import { findSubscription } from '../../store/subscriptions/rows.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { representSubscription, type SubscriptionRepresentation } from './representation.ts'

/** A subscription of the caller; undefined if it is missing or another owner's. */
export async function readSubscription(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<SubscriptionRepresentation | undefined> {
  const subscription = await withReadTransaction(
    ctx.db,
    async (tx) => await findSubscription(tx, caller, id),
  )
  if (subscription === undefined) return undefined
  await recordRead(ctx, caller, 'subscription.read', subscription)
  return representSubscription(subscription)
}
