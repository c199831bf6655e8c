import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import { withoutSecrets } from '../../gateway/redaction.ts'
import { findSubscription } from '../../store/subscriptions/rows.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import {
  representSubscription,
  type SubscriptionRepresentation,
} from '../subscriptions/representation.ts'
import { refreshSubscription } from './refresh_subscription.ts'

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
