import { orderFaults } from '../charge/request.ts'
import { fieldsAt, has, integerAt, isFields, listAt, textAt, type Fields } from '../wire/fields.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, parseTime, SECOND_MS } from '../wire/times.ts'
import { METHOD_NAMES } from './checkout_methods.ts'

const PAGE_LIFE_MS = DAY_MS
const PAGE_LIFE_MIN_MS = 5 * MINUTE_MS
const PAGE_LIFE_MAX_MS = 7 * DAY_MS

const PAGE_UNITS: Record<string, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS }
const UNITS: Record<string, number> = { second: SECOND_MS, ...PAGE_UNITS }

/** `minutes` means the same as `minute`. */
const singular = (unit: string | undefined): string => (unit ?? '').replace(/s$/, '')

/** Every validation message of a create request (gateway-protocol.md#hosted-checkout). */
export function checkoutFaults(body: Fields): string[] {
  return [
    ...orderFaults(body),
    ...methodFaults(body),
    ...pageExpiryFaults(body),
    ...expiryFaults(body),
    ...objectFaults(body),
  ]
}

function methodFaults(body: Fields): string[] {
  if (!has(body, 'enabled_payments')) return []
  if (!Array.isArray(body['enabled_payments'])) return ['enabled_payments must be an array']
  const unknown = listAt(body, 'enabled_payments').filter(
    (name) => typeof name !== 'string' || !METHOD_NAMES.includes(name),
  )
  return unknown.map((name) => `enabled_payments ${JSON.stringify(name)} is not supported`)
}

function objectFaults(body: Fields): string[] {
  const messages = ['customer_details', 'credit_card', 'callbacks']
    .filter((key) => has(body, key) && !isFields(body[key]))
    .map((key) => `${key} must be an object`)
  const finish = fieldsAt(body, 'callbacks')['finish']
  if (finish !== undefined && (typeof finish !== 'string' || !URL.canParse(finish)))
    messages.push('callbacks.finish must be a URL')
  return messages
}

function pageExpiryFaults(body: Fields): string[] {
  if (!has(body, 'page_expiry')) return []
  const given = fieldsAt(body, 'page_expiry')
  if ((integerAt(given, 'duration') ?? 0) < 1)
    return ['page_expiry.duration must be a whole number of at least 1']
  if (PAGE_UNITS[singular(textAt(given, 'unit'))] === undefined)
    return ['page_expiry.unit must be minute, hour or day']
  const life = pageLifeOf(body)
  return life < PAGE_LIFE_MIN_MS || life > PAGE_LIFE_MAX_MS
    ? ['page_expiry must be between 5 minutes and 7 days']
    : []
}

/** How long the page takes a method; 24 hours unless the request says so. */
export function pageLifeOf(body: Fields): number {
  const given = fieldsAt(body, 'page_expiry')
  const unit_ms = PAGE_UNITS[singular(textAt(given, 'unit'))] ?? 0
  const life = (integerAt(given, 'duration') ?? 0) * unit_ms
  return life > 0 ? life : PAGE_LIFE_MS
}

function expiryFaults(body: Fields): string[] {
  if (!has(body, 'expiry')) return []
  const given = fieldsAt(body, 'expiry')
  const messages: string[] = []
  if ((integerAt(given, 'duration') ?? 0) < 1)
    messages.push('expiry.duration must be a whole number of at least 1')
  if (UNITS[singular(textAt(given, 'unit'))] === undefined)
    messages.push('expiry.unit must be second, minute, hour or day')
  if (has(given, 'start_time') && parseTime(textAt(given, 'start_time') ?? '') === undefined)
    messages.push('expiry.start_time must be yyyy-MM-dd HH:mm:ss Z')
  return messages
}

/**
 * The payment's own expiry in the charge's spelling. Without a start_time it counts from the
 * choice of the method.
 */
export function customExpiryOf(body: Fields): Fields {
  if (!has(body, 'expiry')) return {}
  const given = fieldsAt(body, 'expiry')
  return {
    custom_expiry: {
      expiry_duration: integerAt(given, 'duration'),
      unit: singular(textAt(given, 'unit')),
      ...(has(given, 'start_time') && { order_time: textAt(given, 'start_time') }),
    },
  }
}
