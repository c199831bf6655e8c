// Amounts and dates as banks and portals write them, read exactly: digits are never made a float,
// and what could mean two things is refused.
import { MONEY_MAX, type Money } from './money.ts'

/** A mark after or before the digits: what the bank calls a credit is positive. */
const MARKS: Readonly<Record<string, 1n | -1n>> = {
  CR: 1n,
  C: 1n,
  K: 1n,
  CREDIT: 1n,
  KREDIT: 1n,
  DB: -1n,
  DR: -1n,
  D: -1n,
  DEBIT: -1n,
  DEBET: -1n,
}

/** The sign of a mark such as `DB`; undefined if it is none. */
export const signOfMark = (text: string): 1n | -1n | undefined => MARKS[text.trim().toUpperCase()]

const AMOUNT = /^(?:Rp\.?|IDR)?\s*([-+(]?)\s*(?:Rp\.?|IDR)?\s*([\d.,]+)\s*([-)]?)\s*([A-Za-z]*)$/

/**
 * `1.234.567,89`, `1,234,567.89`, `799,700.00 CR`, `-5000`, `(5,000)`, `.00`. Rupiah have at most two
 * decimals, so a separator before three digits groups them, and one before fewer is the decimal one.
 */
export function parseStatementAmount(text: string): Money | undefined {
  const match = AMOUNT.exec(text.trim())
  if (match === null) return undefined
  const [, before = '', digits = '', after = '', mark = ''] = match
  if ((before === '(') !== (after === ')')) return undefined
  const signs = [before, after].filter((one) => one === '-' || one === '+' || one === '(')
  const marked = signOfMark(mark)
  if ((mark !== '' && marked === undefined) || signs.length > 1) return undefined
  // Two signs may contradict each other, or cancel out.
  if (marked !== undefined && signs.length > 0) return undefined
  const amount = parseDigits(digits)
  if (amount === undefined) return undefined
  const sign = marked ?? (signs[0] === '-' || signs[0] === '(' ? -1n : 1n)
  return sign * amount
}

const WHOLE_DIGITS_MAX = 13
const PLAIN = /^\d*$/
const GROUPED: Readonly<Record<'.' | ',', RegExp>> = {
  '.': /^\d{1,3}(?:\.\d{3})*$/,
  ',': /^\d{1,3}(?:,\d{3})*$/,
}

function parseDigits(text: string): Money | undefined {
  if (!/\d/.test(text)) return undefined
  const [, head = '', fraction = ''] = /^(.*?)(?:[.,](\d{0,2}))?$/.exec(text) ?? []
  const separator = text.charAt(head.length)
  const grouping = separator === '.' ? ',' : '.'
  const is_whole =
    PLAIN.test(head) ||
    GROUPED[grouping].test(head) ||
    // Without decimals either sign may group.
    (separator === '' && GROUPED[','].test(head))
  if (!is_whole) return undefined
  const whole = head.replaceAll(/[.,]/g, '').replace(/^0+(?=\d)/, '')
  if (whole.length > WHOLE_DIGITS_MAX) return undefined
  const amount = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'))
  return amount <= MONEY_MAX ? amount : undefined
}

const MONTHS = [
  ['jan', 'januari', 'january'],
  ['feb', 'februari', 'february', 'peb', 'pebruari'],
  ['mar', 'maret', 'march'],
  ['apr', 'april'],
  ['may', 'mei'],
  ['jun', 'juni', 'june'],
  ['jul', 'juli', 'july'],
  ['aug', 'agu', 'agt', 'agustus', 'august', 'ags'],
  ['sep', 'sept', 'september'],
  ['oct', 'okt', 'oktober', 'october'],
  ['nov', 'nop', 'november', 'nopember'],
  ['dec', 'des', 'desember', 'december'],
] as const

export const DATE_ORDERS = ['dmy', 'mdy'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

export interface StatementTime {
  /** The calendar day in Jakarta. */
  day: string
  /** Where the text says more than the day. */
  occurred_at: Date | null
}

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(.*)$/s
const YEAR_LAST = /^(\d{1,2})[-/. ](\d{1,2}|[A-Za-z]{3,9})[-/. ,]+(\d{4}|\d{2})(?!\d)(.*)$/s
const MONTH_FIRST = /^([A-Za-z]{3,9})[. ]+(\d{1,2}),?[ ]+(\d{4})(.*)$/s
const TIME =
  /^[T ,]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:\.\d{1,9})?)?\s*(AM|PM)?\s*(Z|WIB|GMT\+7|\+0?7(?::?00)?)?$/i

/** A date in any of the usual spellings, in Jakarta; without a time only the day is known. */
export function parseStatementTime(
  text: string,
  order: DateOrder = 'dmy',
): StatementTime | undefined {
  const trimmed = text.trim().replace(/^'/, '')
  const parts = datePartsOf(trimmed, order)
  if (parts === undefined) return undefined
  const day = dayOf(parts)
  if (day === undefined) return undefined
  if (parts.rest === '') return { day, occurred_at: null }
  return withTime(day, parts.rest)
}

interface DateParts {
  year: string
  month: string
  day: string
  rest: string
}

function datePartsOf(text: string, order: DateOrder): DateParts | undefined {
  const [, iso_year, iso_month = '', iso_day = '', iso_rest = ''] = YEAR_FIRST.exec(text) ?? []
  if (iso_year !== undefined) {
    return { year: iso_year, month: iso_month, day: iso_day, rest: iso_rest }
  }
  const [, name, name_day = '', name_year = '', name_rest = ''] = MONTH_FIRST.exec(text) ?? []
  if (name !== undefined) return { year: name_year, month: name, day: name_day, rest: name_rest }
  const [, first, second = '', year = '', rest = ''] = YEAR_LAST.exec(text) ?? []
  if (first === undefined) return undefined
  const full = year.length === 2 ? `20${year}` : year
  const swapped = order === 'mdy' && /\d/.test(second)
  const [day, month] = swapped ? [second, first] : [first, second]
  return { year: full, month, day, rest }
}

function dayOf({ year, month, day }: DateParts): string | undefined {
  const named = MONTHS.findIndex((names) => names.some((name) => name === month.toLowerCase()))
  const number = /\d/.test(month) ? Number(month) : named + 1
  const text = [year, String(number).padStart(2, '0'), day.padStart(2, '0')].join('-')
  return isDay(text) ? text : undefined
}

const YEARS = { first: 2000, last: 2099 }

/** Whether the calendar has this day: 30 February is none. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  const year = Number(text.slice(0, 4))
  if (Number.isNaN(date.getTime()) || year < YEARS.first || year > YEARS.last) return false
  return date.toISOString().slice(0, 10) === text
}

function withTime(day: string, rest: string): StatementTime | undefined {
  const [, hour_text, minute = '', second = '00', half, zone] = TIME.exec(rest) ?? []
  if (hour_text === undefined) return undefined
  const given = Number(hour_text)
  if (half !== undefined && (given < 1 || given > 12)) return undefined
  const hour = half === undefined ? given : (given % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const clock = `${String(hour).padStart(2, '0')}:${minute}:${second}`
  const occurred_at = new Date(`${day}T${clock}${zone?.toUpperCase() === 'Z' ? 'Z' : '+07:00'}`)
  const local = new Date(occurred_at.getTime() + 7 * 3_600_000)
  return { day: local.toISOString().slice(0, 10), occurred_at }
}
