// Disable, enable, cancel and update, as callers request them.
import { gatewayError } from '../../domain/errors.ts'
import { formatMoney } from '../../domain/money.ts'
import {
  SUBSCRIPTION_ACTION,
  SUBSCRIPTION_UPDATE_FROM,
  type SubscriptionAction,
} from '../../domain/subscription_transitions.ts'
import type { Context } from '../context.ts'
import { changeObject } from '../operations/prepare.ts'
import type { Outcome, Request } from '../requests.ts'
import { gatewayIdOf, SUBSCRIPTION_OPERATIONS } from './operations.ts'
import { parseSubscriptionChanges } from './subscription_order.ts'

const perform =
  (action: SubscriptionAction) =>
  async (ctx: Context, request: Request, id: string): Promise<Outcome> =>
    await changeObject(ctx, request, {
      type: SUBSCRIPTION_OPERATIONS[`${action}_subscription`],
      id,
      kept: {},
      check: (subscription) => {
        const allowed = SUBSCRIPTION_ACTION[action].from.includes(subscription.status)
        if (!allowed) throw gatewayError('subscription_action_refused')
        gatewayIdOf(subscription)
      },
    })

/** Stops the charges of a subscription; it can be enabled again. */
export const disableSubscription = perform('disable')
/** Resumes a subscription that was disabled. */
export const enableSubscription = perform('enable')
/** Ends a subscription for good, with the retries that are waiting. */
export const cancelSubscription = perform('cancel')

/**
 * Changes what a subscription charges, how often, and how a failed charge is retried. The caller's
 * name for it changes here only: the gateway keeps the minted one, by which cycles name it
 * (ADR 0012).
 */
export async function updateSubscription(
  ctx: Context,
  request: Request,
  id: string,
  input: unknown,
): Promise<Outcome> {
  const { amount, ...rest } = parseSubscriptionChanges(input)
  return await changeObject(ctx, request, {
    type: SUBSCRIPTION_OPERATIONS.update_subscription,
    id,
    kept: { ...rest, ...(amount !== undefined && { amount: formatMoney(amount) }) },
    check: (subscription) => {
      if (!SUBSCRIPTION_UPDATE_FROM.includes(subscription.status))
        throw gatewayError('subscription_action_refused')
      gatewayIdOf(subscription)
    },
  })
}
