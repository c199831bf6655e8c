import { Type, type Static, type TProperties } from 'typebox'
import { SUBSCRIPTION_PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { INTERVAL_UNITS, RETRY_INTERVAL_UNITS } from '../../domain/subscription.ts'

// The bodies of creating and updating (api-rules.md#subscriptions). Closed, as a charge is.
const closed = <P extends TProperties>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description && { description }) })
const maybe = Type.Optional
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })
const count = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })

/** Whole rupiah as a number, or as a decimal string (api-rules.md#amounts). */
const amount = Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
  description: 'The amount of one cycle in whole rupiah.',
})

const INTERVAL_MAX = 1_000
const CYCLES_MAX = 10_000
/** The gateway tries again at most three times (gateway-protocol.md#subscription-schedules). */
const RETRIES_MAX = 3

const name = text(255, 'The name of the subscription.')
const interval = count(1, INTERVAL_MAX, 'How many interval units one cycle lasts; 1 by default.')

const retries = {
  retry_interval: maybe(
    count(1, INTERVAL_MAX, 'How many retry units the gateway waits before a retry.'),
  ),
  retry_interval_unit: maybe(
    Type.Enum([...RETRY_INTERVAL_UNITS], { description: 'The unit of the retry interval.' }),
  ),
  retry_max_interval: maybe(
    count(0, RETRIES_MAX, 'How often the gateway retries a cycle that failed.'),
  ),
}

const customer = {
  first_name: maybe(text(255, 'The first name.')),
  last_name: maybe(text(255, 'The last name.')),
  email: maybe(text(255, 'The email address.')),
  phone: maybe(text(255, 'The phone number.')),
}

export const SUBSCRIPTION_INPUT = closed({
  name,
  amount,
  payment_type: Type.Enum([...SUBSCRIPTION_PAYMENT_TYPES], {
    description: 'The payment method of every cycle.',
  }),
  token: text(
    1_000,
    'The token of a saved card, or the payment option token of a linked wallet; it is sent on and never stored.',
  ),
  interval: maybe(interval),
  interval_unit: maybe(
    Type.Enum([...INTERVAL_UNITS], { description: 'The unit of the interval; month by default.' }),
  ),
  max_interval: maybe(
    count(1, CYCLES_MAX, 'How many cycles there are to be; until it is cancelled by default.'),
  ),
  start_time: maybe(text(40, 'When the first cycle is charged, with a zone; at once by default.')),
  ...retries,
  gopay: maybe(
    closed(
      { account_id: text(255, "The gateway's id of the linked GoPay account.") },
      'Only for `gopay`.',
    ),
  ),
  customer_details: maybe(closed(customer, 'Who pays.')),
  metadata: maybe(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Your own data; it is stored and returned as it was given.',
    }),
  ),
})

export type SubscriptionInput = Static<typeof SUBSCRIPTION_INPUT>

/**
 * Of the schedule only the interval can change, and never the payment method
 * (gateway-protocol.md#updating-a-subscription).
 */
export const SUBSCRIPTION_UPDATE = closed({
  name: maybe(name),
  amount: maybe(amount),
  interval: maybe(interval),
  ...retries,
})
