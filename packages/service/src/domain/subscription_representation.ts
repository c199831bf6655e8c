import { formatMoney } from './money.ts'
import type { GatewaySubscription } from './subscription.ts'

const time = (at: Date | null): string | null => at?.toISOString() ?? null

/** The reduced form of lists (api-rules.md#lists). */
export const representSubscriptionSummary = (subscription: GatewaySubscription) => ({
  id: subscription.id,
  name: subscription.name,
  payment_type: subscription.payment_type,
  amount: formatMoney(subscription.amount),
  currency: subscription.currency,
  interval: subscription.interval,
  interval_unit: subscription.interval_unit,
  max_interval: subscription.max_interval,
  current_interval: subscription.current_interval,
  status: subscription.status,
  next_execution_at: time(subscription.next_execution_at),
  created_at: subscription.created_at.toISOString(),
})

/** The full form: everything stored that is not internal. There is no token. */
export const representSubscription = (subscription: GatewaySubscription) => ({
  ...representSubscriptionSummary(subscription),
  gateway_subscription_id: subscription.gateway_subscription_id,
  start_time: time(subscription.start_time),
  retry_interval: subscription.retry_interval,
  retry_interval_unit: subscription.retry_interval_unit,
  retry_max_interval: subscription.retry_max_interval,
  last_payment_id: subscription.last_payment_id,
  customer_first_name: subscription.customer_first_name,
  customer_last_name: subscription.customer_last_name,
  customer_email: subscription.customer_email,
  customer_phone: subscription.customer_phone,
  metadata: subscription.metadata,
  updated_at: subscription.updated_at.toISOString(),
})

export type SubscriptionRepresentation = ReturnType<typeof representSubscription>
