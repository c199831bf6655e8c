import type { Money } from './money.ts'
import type { Metadata } from './payment.ts'

/** The gateway knows `active` and `inactive`; the others are ours and outlive a sync (D-27). */
export const SUBSCRIPTION_STATUSES = [
  'initiated',
  'failure',
  'active',
  'inactive',
  'disabled',
  'cancelled',
] as const

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

export const SUBSCRIPTION_PAYMENT_TYPES = ['credit_card', 'gopay'] as const

export type SubscriptionPaymentType = (typeof SUBSCRIPTION_PAYMENT_TYPES)[number]

export const INTERVAL_UNITS = ['day', 'week', 'month'] as const

export type IntervalUnit = (typeof INTERVAL_UNITS)[number]

export const RETRY_INTERVAL_UNITS = ['minute', 'hour', 'day'] as const

export type RetryIntervalUnit = (typeof RETRY_INTERVAL_UNITS)[number]

/** No token: it is sent on creation, and read again from the gateway where an update needs it. */
export interface GatewaySubscription {
  id: string
  owner_id: string
  gateway_subscription_id: string | null
  name: string
  /** Minted for the gateway; the beginning of every cycle's order id. */
  gateway_name: string
  payment_type: SubscriptionPaymentType
  amount: Money
  currency: string
  interval: number
  interval_unit: IntervalUnit
  max_interval: number | null
  current_interval: number
  start_time: Date | null
  next_execution_at: Date | null
  retry_interval: number | null
  retry_interval_unit: RetryIntervalUnit | null
  retry_max_interval: number | null
  status: SubscriptionStatus
  customer_first_name: string | null
  customer_last_name: string | null
  customer_email: string | null
  customer_phone: string | null
  metadata: Metadata
  version: number
  next_check_at: Date | null
  created_at: Date
  updated_at: Date
}
