// Create, disable, enable, cancel and update, as callers request them.
import { gatewayError } from '../../domain/errors.ts'
import { formatMoney } from '../../domain/money.ts'
import { mintSubscriptionName } from '../../domain/order_id.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import {
  SUBSCRIPTION_ACTION,
  SUBSCRIPTION_UPDATE_FROM,
  type SubscriptionAction,
} from '../../domain/subscription_transitions.ts'
import { isObject } from '../../gateway/json.ts'
import { withoutSecrets } from '../../gateway/redaction.ts'
import { readClock } from '../../store/connection/settings.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { newId } from '../../store/sql/values.ts'
import { insertSubscription } from '../../store/subscriptions/rows.ts'
import type { Context } from '../context.ts'
import { recordWritten } from '../object_step.ts'
import { createObject, changeObject } from '../operations/prepare.ts'
import type { Outcome, Request, Why } from '../requests.ts'
import { SUBSCRIPTION_OPERATIONS, gatewayIdOf } from './operations.ts'
import type { SubscriptionRepresentation } from '../../domain/subscription_representation.ts'
import {
  parseSubscriptionOrder,
  refuseNearStart,
  type SubscriptionOrder,
  parseSubscriptionChanges,
} from './subscription_order.ts'
import { subscriptionRequest } from './subscription_request.ts'

/**
 * Creates a subscription at the gateway and stores it. One key creates at most one: a second would
 * charge the customer again at every cycle.
 */
export async function createSubscription(
  ctx: Context,
  input: unknown,
  request: Request,
): Promise<Outcome<SubscriptionRepresentation>> {
  const order = parseSubscriptionOrder(input)
  const inputFor = ({ gateway_name }: GatewaySubscription) =>
    subscriptionRequest(order, gateway_name)
  return await createObject(ctx, request, {
    type: SUBSCRIPTION_OPERATIONS.create_subscription,
    insert: async (tx) => await insertOrdered(tx, order, request.caller.owner_id),
    // Enough to query, never enough to charge: tokens are never stored.
    kept: (subscription) => {
      const clean = withoutSecrets(inputFor(subscription))
      return isObject(clean) ? clean : {}
    },
    inputFor,
  })
}

async function insertOrdered(tx: Tx, order: SubscriptionOrder, owner_id: string) {
  refuseNearStart(order, await readClock(tx))
  const { first_name, last_name, email, phone } = order.customer_details ?? {}
  const id = newId()
  const subscription = await insertSubscription(tx, {
    id,
    owner_id,
    name: order.name,
    gateway_name: mintSubscriptionName(order.name, id),
    payment_type: order.payment_type,
    amount: order.amount,
    currency: 'IDR',
    interval: order.interval,
    interval_unit: order.interval_unit,
    max_interval: order.max_interval ?? null,
    start_time: order.start_time,
    retry_interval: order.retry_interval,
    retry_interval_unit: order.retry_interval_unit,
    retry_max_interval: order.retry_max_interval,
    customer_first_name: first_name ?? null,
    customer_last_name: last_name ?? null,
    customer_email: email ?? null,
    customer_phone: phone ?? null,
    metadata: order.metadata ?? {},
  })
  if (subscription === undefined) throw new Error(`subscription ${id} was not written`)
  const { status: to_status } = subscription
  const written = { object_kind: 'subscription', object: subscription, to_status } as const
  await recordWritten(tx, written, { source: 'action' })
  return subscription
}

const perform =
  (action: SubscriptionAction) =>
  async (
    ctx: Context,
    request: Request,
    id: string,
    why: Why = {},
  ): Promise<Outcome<SubscriptionRepresentation>> =>
    await changeObject(ctx, request, {
      type: SUBSCRIPTION_OPERATIONS[`${action}_subscription`],
      id,
      kept: why,
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
): Promise<Outcome<SubscriptionRepresentation>> {
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
