import { gatewayError } from '../../domain/errors.ts'
import { mintSubscriptionName } from '../../domain/order_id.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { withoutSecrets } from '../../gateway/redaction.ts'
import { isObject } from '../../gateway/json.ts'
import { subscriptionFacts, type SubscriptionFacts } from '../../gateway/subscription_facts.ts'
import { newId } from '../../store/ids.ts'
import { readClock } from '../../store/settings.ts'
import { insertSubscription } from '../../store/subscriptions.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { recordWritten } from '../object_step.ts'
import { createObject, type Creation } from '../operations/create_object.ts'
import type { Outcome, Request } from '../requests.ts'
import { OPEN_CREATION } from './open_creation.ts'
import {
  parseSubscriptionOrder,
  refuseNearStart,
  type SubscriptionOrder,
} from './subscription_order.ts'
import { subscriptionRequest } from './subscription_request.ts'

/**
 * Creates a subscription at the gateway and keeps its record (api-rules.md#subscriptions). Of one
 * key, at most one is made: a second one would charge the customer for ever (ADR 0008).
 */
export async function createSubscription(
  ctx: Context,
  input: unknown,
  request: Request,
): Promise<Outcome> {
  const order = parseSubscriptionOrder(input)
  return await createObject(ctx, request, creationOf(ctx, order, request))
}

const creationOf = (
  ctx: Context,
  order: SubscriptionOrder,
  { caller }: Request,
): Creation<GatewaySubscription, SubscriptionFacts> => ({
  ...OPEN_CREATION,
  insert: async (tx) => await insertOrdered(tx, order, caller.owner_id),
  // Enough to look, never enough to charge: no token is ever on disk.
  requestOf: ({ gateway_name }) => {
    const clean = withoutSecrets(subscriptionRequest(order, gateway_name))
    return isObject(clean) ? clean : {}
  },
  send: async ({ gateway_name }, idempotency_key) => {
    const body = subscriptionRequest(order, gateway_name)
    const facts = subscriptionFacts(await ctx.gateway.createSubscription(body, { idempotency_key }))
    if (facts.name === gateway_name) return facts
    throw gatewayError('outcome_unknown', { operation: 'create_subscription' })
  },
})

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
