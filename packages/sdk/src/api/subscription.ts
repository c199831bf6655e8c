// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { SubscriptionStatus } from './unions.ts'

export interface Subscription {
  /** The id of the subscription. */
  id: Uuid
  /** The name of the subscription. */
  name: string
  /** The payment method of every cycle. */
  payment_type: 'credit_card' | 'gopay'
  /** The amount of one cycle, in rupiah with two decimals. */
  amount: Money
  /** The currency; always `IDR`. */
  currency: string
  /** How many interval units one cycle lasts. */
  interval: number
  /** The unit of the interval. */
  interval_unit: 'day' | 'week' | 'month'
  /** How many cycles there are to be; null: until it is cancelled. */
  max_interval: number | null
  /** How many cycles were paid. */
  current_interval: number
  /**
   * The gateway's `active` or `inactive`, or a status of ours, which a refresh does not
   * overwrite.
   */
  status: SubscriptionStatus
  /** When the gateway charges the next cycle. */
  next_execution_at: Timestamp | null
  /** When the subscription was created here. */
  created_at: Timestamp
  /** The gateway's id of the subscription; null until it has answered. */
  gateway_subscription_id: string | null
  /** When the first cycle is charged. */
  start_time: Timestamp | null
  /** How many retry units the gateway waits before a retry. */
  retry_interval: number | null
  /** The unit of the retry interval. */
  retry_interval_unit: 'minute' | 'hour' | 'day' | null
  /** How often the gateway retries a cycle that failed. */
  retry_max_interval: number | null
  /** The payment of the latest cycle. */
  last_payment_id: Uuid | null
  /** The first name of the customer. */
  customer_first_name: string | null
  /** The last name of the customer. */
  customer_last_name: string | null
  /** The email address of the customer. */
  customer_email: string | null
  /** The phone number of the customer. */
  customer_phone: string | null
  /** Your own data, stored as it was given. */
  metadata: Record<string, unknown>
  /** When the subscription last changed here. */
  updated_at: Timestamp
}
