import type { ExportSchedule } from '@gapura/sdk'
import type { Speech } from '../../language.ts'
import type { PaymentSearch } from '../payments/payment_search.ts'

const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d{2}-\d{2}$/

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The first and the last day of a period. A day that is none is the period that comes next. */
export function periodOf({ every, period_from }: ExportSchedule, given: string | undefined) {
  const from = given !== undefined && DAY.test(given) ? given : period_from
  const at = new Date(`${from}T00:00:00Z`)
  const ends = {
    day: at.getTime(),
    week: at.getTime() + 6 * DAY_MS,
    month: Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1) - DAY_MS,
  }
  return { from, until: dayOf(ends[every]) }
}

/** What a file of the period has, as the filters of the list. */
export function searchOf(schedule: ExportSchedule, given: string | undefined): PaymentSearch {
  const { from, until } = periodOf(schedule, given)
  const { status, payment_type, bank, owner_id, day_of } = schedule
  const filters = Object.entries({ status, payment_type, bank, owner_id })
  return {
    ...Object.fromEntries(filters.filter(([, value]) => value !== null)),
    ...(day_of === 'created' ? { from, until } : { paid_from: from, paid_until: until }),
  }
}

/** The filters in words. */
export function filterText({ say, word }: Speech, schedule: ExportSchedule): string {
  const { status, payment_type, bank, owner_id } = schedule
  const parts = [
    status && word('status', status),
    payment_type && word('type', payment_type),
    bank?.toUpperCase(),
    owner_id && `${say('owner')} ${owner_id}`,
  ].filter(Boolean)
  return parts.length === 0 ? say('export_all') : parts.join(', ')
}
