// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { AmountInput } from '../values.ts'

export interface SubscriptionInput {
  /** The name of the subscription. 1 to 255 characters. */
  name: string
  /** The amount of one cycle in whole rupiah. */
  amount: AmountInput
  /** The payment method of every cycle. */
  payment_type: 'credit_card' | 'gopay'
  /**
   * The token of a saved card, or the payment option token of a linked wallet; it is sent on and
   * never stored. 1 to 1000 characters.
   */
  token: string
  /** How many interval units one cycle lasts; 1 by default. 1 to 1000. */
  interval?: number
  /** The unit of the interval; month by default. */
  interval_unit?: 'day' | 'week' | 'month'
  /** How many cycles there are to be; until it is cancelled by default. 1 to 10000. */
  max_interval?: number
  /** When the first cycle is charged, with a zone; at once by default. 1 to 40 characters. */
  start_time?: string
  /** How many retry units the gateway waits before a retry. 1 to 1000. */
  retry_interval?: number
  /** The unit of the retry interval. */
  retry_interval_unit?: 'minute' | 'hour' | 'day'
  /** How often the gateway retries a cycle that failed. 0 to 3. */
  retry_max_interval?: number
  /** Only for `gopay`. */
  gopay?: SubscriptionInputGopay
  /** Who pays. */
  customer_details?: SubscriptionInputCustomerDetails
  /** Your own data; it is stored and returned as it was given. */
  metadata?: Record<string, unknown>
}

export interface SubscriptionInputGopay {
  /** The gateway's id of the linked GoPay account. 1 to 255 characters. */
  account_id: string
}

export interface SubscriptionInputCustomerDetails {
  /** The first name. 1 to 255 characters. */
  first_name?: string
  /** The last name. 1 to 255 characters. */
  last_name?: string
  /** The email address. 1 to 255 characters. */
  email?: string
  /** The phone number. 1 to 255 characters. */
  phone?: string
}
