// The filters of the list in its address. Unknown values are dropped without an error, because an
// address may be old or typed by hand.
import type { StaffPaymentListQuery } from '@gapura/sdk'
import { startOfDay } from '../../format.ts'

const TEXTS = [
  'status',
  'payment_type',
  'bank',
  'overdue',
  'owner_id',
  'order_id',
  'customer_email',
  'transaction_id',
  'va_number',
  'bill_key',
  'payment_code',
  'gross_amount',
  'subscription_id',
  'invoice_id',
  'sort',
  'cells',
] as const

type TextFilter = (typeof TEXTS)[number]

const DAYS = ['from', 'until', 'paid_from', 'paid_until'] as const

/** Days are those of Jakarta, the first and the last of them shown. */
export type PaymentSearch = Partial<Record<TextFilter | (typeof DAYS)[number], string | undefined>>

const DAY = /^\d{4}-\d{2}-\d{2}$/

export function paymentSearch(given: Record<string, unknown>): PaymentSearch {
  const search: PaymentSearch = {}
  for (const name of TEXTS) {
    const value = given[name]
    if (typeof value === 'string' || typeof value === 'number') search[name] = String(value)
    if (name === 'overdue' && value === true) search[name] = 'true'
  }
  for (const name of DAYS) {
    const value = given[name]
    if (typeof value === 'string' && DAY.test(value)) search[name] = value
  }
  return search
}

/** The API query of a search; the API refuses unknown values. Which cells is a path, no filter. */
export function queryOf({
  from,
  until,
  paid_from,
  paid_until,
  cells: _cells,
  ...texts
}: PaymentSearch): StaffPaymentListQuery {
  const query: Record<string, string | undefined> = {
    ...texts,
    ...(from && { created_from: startOfDay(from) }),
    ...(until && { created_before: startOfDay(until, 1) }),
    ...(paid_from && { paid_from: startOfDay(paid_from) }),
    ...(paid_until && { paid_before: startOfDay(paid_until, 1) }),
  }
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

const IN_BAR = new Set(['status', 'payment_type', 'bank', 'owner_id', 'sort', 'overdue', 'cells'])

/** Filters that have no field of their own in the bar; shown so that they can be taken off. */
export const CHIPS = TEXTS.filter((name) => !IN_BAR.has(name))

/** What a saved filter keeps: nothing that names a customer, because it outlives the tab. */
export function keepable(search: PaymentSearch): PaymentSearch {
  const kept = Object.entries(search).filter(
    ([name, value]) => value !== undefined && (IN_BAR.has(name) || isDay(name)),
  )
  return Object.fromEntries(kept)
}

const isDay = (name: string): boolean => DAYS.some((one) => one === name)
