import { Type, type Static, type TProperties } from 'typebox'
import type { FieldFault } from '../../domain/charge_rules.ts'
import { parseMoney, toWholeRupiah, type Money } from '../../domain/money.ts'
import {
  PAYMENT_TYPE,
  SUBSCRIPTION_PAYMENT_TYPES,
  type LinkablePaymentType,
  type SubscriptionPaymentType,
} from '../../domain/payment_type.ts'
import {
  INTERVAL_UNITS,
  RETRY_INTERVAL_UNITS,
  type IntervalUnit,
  type RetryIntervalUnit,
} from '../../domain/subscription.ts'
import { parseZonedTime } from '../../domain/time.ts'
import { secretFaults, refuseFaults, requestParser } from '../validation.ts'

// The bodies of creating and updating (api-rules.md#subscriptions). Closed, as a charge is.
const closed = <P extends TProperties>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description && { description }) })
const maybe = Type.Optional
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })
const count = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })

/** Whole rupiah as a number, or as a decimal string (api-rules.md#amounts). */
const AMOUNT = Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
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
  amount: AMOUNT,
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

/** The input with every field that some payment type takes. */
type SubscriptionFields = Static<typeof SUBSCRIPTION_INPUT>

/** A linked wallet names its account in the field of its own name, and a card has none. */
export type SubscriptionInput = {
  [T in SubscriptionPaymentType]: Omit<SubscriptionFields, 'payment_type' | LinkablePaymentType> & {
    payment_type: T
  } & (T extends LinkablePaymentType ? Required<Pick<SubscriptionFields, T>> : unknown)
}[SubscriptionPaymentType]

const LINKABLE = SUBSCRIPTION_PAYMENT_TYPES.filter((type) => PAYMENT_TYPE[type].linkable)

export const SUBSCRIPTION_RULES = Object.fromEntries(
  SUBSCRIPTION_PAYMENT_TYPES.map((type) => {
    const others = LINKABLE.filter((one) => one !== type).map((one) => [one, false] as const)
    const required = LINKABLE.filter((one) => one === type)
    return [type, { required, properties: Object.fromEntries(others) }]
  }),
)

/**
 * Of the schedule only the interval can change, and never the payment method
 * (gateway-protocol.md#updating-a-subscription).
 */
export const SUBSCRIPTION_UPDATE = closed({
  name: maybe(name),
  amount: maybe(AMOUNT),
  interval: maybe(interval),
  ...retries,
})

/** A subscription that passed every check that needs no gateway and no clock. */
export interface SubscriptionOrder extends Omit<SubscriptionFields, 'amount' | 'start_time'> {
  amount: Money
  interval: number
  interval_unit: IntervalUnit
  start_time: Date | null
  retry_interval: number
  retry_interval_unit: RetryIntervalUnit
  retry_max_interval: number
}

/** Smaller than one kilobyte (gateway-protocol.md#creating-a-subscription). */
const METADATA_BYTES_MAX = 1_023

const parseInput = requestParser(SUBSCRIPTION_INPUT)
const parseChange = requestParser(SUBSCRIPTION_UPDATE)

/**
 * Turns a request into a subscription, or throws `invalid_request` with every fault. Writes
 * nothing.
 */
export function parseSubscriptionOrder(input: unknown): SubscriptionOrder {
  const { amount: given, start_time: begins, ...rest } = parseInput(input)
  const amount = parseMoney(given)
  const start_time = begins === undefined ? null : (parseZonedTime(begins) ?? null)
  refuseFaults([
    ...amountFaults(amount),
    ...walletFaults(rest),
    ...(begins !== undefined && start_time === null ? [startFault('that names its zone')] : []),
    ...metadataFaults(rest.metadata),
    // What is refused cannot be stored, logged or sent on (ADR 0019).
    ...secretFaults(rest, ['token']),
  ])
  return {
    ...rest,
    amount: amount ?? 0n,
    interval: rest.interval ?? 1,
    interval_unit: rest.interval_unit ?? 'month',
    start_time,
    // The gateway's default, "three times, hourly" (gateway-protocol.md#subscription-schedules), is
    // sent explicitly.
    retry_interval: rest.retry_interval ?? 1,
    retry_interval_unit: rest.retry_interval_unit ?? 'hour',
    retry_max_interval: rest.retry_max_interval ?? 3,
  }
}

/**
 * A start that is too near would pass between two sends of the same order, and the gateway would
 * refuse the second although the first was carried out.
 */
const START_AHEAD_MS = 5 * 60_000

/**
 * The first charge must be in the future (gateway-protocol.md#subscription-schedules), by the
 * database's clock, which all processes share.
 */
export function refuseNearStart({ start_time }: SubscriptionOrder, now: Date): void {
  if (start_time === null || start_time.getTime() >= now.getTime() + START_AHEAD_MS) return
  refuseFaults([startFault('at least five minutes ahead')])
}

const startFault = (what: string): FieldFault => ({
  field: 'start_time',
  message: `must be an ISO 8601 ${what}, as 2027-01-31T00:00:00Z`,
})

function amountFaults(amount: Money | undefined): FieldFault[] {
  const whole = amount !== undefined && amount > 0n && toWholeRupiah(amount) !== undefined
  return whole ? [] : [{ field: 'amount', message: 'must be a positive number of whole rupiah' }]
}

function walletFaults({ payment_type, gopay }: Pick<SubscriptionFields, 'payment_type' | 'gopay'>) {
  const wallet = PAYMENT_TYPE[payment_type].linkable
  if (wallet === (gopay !== undefined)) return []
  const message = wallet ? 'required: the linked account' : 'only for gopay'
  return [{ field: 'gopay', message }]
}

const metadataFaults = (metadata: SubscriptionFields['metadata'] = {}): FieldFault[] =>
  Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX
    ? [{ field: 'metadata', message: `must be at most ${METADATA_BYTES_MAX} bytes` }]
    : []

/** The fields that an update changes. */
export interface SubscriptionChanges {
  name?: string
  amount?: Money
  interval?: number
  retry_interval?: number
  retry_interval_unit?: RetryIntervalUnit
  retry_max_interval?: number
}

export function parseSubscriptionChanges(input: unknown): SubscriptionChanges {
  const { amount: given, ...rest } = parseChange(input)
  const amount = given === undefined ? undefined : parseMoney(given)
  refuseFaults([...(given === undefined ? [] : amountFaults(amount)), ...secretFaults(rest)])
  if (amount === undefined && Object.keys(rest).length === 0) {
    refuseFaults([{ field: 'body', message: 'must name at least one field to change' }])
  }
  return { ...rest, ...(amount !== undefined && { amount }) }
}
