// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { SubscriptionStatus } from './unions.ts'

export interface Subscription {
  id: Uuid
  name: string
  payment_type: 'credit_card' | 'gopay'
  amount: Money
  currency: string
  interval: number
  interval_unit: 'day' | 'week' | 'month'
  max_interval: number | null
  current_interval: number
  status: SubscriptionStatus
  next_execution_at: Timestamp | null
  created_at: Timestamp
  gateway_subscription_id: string | null
  start_time: Timestamp | null
  retry_interval: number | null
  retry_interval_unit: 'minute' | 'hour' | 'day' | null
  retry_max_interval: number | null
  last_payment_id: Uuid | null
  customer_first_name: string | null
  customer_last_name: string | null
  customer_email: string | null
  customer_phone: string | null
  metadata: Record<string, unknown>
  updated_at: Timestamp
}
