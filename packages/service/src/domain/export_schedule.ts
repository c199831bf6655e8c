import { addDays, parseGatewayTime } from './time.ts'

export const EXPORT_PERIODS = ['day', 'week', 'month'] as const
export type ExportPeriod = (typeof EXPORT_PERIODS)[number]

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Whether a payment is of the period in which it was created, or first paid. */
export const EXPORT_DAYS_OF = ['created', 'paid'] as const
export type ExportDayOf = (typeof EXPORT_DAYS_OF)[number]

export const EXPORT_LANGUAGES = ['en', 'id'] as const
export type ExportLanguage = (typeof EXPORT_LANGUAGES)[number]

/** A mail about an export, at the end of each period. */
export interface ExportSchedule {
  id: string
  name: string
  every: ExportPeriod
  format: ExportFormat
  day_of: ExportDayOf
  language: ExportLanguage
  recipients: readonly string[]
  /** As in the query of an export; nothing that names a customer. */
  filters: Readonly<Record<string, string>>
  created_by: string
  created_at: Date
  /** First day in Jakarta of the period whose mail is due next. */
  period_from: string
  due_at: Date
  sent_at: Date | null
  /** Tries to send the mail of this period so far. */
  attempts: number
}

/** Reports of the last minutes of a day have arrived by then. */
const DUE_HOUR = 6

/** The first day of the period that has this day. Weeks begin on Monday. */
export function periodOf(every: ExportPeriod, day: string): string {
  if (every === 'month') return `${day.slice(0, 7)}-01`
  if (every === 'day') return day
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

/** The first day of the period after it. */
export function periodAfter(every: ExportPeriod, from: string): string {
  if (every === 'month') return periodOf('month', addDays(from, 31))
  return addDays(from, every === 'day' ? 1 : 7)
}

/** When the mail of a period is due: the morning after it in Jakarta. */
export function exportDueAt(every: ExportPeriod, from: string): Date {
  const due = parseGatewayTime(`${periodAfter(every, from)} 0${DUE_HOUR}:00:00`)
  if (due === undefined) throw new RangeError(`no day: ${from}`)
  return due
}
