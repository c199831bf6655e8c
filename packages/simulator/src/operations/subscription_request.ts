import { fieldsAt, has, integerAt, isFields, textAt, type Fields } from '../wire/fields.ts'
import { parseTime } from '../wire/times.ts'
import type { IntervalUnit, Subscription } from '../world/subscription.ts'

const NAME = /^[A-Za-z0-9\-_~.]{1,40}$/
const METADATA_BYTES_MAX = 1024
const UNITS: Record<string, IntervalUnit> = { day: 'day', week: 'week', month: 'month' }
const RETRY_UNITS: Record<string, IntervalUnit> = { minute: 'minute', hour: 'hour', day: 'day' }

/**
 * Three more tries, an hour apart, unless the merchant says otherwise
 * (gateway-protocol.md#subscription-schedules).
 */
const DEFAULT_RETRY: Subscription['retry'] = {
  interval: 1,
  interval_unit: 'hour',
  max_interval: 3,
}

/** What a merchant decides about a subscription. */
export type SubscriptionRequest = Pick<
  Subscription,
  | 'name'
  | 'amount'
  | 'token'
  | 'payment_type'
  | 'account_id'
  | 'interval'
  | 'interval_unit'
  | 'max_interval'
  | 'retry'
  | 'metadata'
  | 'customer_details'
> & { start_at: number | undefined }

/** Faults of the fields that create and update share. */
export function commonFaults(body: Fields): string[] {
  const messages: string[] = []
  for (const key of ['name', 'amount', 'currency', 'token']) {
    if (!has(body, key)) messages.push(`subscription.${key} is required`)
  }
  if (has(body, 'name') && !NAME.test(textAt(body, 'name') ?? ''))
    messages.push('subscription.name must be 1 to 40 letters, digits, -, _, ~ or .')
  if (has(body, 'amount') && !/^[1-9]\d{0,14}$/.test(textAt(body, 'amount') ?? ''))
    messages.push('subscription.amount must be a string of digits')
  if (has(body, 'currency') && body['currency'] !== 'IDR')
    messages.push('subscription.currency must be IDR')
  return messages
}

/**
 * Reads a create request, or returns every validation message
 * (gateway-protocol.md#creating-a-subscription).
 */
export function parseSubscription(body: Fields, now: number): SubscriptionRequest | string[] {
  const messages = commonFaults(body)
  const payment_type = textAt(body, 'payment_type')
  if (payment_type !== 'credit_card' && payment_type !== 'gopay')
    messages.push('subscription.payment_type must be credit_card or gopay')
  const account_id = textAt(fieldsAt(body, 'gopay'), 'account_id')
  if (payment_type === 'gopay' && account_id === undefined)
    messages.push('subscription.gopay.account_id is required')
  const schedule = fieldsAt(body, 'schedule')
  const interval = integerAt(schedule, 'interval')
  const interval_unit = UNITS[textAt(schedule, 'interval_unit') ?? '']
  const start_time = textAt(schedule, 'start_time')
  const start_at = start_time === undefined ? undefined : parseTime(start_time)
  messages.push(...scheduleFaults(schedule))
  if (start_time !== undefined && (start_at === undefined || start_at <= now))
    messages.push('subscription.schedule.start_time must be in the future')
  const retry = has(body, 'retry_schedule')
    ? parseRetry(fieldsAt(body, 'retry_schedule'))
    : undefined
  if (typeof retry === 'string') messages.push(retry)
  if (JSON.stringify(body['metadata'] ?? {}).length > METADATA_BYTES_MAX)
    messages.push('subscription.metadata must be smaller than 1 KB')
  // The messages above cover the last two; this check is for the types.
  if (messages.length > 0 || interval === undefined || interval_unit === undefined) return messages
  return {
    name: textAt(body, 'name') ?? '',
    amount: Number(textAt(body, 'amount')),
    token: textAt(body, 'token') ?? '',
    payment_type: payment_type === 'gopay' ? 'gopay' : 'credit_card',
    account_id,
    interval,
    interval_unit,
    max_interval: integerAt(schedule, 'max_interval'),
    start_at,
    retry: typeof retry === 'object' ? retry : DEFAULT_RETRY,
    metadata: isFields(body['metadata']) ? body['metadata'] : undefined,
    customer_details: isFields(body['customer_details']) ? body['customer_details'] : undefined,
  }
}

function scheduleFaults(schedule: Fields): string[] {
  const messages: string[] = []
  const interval = integerAt(schedule, 'interval')
  if (interval === undefined || interval < 1)
    messages.push('subscription.schedule.interval is required')
  if (UNITS[textAt(schedule, 'interval_unit') ?? ''] === undefined)
    messages.push('subscription.schedule.interval_unit must be day, week or month')
  const max_interval = integerAt(schedule, 'max_interval')
  if (has(schedule, 'max_interval') && (max_interval === undefined || max_interval < 0))
    messages.push('subscription.schedule.max_interval must be a whole number')
  return messages
}

/** A retry schedule, or what is wrong with it. */
export function parseRetry(body: Fields): Subscription['retry'] | string {
  const interval = integerAt(body, 'interval')
  const interval_unit = RETRY_UNITS[textAt(body, 'interval_unit') ?? '']
  const max_interval = integerAt(body, 'max_interval')
  if (interval === undefined || interval < 1)
    return 'subscription.retry_schedule.interval is required'
  if (interval_unit === undefined)
    return 'subscription.retry_schedule.interval_unit must be minute, hour or day'
  if (max_interval === undefined || max_interval < 0 || max_interval > 3)
    return 'subscription.retry_schedule.max_interval must be 0 to 3'
  return { interval, interval_unit, max_interval }
}
