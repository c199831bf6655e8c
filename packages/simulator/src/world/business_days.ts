import { DAY_MS, HOUR_MS, wibTime, wibTimeOfDay } from '../wire/times.ts'

/** The calendar day in Jakarta, as `2026-01-31`. */
export const wibDay = (at: number): string => wibTime(at).slice(0, 10)

/** Monday to Friday, and not in the calendar of holidays. */
export function isBusinessDay(at: number, holidays: ReadonlySet<string>): boolean {
  const day = wibDay(at)
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !holidays.has(day)
}

/** A year of days in a row cannot all be holidays; a longer search is a fault of the calendar. */
const SEARCH_DAYS_MAX = 400

/** Midnight in Jakarta at the beginning of the n-th business day after the given moment's day. */
export function businessDayAfter(at: number, days: number, holidays: ReadonlySet<string>): number {
  let midnight = at - wibTimeOfDay(at)
  let left = days
  for (let searched = 0; left > 0; searched += 1) {
    if (searched > SEARCH_DAYS_MAX) throw new Error('no business day within a year')
    midnight += DAY_MS
    if (isBusinessDay(midnight, holidays)) left -= 1
  }
  return midnight
}

/** A payout asked for before this hour on a business day is paid the same day. */
const PAYOUT_CUTOFF_HOUR = 11
const PAYOUT_HOUR = 15

/** When the money of a payout reaches the bank. */
export function payoutTime(at: number, holidays: ReadonlySet<string>): number {
  const early = wibTimeOfDay(at) < PAYOUT_CUTOFF_HOUR * HOUR_MS
  const same_day = early && isBusinessDay(at, holidays)
  const midnight = same_day ? at - wibTimeOfDay(at) : businessDayAfter(at, 1, holidays)
  return midnight + PAYOUT_HOUR * HOUR_MS
}
