import type { Fields } from '../wire/fields.ts'
import { fieldsAt, has, integerAt, textAt } from '../wire/fields.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, parseTime, SECOND_MS } from '../wire/times.ts'

interface ExpiryRule {
  default_ms: number
  min_ms: number
  max_ms: number
}

const LONG = { default_ms: DAY_MS, min_ms: 20 * SECOND_MS, max_ms: 180 * DAY_MS }

/**
 * gateway-protocol.md#payment-types, last column. Cards and OVO have no rule: they refuse
 * custom_expiry.
 */
const RULES: Record<string, ExpiryRule> = {
  bank_transfer: LONG,
  echannel: LONG,
  cstore: LONG,
  kredivo: LONG,
  akulaku: { ...LONG, default_ms: 2 * HOUR_MS },
  gopay: { default_ms: 15 * MINUTE_MS, min_ms: 20 * SECOND_MS, max_ms: 7 * DAY_MS },
  qris: { default_ms: 15 * MINUTE_MS, min_ms: 20 * SECOND_MS, max_ms: 7 * DAY_MS },
  'qris:airpay shopee': { default_ms: 15 * MINUTE_MS, min_ms: 20 * SECOND_MS, max_ms: 5 * DAY_MS },
  shopeepay: { default_ms: 15 * MINUTE_MS, min_ms: 20 * SECOND_MS, max_ms: 5 * DAY_MS },
  dana: { default_ms: 15 * MINUTE_MS, min_ms: 15 * MINUTE_MS, max_ms: DAY_MS },
}

const UNITS: Record<string, number> = {
  second: SECOND_MS,
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
}

interface Subject {
  payment_type: string
  channel?: string | undefined
  body: Fields
}

/** When the transaction expires, or the validation messages of a bad custom_expiry. */
export function expiryOf(
  { payment_type, channel, body }: Subject,
  now: number,
): number | undefined | string[] {
  const rule = RULES[`${payment_type}:${channel}`] ?? RULES[payment_type]
  if (!has(body, 'custom_expiry')) return rule && now + rule.default_ms
  if (!rule) return [`custom_expiry is not supported for ${payment_type}`]
  const custom = fieldsAt(body, 'custom_expiry')
  const duration = integerAt(custom, 'expiry_duration')
  if (duration === undefined || duration < 1)
    return ['custom_expiry.expiry_duration must be a whole number of at least 1']
  const unit_ms = UNITS[textAt(custom, 'unit') ?? 'minute']
  if (unit_ms === undefined) return ['custom_expiry.unit must be second, minute, hour or day']
  const length = duration * unit_ms
  if (length < rule.min_ms || length > rule.max_ms)
    return [`custom_expiry is out of bounds for ${payment_type}`]
  const order_time = textAt(custom, 'order_time')
  const start = order_time === undefined ? now : parseTime(order_time)
  if (start === undefined) return ['custom_expiry.order_time must be yyyy-MM-dd HH:mm:ss Z']
  // With an order_time in the past the requested time may already be over.
  return start + length > now ? start + length : ['custom_expiry is already over']
}
