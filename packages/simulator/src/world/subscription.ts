import type { Fields } from '../wire/fields.ts'

/** Cycles count in days or longer, retries in days or shorter. */
export type IntervalUnit = 'minute' | 'hour' | 'day' | 'week' | 'month'

/** A subscription of the merchant, charged by the clock. */
export interface Subscription {
  id: string
  name: string
  amount: number
  token: string
  payment_type: 'credit_card' | 'gopay'
  account_id: string | undefined
  /**
   * The gateway has no other statuses: disabled, cancelled and failed all read inactive
   * (gateway-protocol.md#subscription-statuses).
   */
  status: 'active' | 'inactive'
  cancelled: boolean
  created_at: number
  interval: number
  interval_unit: IntervalUnit
  /** Nothing means endless, 0 once (gateway-protocol.md#subscription-schedules). */
  max_interval: number | undefined
  current_interval: number
  start_at: number
  previous_execution_at: number | undefined
  next_execution_at: number
  retry: { interval: number; interval_unit: IntervalUnit; max_interval: number }
  retries_made: number
  /** When a failed cycle is tried again; a retry brought forward leaves nothing to do then. */
  retry_at: number | undefined
  /**
   * An interval that was changed holds only from the execution after the next
   * (gateway-protocol.md#updating-a-subscription).
   */
  next_interval: number | undefined
  transaction_ids: string[]
  /** What the merchant changed, in order; a call that changed nothing is not among them. */
  changes: { at: number; change: 'disable' | 'enable' | 'cancel' }[]
  metadata: Fields | undefined
  customer_details: Fields | undefined
}
