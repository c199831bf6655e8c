// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { SubscriptionStatus } from './unions.ts'

export interface SubscriptionSummary {
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
}
