import type { WireNotification } from '../../gateway/wire/notifications.ts'
import { hintSubscription } from '../../store/subscriptions/checks.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'

/**
 * Unsigned notices are hints (ADR 0004): none of their content is trusted or stored. A subscription
 * of ours that a notice names is queried soon, at most once a minute.
 */
export async function takeHint(ctx: Context, { shape, payload }: WireNotification): Promise<void> {
  if (shape !== 'subscription_created' && shape !== 'subscription_charge') return
  const { id, name } = shape === 'subscription_charge' ? payload.subscription : payload
  await withTransaction(
    ctx.db,
    async (tx) => await hintSubscription(tx, { gateway_id: id, gateway_name: name }),
  )
}
