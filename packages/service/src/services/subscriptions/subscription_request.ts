import { toWholeRupiah, type Money } from '../../domain/money.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { formatGatewayTime } from '../../domain/time.ts'
import type { SubscriptionRequest, SubscriptionUpdate } from '../../gateway/wire/subscriptions.ts'
import type { SubscriptionChanges, SubscriptionOrder } from './subscription_order.ts'

/**
 * A string without decimals here, unlike everywhere else
 * (gateway-protocol.md#creating-a-subscription).
 */
const whole = (amount: Money): string => String(toWholeRupiah(amount))

/**
 * The body to send. Its name is the generated one, so that every cycle's order id begins with it.
 */
export function subscriptionRequest(
  order: SubscriptionOrder,
  gateway_name: string,
): SubscriptionRequest {
  const { max_interval, start_time, gopay, customer_details, metadata } = order
  return {
    name: gateway_name,
    amount: whole(order.amount),
    currency: 'IDR',
    payment_type: order.payment_type,
    token: order.token,
    schedule: {
      interval: order.interval,
      interval_unit: order.interval_unit,
      ...(max_interval !== undefined && { max_interval }),
      ...(start_time !== null && { start_time: formatGatewayTime(start_time) }),
    },
    retry_schedule: {
      interval: order.retry_interval,
      interval_unit: order.retry_interval_unit,
      max_interval: order.retry_max_interval,
    },
    ...(metadata && { metadata }),
    ...(customer_details && { customer_details }),
    ...(gopay && { gopay }),
  }
}

/**
 * The body of an update: everything the gateway requires again, and the changed part of the
 * schedules. The token was read from the gateway a moment ago and is never stored (ADR 0019).
 */
export function updateRequest(
  subscription: GatewaySubscription,
  changes: SubscriptionChanges,
  { token, amount, account_id }: { token: string; amount: Money; account_id: string | null },
): SubscriptionUpdate {
  const { interval } = changes
  const retry_schedule = retriesOf(subscription, changes)
  return {
    name: subscription.gateway_name,
    amount: whole(changes.amount ?? amount),
    currency: 'IDR',
    token,
    ...(interval !== undefined && { schedule: { interval } }),
    ...(retry_schedule && { retry_schedule }),
    ...(account_id !== null && { gopay: { account_id } }),
  }
}

/** All retry fields if any of them changes: the gateway takes them together. */
function retriesOf(subscription: GatewaySubscription, changes: SubscriptionChanges) {
  const { retry_interval, retry_interval_unit, retry_max_interval } = changes
  const changed = retry_interval ?? retry_interval_unit ?? retry_max_interval
  if (changed === undefined) return undefined
  const {
    retry_interval: interval,
    retry_interval_unit: unit,
    retry_max_interval: max,
  } = {
    ...subscription,
    ...changes,
  }
  return { interval: interval ?? 1, interval_unit: unit ?? 'hour', max_interval: max ?? 0 }
}
