// Conversion of values between JavaScript and PostgreSQL, in both directions. The driver's own
// parsers are not used: a host shares the module and may have changed them, and by default they
// turn numeric[] into floats and dates into timestamps. In this folder a bigint is always money.
import { randomUUID } from 'node:crypto'
import { formatMoney, parseMoney, type Money } from '../../domain/money.ts'

export type SqlValue = string | number | boolean | null | Money | Date | readonly string[]

/** A parameter as text. Money gets its two decimals: the driver alone would write hundredths. */
export function encodeValue(value: SqlValue): string | number | boolean | null | string[] {
  if (typeof value === 'bigint') return formatMoney(value)
  if (typeof value === 'string') return storableText(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null) return value.map(storableText)
  return value
}

/**
 * PostgreSQL accepts neither NUL nor lone surrogates. A hostile sender must not block a row by
 * them.
 */
export const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

/**
 * JSON for a `jsonb` parameter. Money becomes decimal text, times ISO 8601; what jsonb refuses in
 * strings and keys (NUL, lone surrogates) is replaced, so that any received payload can be stored.
 */
export const toJson = (value: unknown): string => plainToJson(withMoneyAsText(value))

/** A parameter of a row that is written column by column: what is no plain value is `jsonb`. */
export const parameterOf = (value: SqlValue | object): SqlValue =>
  typeof value !== 'object' || value === null || value instanceof Date ? value : toJson(value)

/** The same for data without money and times, such as a received payload: it is not walked. */
export function plainToJson(value: unknown): string {
  const text = JSON.stringify(value)
  // Most texts have no escape at all, and to see that takes a thirtieth of the pattern's time.
  const doubtful = text.includes('\\u') && MAY_BE_UNSTORABLE.test(text)
  return doubtful ? toStorableJson(value) : text
}

/**
 * How JSON writes NUL and lone surrogates. A text that only quotes them matches too, without harm.
 */
const MAY_BE_UNSTORABLE = /\\u(?:0000|d[89a-f])/

/** A copy, made by a walk: a replacer function is several times slower. */
function withMoneyAsText(value: unknown): unknown {
  if (typeof value === 'bigint') return formatMoney(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toJSON()
  if (Array.isArray(value)) return value.map(withMoneyAsText)
  const copy: Record<string, unknown> = { ...value }
  for (const key in copy) {
    const part = copy[key]
    if (typeof part === 'bigint' || typeof part === 'object') copy[key] = withMoneyAsText(part)
  }
  return copy
}

const toStorableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string') return storableText(part)
    return isPlainObject(part) && hasUnstorableKey(part) ? withStorableKeys(part) : part
  })

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasUnstorableKey = (value: Record<string, unknown>): boolean =>
  Object.keys(value).some((key) => key.includes('\0') || !key.isWellFormed())

const withStorableKeys = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([key, part]) => [storableText(key), part]))

const asText = (text: string): string => text

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<
  number,
  (text: string) => unknown
>([
  [16, (text) => text === 't'],
  [21, Number],
  [23, Number],
  [114, JSON.parse],
  [701, Number],
  [1184, parseTimestamp],
  [1700, parseNumeric],
  [3802, JSON.parse],
])

/** Types not listed stay text: dates as `YYYY-MM-DD`, ids, xid8 and int8 as their digits. */
export const SQL_TYPES = {
  getTypeParser: (oid: number) => PARSERS.get(oid) ?? asText,
}

function parseNumeric(text: string): Money {
  const money = parseMoney(text)
  if (money === undefined) throw new RangeError(`must be an amount: ${text}`)
  return money
}

/** Each transaction sets its time zone to UTC; another suffix means a foreign connection. */
function parseTimestamp(text: string): Date {
  if (!text.endsWith('+00')) throw new RangeError(`must be a time in UTC: ${text}`)
  return new Date(`${text.slice(0, -3).replace(' ', 'T')}Z`)
}

/**
 * A UUID of version 7: the time in milliseconds, then random bits, so that new rows are adjacent in
 * every index. Unique, but ids of the same millisecond or of different processes have no order.
 */
export function newId(): string {
  // Version 4 has its random bits in the same places; only the first 52 bits differ.
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
