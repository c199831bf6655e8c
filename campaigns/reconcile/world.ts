// Three sets of records that a campaign writes by its own figures: our payments with their postings, the
// gateway's lines and the bank's. Fees are computed here once more, not by the service.
import { createHash } from 'node:crypto'
import { withTransaction } from '../../packages/service/src/store/connection/transaction.ts'
import { insertLines } from '../../packages/service/src/store/statements/lines.ts'
import { NO_CONTENT, type StatementContent } from '../../packages/service/src/domain/statement.ts'
import type { Database } from '../../packages/service/src/store/connection/database.ts'

/** What the gateway keeps: hundredths of a percent, and rupiah for each payment. */
export const METHODS = [
  { type: 'qris', channel: '', basis_points: 70, fixed: 0, rated: true },
  { type: 'gopay', channel: '', basis_points: 200, fixed: 0, rated: true },
  { type: 'bank_transfer', channel: 'bca', basis_points: 0, fixed: 4_000, rated: true },
  { type: 'credit_card', channel: '', basis_points: 290, fixed: 2_000, rated: true },
  { type: 'shopeepay', channel: '', basis_points: 200, fixed: 0, rated: true },
  { type: 'echannel', channel: '', basis_points: 0, fixed: 4_000, rated: true },
  { type: 'cstore', channel: 'alfamart', basis_points: 0, fixed: 5_000, rated: false },
  { type: 'dana', channel: '', basis_points: 150, fixed: 0, rated: false },
  { type: 'ovo', channel: '', basis_points: 150, fixed: 0, rated: false },
  { type: 'akulaku', channel: '', basis_points: 170, fixed: 0, rated: false },
  { type: 'kredivo', channel: '', basis_points: 200, fixed: 0, rated: false },
] as const

export type Method = (typeof METHODS)[number]

/** Fee with VAT of 11 %, each rounded half up to whole rupiah. */
export function feeOf({ basis_points, fixed }: Method, amount: number): number {
  const fee = Math.floor((amount * basis_points + 5_000) / 10_000) + fixed
  return fee + Math.floor((fee * 11 + 50) / 100)
}

export const idOf = (text: string): string => {
  const hex = createHash('md5').update(text).digest('hex')
  return [8, 12, 16, 20, 32].map((end, at) => hex.slice([0, 8, 12, 16, 20][at], end)).join('-')
}

export interface Paid {
  name: string
  method: Method
  amount: number
  /** In Jakarta, as 2026-09-01T10:00:00. */
  paid_at: string
  settled_at?: string | null
  status?: string
  refunded?: number
  charged_back?: number
  transaction_id?: string | null
}

const wib = (time: string): string => `${time}+07:00`

export const transactionOf = (name: string): string => idOf(`transaction ${name}`)

const ADD_PAYMENTS = `with given as (
       select * from jsonb_to_recordset($1) as given (
         id uuid, order_id text, transaction_id text, payment_type text, bank text, store text,
         amount numeric, status text, paid_at timestamptz, made_at timestamptz,
         settled_at timestamptz, received numeric, refunded numeric, charged_back numeric
       )
     ), made as (
       insert into gapura.gateway_payment (
         id, owner_id, order_id, transaction_id, api_family, payment_type, bank, store,
         gross_amount, currency, transaction_status, authorized_amount, captured_amount,
         refunded_amount, booked_received, booked_refunded, booked_charged_back, paid_at,
         settlement_time, transaction_time, created_at, updated_at
       )
       select id, 'shop', order_id, transaction_id, 'classic', payment_type, bank, store, amount,
         'IDR', status, received, received, refunded, received, refunded, charged_back, paid_at,
         case when received > 0 then settled_at end, made_at, made_at - interval '5 minutes', made_at
       from given
     )
     insert into gapura.ledger_posting
       (object_id, payment_id, occurred_at, booked_at, booked_on, version, object_kind, kind,
        source, destination, amount)
     select id, id, at, greatest(at, gapura.now()), (at at time zone 'Asia/Jakarta')::date, 1,
       'payment', kind, source, destination, part
     from given
     cross join lateral (
       values
         ('received', 'sales:shop', 'gateway:pending', received,
          case when payment_type = 'credit_card' then paid_at else coalesce(settled_at, paid_at) end),
         ('refunded', 'gateway:pending', 'refunds:shop', refunded, made_at),
         ('charged_back', 'gateway:pending', 'chargebacks:shop', charged_back, made_at)
     ) as posting (kind, source, destination, part, at)
     where part > 0`

