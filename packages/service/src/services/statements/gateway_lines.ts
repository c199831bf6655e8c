// The gateway's answers as lines of its statement.
import { parseMoney } from '../../domain/money.ts'
import { NO_CONTENT, type StatementKind } from '../../domain/statement.ts'
import { jakartaDay, parseGatewayTime } from '../../domain/time.ts'
import { isObject } from '../../gateway/json.ts'
import {
  parseHistoryLine,
  type BalanceMutation,
  type HistoryLine,
} from '../../gateway/wire/statements.ts'
import type { NewLine } from '../../store/statements/lines.ts'
import { unreadableLine, versionedLine } from './keyed_lines.ts'

type Redact = (value: unknown) => unknown

/** The gateway's words for what a line is, and those of BI-SNAP. */
const KINDS: Readonly<Record<string, StatementKind>> = {
  PAYMENT: 'payment',
  TOP_UP: 'top_up',
  WITHDRAWAL: 'withdrawal',
  RECEIVE_MONEY: 'withdrawal',
  DISBURSEMENT: 'disbursement',
  SEND_MONEY: 'disbursement',
}

/** A page as lines to store: one for each that was read, but equal ones once. */
export function historyLines(rows: readonly unknown[], redact: Redact): NewLine[] {
  const lines = new Map<string, NewLine>()
  for (const row of rows) {
    const line = historyLine(row, redact)
    lines.set(line.line_key, line)
  }
  return [...lines.values()]
}

function historyLine(row: unknown, redact: Redact): NewLine {
  const raw = withoutPerson(redact(row))
  const parsed = parseHistoryLine(row)
  const readable = parsed && readableLine(parsed, raw)
  return readable ?? unreadableLine('history', raw)
}

function readableLine(parsed: HistoryLine, raw: Record<string, unknown>): NewLine | undefined {
  const { amount, additionalInfo: info } = parsed
  const occurred_at = parseGatewayTime(parsed.dateTime)
  const [value, fee] = [moneyOf(amount.value), moneyOf(info.fee?.value)]
  const reference = info.referenceNo ?? ''
  if (occurred_at === undefined || value === undefined || reference === '') return undefined
  if (fee === undefined && info.fee !== undefined && info.fee !== null) return undefined
  const type = info.type ?? parsed.type ?? ''
  const kind = KINDS[type] ?? 'other'
  const is_payment = kind === 'payment'
  if ([reference, info.partnerReferenceNo ?? '', type].some((text) => !isShort(text))) {
    return undefined
  }
  return versionedLine({
    ...NO_CONTENT,
    line_key: `${type}:${reference}`,
    kind,
    day: jakartaDay(occurred_at),
    occurred_at,
    amount: value,
    fee: fee ?? null,
    currency: amount.currency ?? null,
    status: info.status ?? parsed.status ?? null,
    order_id: is_payment ? (info.partnerReferenceNo ?? null) : null,
    transaction_id: is_payment ? reference : null,
    // Of a withdrawal the bank shows the gateway's second reference.
    reference: is_payment ? null : (info.partnerReferenceNo ?? reference),
    channel: info.channel ?? null,
    raw,
  })
}

/** Ids are looked up by indexes, which hold no longer ones. */
const isShort = (text: string): boolean => text.length <= 200

const moneyOf = (value: unknown) => (value === undefined ? undefined : parseMoney(value))

const PERSONAL = new Set(['customerEmail', 'customerName', 'customerPhone'])

/** What a customer could be found by is not needed to match money, and is not kept. */
function withoutPerson(value: unknown): Record<string, unknown> {
  if (!isObject(value)) return { value }
  const info = value['additionalInfo']
  if (!isObject(info)) return value
  const kept = Object.entries(info).filter(([name]) => !PERSONAL.has(name))
  return { ...value, additionalInfo: Object.fromEntries(kept) }
}

/** A day's balance: its amount is what the day added, its balance what the gateway then owed us. */
export function balanceLine(day: string, reply: BalanceMutation, redact: Redact): NewLine {
  const opening = parseMoney(reply.opening_balance_overall)
  const closing = parseMoney(reply.closing_balance_overall)
  const cleaned = redact(reply)
  const raw = isObject(cleaned) ? cleaned : { value: cleaned }
  if (opening === undefined || closing === undefined) return unreadableLine(`balance:${day}`, raw)
  return versionedLine({
    ...NO_CONTENT,
    line_key: day,
    kind: 'balance',
    day,
    amount: closing - opening,
    balance: closing,
    currency: 'IDR',
    raw,
  })
}
