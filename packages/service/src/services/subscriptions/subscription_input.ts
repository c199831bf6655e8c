import { Type, type Static, type TProperties } from 'typebox'
import { SUBSCRIPTION_PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { INTERVAL_UNITS, RETRY_INTERVAL_UNITS } from '../../domain/subscription.ts'

// The bodies of creating and updating (api-rules.md#subscriptions). Closed, as a charge is.
const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const maybe = Type.Optional
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const count = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })

/** Whole rupiah as a number, or as a decimal string (api-rules.md#amounts). */
const amount = Type.Union([Type.Number(), Type.String({ maxLength: 20 })])

const INTERVAL_MAX = 1_000
const CYCLES_MAX = 10_000
/** The gateway tries again at most three times (gateway-protocol.md#subscription-schedules). */
const RETRIES_MAX = 3

const retries = {
  retry_interval: maybe(count(1, INTERVAL_MAX)),
  retry_interval_unit: maybe(Type.Enum([...RETRY_INTERVAL_UNITS])),
  retry_max_interval: maybe(count(0, RETRIES_MAX)),
}

export const SUBSCRIPTION_INPUT = closed({
  name: text(255),
  amount,
  payment_type: Type.Enum([...SUBSCRIPTION_PAYMENT_TYPES]),
  /** A saved card's token, or the payment option token of a linked wallet. Sent on, never kept. */
  token: text(1_000),
  interval: maybe(count(1, INTERVAL_MAX)),
  interval_unit: maybe(Type.Enum([...INTERVAL_UNITS])),
  max_interval: maybe(count(1, CYCLES_MAX)),
  start_time: maybe(text(40)),
  ...retries,
  gopay: maybe(closed({ account_id: text(255) })),
  customer_details: maybe(
    closed({
      first_name: maybe(text(255)),
      last_name: maybe(text(255)),
      email: maybe(text(255)),
      phone: maybe(text(255)),
    }),
  ),
  metadata: maybe(Type.Record(Type.String(), Type.Unknown())),
})

export type SubscriptionInput = Static<typeof SUBSCRIPTION_INPUT>

/**
 * Of the schedule only the interval can change, and never the payment method
 * (gateway-protocol.md#updating-a-subscription).
 */
export const SUBSCRIPTION_UPDATE = closed({
  name: maybe(text(255)),
  amount: maybe(amount),
  interval: maybe(count(1, INTERVAL_MAX)),
  ...retries,
})
