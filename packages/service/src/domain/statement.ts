import type { Money } from './money.ts'

/** Whose account of the money a line is part of. */
export const STATEMENT_SIDES = ['gateway', 'bank'] as const
export type StatementSide = (typeof STATEMENT_SIDES)[number]

/** What is read from the gateway day by day. */
export const WINDOW_SOURCES = ['balance_api', 'history_api'] as const
export type WindowSource = (typeof WINDOW_SOURCES)[number]

/** Files that can be imported, and whose statement each is. */
export const FILE_FORMATS = [
  'portal_csv',
  'portal_xlsx',
  'bca_csv',
  'mandiri_csv',
  'mt940',
  'camt053',
] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

export const STATEMENT_SOURCES = [...WINDOW_SOURCES, ...FILE_FORMATS] as const
export type StatementSource = (typeof STATEMENT_SOURCES)[number]

export const STATEMENT_KINDS = [
  'payment',
  'withdrawal',
  'disbursement',
  'top_up',
  'refund',
  'chargeback',
  'balance',
  'entry',
  'other',
  'unreadable',
] as const
export type StatementKind = (typeof STATEMENT_KINDS)[number]

/** One line as its source states it. Only an unreadable one has neither day nor amount. */
export interface StatementContent {
  kind: StatementKind
  /** The calendar day in Jakarta. */
  day: string | null
  /** Where the source says more than the day. */
  occurred_at: Date | null
  /** Signed as the source has it; of a bank's line, credit is positive. */
  amount: Money | null
  fee: Money | null
  /** After the line, where the source says it. */
  balance: Money | null
  currency: string | null
  status: string | null
  account: string | null
  order_id: string | null
  transaction_id: string | null
  reference: string | null
  channel: string | null
  description: string | null
}

export const NO_CONTENT: StatementContent = {
  kind: 'unreadable',
  day: null,
  occurred_at: null,
  amount: null,
  fee: null,
  balance: null,
  currency: null,
  status: null,
  account: null,
  order_id: null,
  transaction_id: null,
  reference: null,
  channel: null,
  description: null,
}

/** A line to be stored once: the same key with other content is a new version of it. */
export interface KeyedLine extends StatementContent {
  line_key: string
  /** Where it stands in its file; null of what was read from the gateway. */
  line_number: number | null
  raw: Readonly<Record<string, unknown>>
}

/** A stored version of a line. */
export interface StatementLine extends KeyedLine {
  id: string
  created_at: Date
  side: StatementSide
  source: StatementSource
  version: number
  import_id: string | null
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The gateway's statement of a day is read only so long after its end. */
export const CLOSED_AFTER_MS = 2 * HOUR_MS

/** A day is read again at these ages: refunds, chargebacks and payouts change its lines later. */
const READ_AGAIN_DAYS = [1, 3, 7, 14, 30, 60, 90] as const

/** First and last second of a day in Jakarta. */
export function spanOf(day: string): { from: Date; to: Date } {
  const from = new Date(`${day}T00:00:00+07:00`)
  return { from, to: new Date(from.getTime() + DAY_MS - 1_000) }
}

/** When a day may be read for the first time. */
export const firstReadAt = (day: string): Date =>
  new Date(spanOf(day).from.getTime() + DAY_MS + CLOSED_AFTER_MS)

/** When a day that was read now is read again; null: not any more. */
export function nextReadAt(day: string, now: Date): Date | null {
  const first = firstReadAt(day).getTime()
  const later = READ_AGAIN_DAYS.map((days) => first + days * DAY_MS)
  const next = later.find((at) => at > now.getTime())
  return next === undefined ? null : new Date(next)
}
