import { Type, type Static } from 'typebox'
import type { SubscriptionPaymentType } from '../../domain/payment_type.ts'
import type { IntervalUnit, RetryIntervalUnit } from '../../domain/subscription.ts'
import { free, identifier, list, optional, parserOf, text, textual } from './shape.ts'

interface CustomerDetails {
  first_name?: string
  last_name?: string
  email?: string
  phone?: string
}

interface RetrySchedule {
  interval: number
  interval_unit: RetryIntervalUnit
  max_interval: number
}

/**
 * Amounts here are strings without decimals, unlike everywhere else
 * (gateway-protocol.md#creating-a-subscription).
 */
export interface SubscriptionRequest {
  name: string
  amount: string
  currency: 'IDR'
  payment_type: SubscriptionPaymentType
  /** Saved card token, or the payment option token of a linked account. */
  token: string
  schedule: {
    interval: number
    interval_unit: IntervalUnit
    max_interval?: number
    /** `yyyy-MM-dd HH:mm:ss Z`, in the future. */
    start_time?: string
  }
  retry_schedule?: RetrySchedule
  metadata?: Readonly<Record<string, unknown>>
  customer_details?: CustomerDetails
  gopay?: { account_id: string }
}

/**
 * The payment method cannot change, and of the schedule only the interval
 * (gateway-protocol.md#updating-a-subscription).
 */
export interface SubscriptionUpdate {
  name: string
  amount: string
  currency: 'IDR'
  token: string
  schedule?: { interval: number; next_execution_at?: string }
  retry_schedule?: RetrySchedule
  gopay?: { account_id: string }
}

const schedule = Type.Object({
  interval: optional(textual),
  interval_unit: optional(text),
  max_interval: optional(textual),
  current_interval: optional(textual),
  start_time: optional(text),
  previous_execution_at: optional(text),
  next_execution_at: optional(text),
})

const retrySchedule = Type.Object({
  interval: optional(textual),
  interval_unit: optional(text),
  max_interval: optional(textual),
})

export const subscription = Type.Object({
  id: identifier,
  name: text,
  amount: textual,
  currency: optional(text),
  created_at: optional(text),
  status: text,
  token: optional(text),
  payment_type: optional(text),
  merchant_id: optional(text),
  schedule: optional(schedule),
  retry_schedule: optional(retrySchedule),
  metadata: free,
  customer_details: free,
  gopay: optional(Type.Object({ account_id: optional(text) })),
  /** Successful charges; only `get_subscription` lists them. */
  transaction_ids: list(identifier),
})

export type SubscriptionReply = Static<typeof subscription>

export const parseSubscription = parserOf(subscription)

/** disable, enable, cancel and update answer with a sentence only; re-read to learn the status. */
export const parseSubscriptionMessage = parserOf(Type.Object({ status_message: text }))

export type SubscriptionMessage = NonNullable<ReturnType<typeof parseSubscriptionMessage>>
