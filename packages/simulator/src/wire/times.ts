export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

// Western Indonesian Time never shifts, so a fixed offset is exact
// (gateway-protocol.md#field-conventions).
const WIB_OFFSET_MS = 7 * HOUR_MS

/** "YYYY-MM-DD HH:mm:ss" in GMT+7, the form of every core API time. */
export const wibTime = (at: number): string =>
  new Date(at + WIB_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')

/** The invoice API writes its zone out. */
export const zonedTime = (at: number): string => `${wibTime(at)} +0700`

/**
 * The subscription API's replies: ISO with microseconds, in GMT+7 without a zone
 * (gateway-protocol.md#field-conventions).
 */
export const isoWibTime = (at: number): string =>
  `${new Date(at + WIB_OFFSET_MS).toISOString().slice(0, 23)}000`

/** Subscription notifications use UTC with Z. */
export const isoUtcTime = (at: number): string => `${new Date(at).toISOString().slice(0, 23)}000Z`

const TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?$/

/** Milliseconds of a gateway time; a time without a zone means GMT+7. */
export function parseTime(text: string): number | undefined {
  const match = TIME.exec(text.trim())
  if (!match) return undefined
  const [, date = '', minutes = '', seconds = '00', zone = '+07:00'] = match
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone
  const at = Date.parse(`${date}T${minutes}:${seconds}${offset}`)
  return Number.isNaN(at) ? undefined : at
}

/** Milliseconds since midnight in Jakarta. */
export const wibTimeOfDay = (at: number): number => (at + WIB_OFFSET_MS) % DAY_MS

/** The given hour, in Jakarta, on the day after the given instant. */
export const nextDayAt = (at: number, hour: number): number =>
  at - wibTimeOfDay(at) + DAY_MS + hour * HOUR_MS

/** The same wall-clock time some months later, held to the last day of a shorter month. */
export function addMonths(at: number, months: number): number {
  const from = new Date(at + WIB_OFFSET_MS)
  const first = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1)
  const target = new Date(first)
  const lastDay = new Date(
    Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0),
  ).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  return first + (day - 1) * DAY_MS + wibTimeOfDay(at) - WIB_OFFSET_MS
}
