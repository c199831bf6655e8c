// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { SubscriptionStatus } from './unions.ts'

export interface SubscriptionSummary {
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
}
