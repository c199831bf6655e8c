// One search box accepts anything a customer can read out. A term is read as everything it could
// be, the most specific first; the caller queries the database for each.
import { parseMoney, type Money } from './money.ts'
import { parseGatewayTime } from './time.ts'

export type SearchCandidate =
  | { kind: 'id'; value: string }
  | { kind: Exclude<TextKind, 'id'>; value: string }
  | { kind: 'gross_amount'; value: Money }
  /** A calendar day in Jakarta, from its first moment to before the next one's. */
  | { kind: 'created_on'; value: string; from: Date; before: Date }

const SEARCH_TEXT_KINDS = [
  'id',
  'transaction_id',
  'order_id',
  'customer_name',
  'customer_phone',
  'customer_email',
  'va_number',
  'bill_key',
  'payment_code',
  'refund_key',
  'card_last_four',
] as const

type TextKind = (typeof SEARCH_TEXT_KINDS)[number]

export const SEARCH_KINDS = [...SEARCH_TEXT_KINDS, 'gross_amount', 'created_on'] as const

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const ORDER_ID = /^[A-Za-z0-9._~-]{3,100}$/
const EMAIL = /^\S{2,}@\S*$/
const NAME = /^[\p{L}\p{M}][\p{L}\p{M}\p{N} .,'’-]{2,99}$/u
const DAY_MS = 86_400_000

const named = (kind: Exclude<TextKind, 'id'>, value: string): SearchCandidate => ({ kind, value })

/** Everything a term could mean. Empty: it matches nothing of a payment. */
export function readSearchTerm(text: string): SearchCandidate[] {
  const term = text.trim().replaceAll(/\s+/g, ' ')
  const day = dayIn(term)
  if (day !== undefined) return [day]
  const key = /^\S{8,100}$/.test(term) ? [named('refund_key', term)] : []
  if (UUID.test(term)) {
    return [{ kind: 'id', value: term }, named('transaction_id', term), ...key]
  }
  if (EMAIL.test(term)) return [named('customer_email', term)]
  return [
    ...(ORDER_ID.test(term) ? [named('order_id', term)] : []),
    ...(NAME.test(term) ? [named('customer_name', term)] : []),
    // The beginning of an address, before its @.
    ...(/^[a-z][\w.+-]{2,63}$/i.test(term) ? [named('customer_email', term)] : []),
    ...numbersIn(term),
    ...amountIn(term),
    ...key,
  ]
}

/** Numbers are read out in groups: `8808 1234 5678`, `0812-3456-789`, `+62 (812) 3456`. */
function numbersIn(term: string): SearchCandidate[] {
  if (!/^\+?[\d\s().-]+$/.test(term)) return []
  const digits = term.replaceAll(/\D/g, '')
  const card = /^\d{4}$/.test(term) ? [named('card_last_four', term)] : []
  const phone = /^\d{4,20}$/.test(digits) ? phoneDigits(digits) : ''
  const phones = phone.length < 5 ? [] : [named('customer_phone', phone)]
  if (!/^\d{6,30}$/.test(digits) || term.startsWith('+')) return [...phones, ...card]
  return [
    ...phones,
    named('va_number', digits),
    named('bill_key', digits),
    named('payment_code', digits),
  ]
}

/** One spelling of a phone number, as the database's phone_digits writes it. */
export function phoneDigits(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '')
  if (/^00(?!62)/.test(digits)) return digits.slice(2)
  if (!/^(?:00)?62|^0|^8/.test(digits)) return digits
  return `62${digits.replace(/^(?:00)?(?:62)?0*/, '')}`
}

/** `150000`, `Rp 150.000`, `150.000,50`, `150,000.50`, `150000.00`. */
function amountIn(term: string): SearchCandidate[] {
  const text = term.replace(/^(?:rp\.?|idr)\s*/i, '').replaceAll(/\s/g, '')
  const grouped = /^\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?$/.test(text)
  const foreign = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/.test(text)
  const plain = grouped
    ? text.replaceAll('.', '').replace(',', '.')
    : foreign
      ? text.replaceAll(',', '')
      : text.replace(/,(\d{1,2})$/, '.$1')
  const value = parseMoney(plain)
  return value === undefined || value <= 0n ? [] : [{ kind: 'gross_amount', value }]
}

// Indonesian and English begin alike but for these; May is Mei, August Agustus or Agt, October
// Oktober, December Desember.
const MONTHS = [
  /^jan/,
  /^feb|^peb/,
  /^mar/,
  /^apr/,
  /^ma?e?[iy]$/,
  /^jun/,
  /^jul/,
  /^aug|^agu|^agt|^ags/,
  /^sep/,
  /^o[ck]t/,
  /^no[vp]/,
  /^de[cs]/,
]

/** `2026-11-15`, `15/11/2026`, `15-11-2026`, `15.11.2026`, `15 Nov 2026`, `15 Nopember 2026`. */
function dayIn(term: string): SearchCandidate | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(term)
  if (iso) return dayOf(iso[1], iso[2], iso[3])
  const numbers = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(term)
  if (numbers) return dayOf(numbers[3], numbers[2], numbers[1])
  const words = /^(\d{1,2}) ([a-z]{3,9})\.? (\d{4})$/i.exec(term)
  if (words === null) return undefined
  const word = words[2]?.toLowerCase() ?? ''
  // Of another word the month is 0, which has no day.
  const month = MONTHS.findIndex((pattern) => pattern.test(word)) + 1
  return dayOf(words[3], String(month), words[1])
}

function dayOf(year = '', month = '', day = ''): SearchCandidate | undefined {
  const value = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const from = parseGatewayTime(`${value} 00:00:00`)
  if (from === undefined) return undefined
  return { kind: 'created_on', value, from, before: new Date(from.getTime() + DAY_MS) }
}
