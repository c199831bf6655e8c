// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { AmountInput } from '../values.ts'

export interface SubscriptionInput {
  /** 1 to 255 characters. */
  name: string
  amount: AmountInput
  payment_type: 'credit_card' | 'gopay'
  /** 1 to 1000 characters. */
  token: string
  /** 1 to 1000. */
  interval?: number
  interval_unit?: 'day' | 'week' | 'month'
  /** 1 to 10000. */
  max_interval?: number
  /** 1 to 40 characters. */
  start_time?: string
  /** 1 to 1000. */
  retry_interval?: number
  retry_interval_unit?: 'minute' | 'hour' | 'day'
  /** 0 to 3. */
  retry_max_interval?: number
  gopay?: SubscriptionInputGopay
  customer_details?: SubscriptionInputCustomerDetails
  metadata?: Record<string, unknown>
}

export interface SubscriptionInputGopay {
  /** 1 to 255 characters. */
  account_id: string
}

export interface SubscriptionInputCustomerDetails {
  /** 1 to 255 characters. */
  first_name?: string
  /** 1 to 255 characters. */
  last_name?: string
  /** 1 to 255 characters. */
  email?: string
  /** 1 to 255 characters. */
  phone?: string
}
