import type { FieldFault } from './charge_rules.ts'
import type { GatewayInvoice } from './invoice.ts'
import { parseGatewayTime } from './time.ts'

/** The first moment of a calendar day in Jakarta; undefined if there is no such day. */
const startOf = (day: string): Date | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) ? parseGatewayTime(`${day} 00:00:00`) : undefined

export const isDay = (day: string): boolean => startOf(day) !== undefined

const DAY_MS = 86_400_000

/** The last second of a day that exists: an invoice due today can be paid until midnight. */
export const endOfDay = (day: string): Date =>
  new Date((startOf(day)?.getTime() ?? Number.NaN) + DAY_MS - 1_000)

/**
 * The faults of an invoice's dates. Days are Jakarta's: late in the evening in UTC it is already
 * tomorrow there.
 */
export function dateFaults(
  { invoice_date, due_date }: { invoice_date: string; due_date: string },
  today: string,
): FieldFault[] {
  const faults: FieldFault[] = []
  const no_day = 'a day as YYYY-MM-DD'
  if (!isDay(invoice_date)) faults.push({ field: 'invoice_date', message: no_day })
  if (!isDay(due_date)) return [...faults, { field: 'due_date', message: no_day }]
  if (due_date < today) {
    faults.push({ field: 'due_date', message: `must not be before today, ${today}` })
  } else if (isDay(invoice_date) && due_date < invoice_date) {
    faults.push({ field: 'due_date', message: 'must not be before invoice_date' })
  }
  return faults
}

const HOUR_MS = 3_600_000
const FIRST_CHECKS_MS = [HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS]
const PENDING_EVERY_MS = 12 * HOUR_MS
/** Past its day and not overdue yet; less than the hour of check_overdue_invoices. */
const PAST_DUE_EVERY_MS = 55 * 60_000
const OVERDUE_EVERY_MS = 24 * HOUR_MS
/** The gateway may need a moment to notice that a day is over. */
const AFTER_DUE_MS = 5 * 60_000

type Checked = Pick<GatewayInvoice, 'status' | 'created_at' | 'due_date'>

/**
 * When to query the gateway next, without any hint: often while it is young, and once its day is
 * over. Null if no query is needed.
 */
export function nextInvoiceCheckAt(invoice: Checked, now: Date): Date | null {
  const after = (ms: number): Date => new Date(now.getTime() + ms)
  switch (invoice.status) {
    case 'draft':
    case 'pending': {
      const age = now.getTime() - invoice.created_at.getTime()
      const young = FIRST_CHECKS_MS.find((ms) => ms > age)
      const planned =
        young === undefined
          ? after(PENDING_EVERY_MS)
          : new Date(invoice.created_at.getTime() + young)
      const due = new Date(endOfDay(invoice.due_date).getTime() + AFTER_DUE_MS)
      if (due <= now) return after(PAST_DUE_EVERY_MS)
      return due < planned ? due : planned
    }
    case 'overdue':
      return after(OVERDUE_EVERY_MS)
    default:
      return null
  }
}

const HINT_MS_MIN = 10_000

/** Its payment is paid but the invoice is not yet: queried more rarely the longer ago that was. */
export function hintedCheckAt(paid_at: Date, now: Date): Date {
  const since = now.getTime() - paid_at.getTime()
  return new Date(now.getTime() + Math.min(Math.max(since, HINT_MS_MIN), PENDING_EVERY_MS))
}
