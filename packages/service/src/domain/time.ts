// The gateway writes local Jakarta time and mostly without a zone (api-rules.md#times). Indonesia's
// west has no daylight saving, so a fixed offset is exact.

const JAKARTA_OFFSET_MS = 7 * 3_600_000
const DAY_MS = 86_400_000

const GATEWAY_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?$/

/** A time as the gateway writes it, or nothing. Without a zone it is GMT+7. */
export function parseGatewayTime(text: unknown): Date | undefined {
  if (typeof text !== 'string') return undefined
  const match = GATEWAY_TIME.exec(text.trim())
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone] = match
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`)
  // Date turns 30 February into March, and 24 o'clock into the next day's 0: both are refused.
  if (time.getUTCDate() !== Number(day)) return undefined
  return withinYears(new Date(time.getTime() - offsetMs(zone)))
}

/** Years that JavaScript and the database write alike; there was no year 0 for the latter. */
const withinYears = (time: Date): Date | undefined => {
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9_999 ? time : undefined
}

function offsetMs(zone: string | undefined): number {
  if (zone === undefined) return JAKARTA_OFFSET_MS
  if (zone === 'Z') return 0
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

const ZONED =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/** A caller's time: ISO 8601 with its zone; a bare date would be ambiguous. */
export function parseZonedTime(text: string | undefined): Date | undefined {
  return text === undefined || !ZONED.test(text) ? undefined : parseGatewayTime(text)
}

/** `yyyy-MM-dd HH:mm:ss +0700`, the form the gateway asks for in requests. */
export function formatGatewayTime(at: Date): string {
  const local = new Date(at.getTime() + JAKARTA_OFFSET_MS).toISOString()
  return `${local.slice(0, 10)} ${local.slice(11, 19)} +0700`
}

/** The calendar day in Jakarta: what "today", due dates and daily reports mean. */
export const jakartaDay = (at: Date): string =>
  new Date(at.getTime() + JAKARTA_OFFSET_MS).toISOString().slice(0, 10)

/** The moment as a clock in Jakarta shows it, with its zone: `2026-11-15T14:05:00.000+07:00`. */
export const jakartaStamp = (at: Date): string =>
  new Date(at.getTime() + JAKARTA_OFFSET_MS).toISOString().replace('Z', '+07:00')

/** The given hour of the Jakarta day after this moment's. */
export function nextJakartaDayAt(at: Date, hour: number): Date {
  const local = at.getTime() + JAKARTA_OFFSET_MS
  const midnight = local - (local % DAY_MS)
  return new Date(midnight + DAY_MS + hour * 3_600_000 - JAKARTA_OFFSET_MS)
}

/** The calendar day so many days after this one, or before it. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