/** Stores payments as they are after their transitions, with the postings of those. */
export async function addPayments(db: Database, paid: readonly Paid[]): Promise<void> {
  const rows = paid.map((one) => {
    const held = !['pending', 'expire', 'deny', 'cancel'].includes(one.status ?? 'settlement')
    return {
      id: idOf(`payment ${one.name}`),
      order_id: one.name,
      transaction_id:
        one.transaction_id === undefined ? transactionOf(one.name) : one.transaction_id,
      payment_type: one.method.type,
      bank: one.method.type === 'bank_transfer' ? one.method.channel : null,
      store: one.method.type === 'cstore' ? one.method.channel : null,
      amount: one.amount,
      status: one.status ?? 'settlement',
      paid_at: held ? wib(one.paid_at) : null,
      made_at: wib(one.paid_at),
      settled_at: one.settled_at === null ? null : wib(one.settled_at ?? one.paid_at),
      received: held ? one.amount : 0,
      refunded: one.refunded ?? 0,
      charged_back: one.charged_back ?? 0,
    }
  })
  await db.pool.query(ADD_PAYMENTS, [JSON.stringify(rows)])
}

export interface Refund {
  payment: string
  key: string
  amount: number
  made_at: string
  status?: string
}

export async function addRefunds(db: Database, refunds: readonly Refund[]): Promise<void> {
  const rows = refunds.map((one) => ({
    id: idOf(`refund ${one.key}`),
    payment_id: idOf(`payment ${one.payment}`),
    refund_key: one.key,
    amount: one.amount,
    status: one.status ?? 'succeeded',
    made_at: wib(one.made_at),
  }))
  await db.pool.query(
    `insert into gapura.gateway_refund
       (id, payment_id, owner_id, refund_key, amount, reason, status, source, created_at, updated_at)
     select id, payment_id, 'shop', refund_key, amount, 'campaign', status, 'service', made_at, made_at
     from jsonb_to_recordset($1) as given (
       id uuid, payment_id uuid, refund_key text, amount numeric, status text, made_at timestamptz
     )`,
    [JSON.stringify(rows)],
  )
}

export type Source = 'portal_csv' | 'history_api' | 'balance_api' | 'mt940'

export interface Line extends Partial<Omit<StatementContent, 'amount' | 'fee' | 'balance'>> {
  key: string
  amount: number
  fee?: number | null
  balance?: number
}

const hundredths = (rupiah: number): bigint => BigInt(Math.round(rupiah * 100))

/** Stores lines as a reader of the gateway or of a file does. */
export async function addLines(
  db: Database,
  source: Source,
  lines: readonly Line[],
): Promise<void> {
  const side = source === 'mt940' ? 'bank' : 'gateway'
  const given = lines.map(({ key, amount, fee, balance, ...line }) => {
    const content = {
      ...NO_CONTENT,
      kind: side === 'bank' ? ('entry' as const) : ('payment' as const),
      currency: 'IDR',
      ...line,
      amount: line.kind === 'unreadable' ? null : hundredths(amount),
      fee: fee === undefined || fee === null ? null : hundredths(fee),
      balance: balance === undefined ? null : hundredths(balance),
    }
    const said = [key, amount, fee, balance, JSON.stringify(line)].join('|')
    const content_sha256 = createHash('sha256').update(said).digest('hex')
    const id = idOf(`${source} ${said}`)
    return { ...content, id, line_key: key, line_number: null, raw: {}, content_sha256 }
  })
  const CHUNK = 2_000
  for (let at = 0; at < given.length; at += CHUNK) {
    const chunk = given.slice(at, at + CHUNK)
    await withTransaction(db, async (tx) => {
      await insertLines(tx, { side, source, import_id: null, lines: chunk })
    })
  }
}

/** The id by which a line that has no payment is known. */
export const lineId = (source: Source, { key, amount, fee, balance, ...line }: Line): string =>
  idOf(`${source} ${[key, amount, fee, balance, JSON.stringify(line)].join('|')}`)
