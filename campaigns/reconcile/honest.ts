// Records without a fault, of any size, written by the database itself.
import type { Database } from '../../packages/service/src/store/connection/database.ts'
import { METHODS } from './world.ts'

const FIRST_DAY = '2026-08-03'
const DAYS = 60
const INSIDE_PAYOUT = 100
const RATED = METHODS.slice(0, 7)

const CASES = (of: (method: (typeof RATED)[number]) => string | number): string =>
  RATED.map((method, index) => `when ${index} then ${of(method)}`).join(' ')

const uuidOf = (text: string): string => `md5(${text})::uuid`

/** One row for each number: everything about a payment follows from it. */
const SERIES = `
  select n, amount, day, paid_at, type, channel, fee + vat as fee,
    'WLST' || substr(md5('payout' || (n - 1) / ${INSIDE_PAYOUT}), 1, 14) as payout
  from (
    select base.*, round(fee * 0.11) as vat
    from (
      select n, 10000 + (n * 7919 % 990) * 1000 as amount,
        date '${FIRST_DAY}' + ((n - 1) / ${INSIDE_PAYOUT} % ${DAYS})::integer as day,
        (date '${FIRST_DAY}' + ((n - 1) / ${INSIDE_PAYOUT} % ${DAYS})::integer)::timestamp
          at time zone 'Asia/Jakarta' + interval '10 hours' + n % 20000 * interval '1 second'
          as paid_at,
        case n % ${RATED.length} ${CASES(({ type }) => `'${type}'`)} end as type,
        case n % ${RATED.length} ${CASES(({ channel }) => `'${channel}'`)} end as channel,
        round((10000 + (n * 7919 % 990) * 1000)
          * (case n % ${RATED.length} ${CASES(({ basis_points }) => basis_points)} end) / 10000.0)
          + (case n % ${RATED.length} ${CASES(({ fixed }) => fixed)} end) as fee
      from generate_series($1::bigint, $2::bigint) as n
    ) as base
  ) as rounded`

const STATEMENTS: readonly string[] = [
  `insert into gapura.gateway_payment (
     id, owner_id, order_id, transaction_id, api_family, payment_type, bank, store, gross_amount,
     currency, transaction_status, authorized_amount, captured_amount, booked_received, paid_at,
     settlement_time, transaction_time, created_at, updated_at
   )
   select ${uuidOf("'payment' || n")}, 'shop', 'honest-' || n, md5('transaction' || n)::uuid::text,
     'classic', type, case when type = 'bank_transfer' then channel end,
     case when type = 'cstore' then channel end, amount, 'IDR', 'settlement', amount, amount, amount,
     paid_at, paid_at, paid_at, paid_at - interval '5 minutes', paid_at
   from (${SERIES}) as given`,
  `insert into gapura.gateway_payment_state
     (id, created_at, paid_at, owner_id, payment_type, transaction_status, captured_amount)
   select ${uuidOf("'payment' || n")}, paid_at - interval '5 minutes', paid_at, 'shop', type,
     'settlement', amount
   from (${SERIES}) as given`,
  `insert into gapura.gateway_payment_term (kind, term, created_at, payment_id)
   select 'transaction_id', md5('transaction' || n)::uuid::text, paid_at - interval '5 minutes',
     ${uuidOf("'payment' || n")}
   from (${SERIES}) as given`,
  `insert into gapura.ledger_posting
     (object_id, payment_id, occurred_at, booked_at, booked_on, version, object_kind, kind, source,
      destination, amount)
   select ${uuidOf("'payment' || n")}, ${uuidOf("'payment' || n")}, paid_at, gapura.now(), day, 1,
     'payment', 'received', 'sales:shop', 'gateway:pending', amount
   from (${SERIES}) as given`,
  `insert into gapura.statement_line
     (id, occurred_at, day, version, side, source, kind, line_key, content_sha256, amount, fee,
      currency, status, order_id, transaction_id, reference, channel, raw)
   select ${uuidOf("'line' || n")}, paid_at, day, 1, 'gateway', 'portal_csv', 'payment',
     'line' || n, md5('line' || n), amount, fee, 'IDR', 'settlement', 'honest-' || n,
     md5('transaction' || n)::uuid::text, payout, type, '{}'::jsonb
   from (${SERIES}) as given`,
  `insert into gapura.statement_line
     (id, occurred_at, day, version, side, source, kind, line_key, content_sha256, amount, currency,
      status, reference, raw)
   select ${uuidOf("'payout line' || payout")}, min(paid_at), min(day), 1, 'gateway', 'portal_csv',
     'withdrawal', 'payout ' || payout, md5(payout), sum(amount - fee), 'IDR', 'SUCCESS', payout, '{}'::jsonb
   from (${SERIES}) as given
   group by payout`,
  `insert into gapura.statement_line
     (id, day, version, side, source, kind, line_key, content_sha256, amount, currency, description,
      raw)
   select ${uuidOf("'bank' || payout")}, gapura.business_day_after(min(day), 1), 1, 'bank', 'mt940',
     'entry', 'bank ' || payout, md5('bank' || payout), sum(amount - fee), 'IDR',
     'MCM InhouseTrf DARI DOMPET ANAK BANGSA G075070944 2201 ' || payout, '{}'::jsonb
   from (${SERIES}) as given
   group by payout
   union all
   -- What else is on a bank account.
   select ${uuidOf("'noise' || payout")}, min(day), 1, 'bank', 'mt940', 'entry', 'noise ' || payout,
     md5('noise' || payout), -1234567, 'IDR', 'TRSF E-BANKING DB SEWA KANTOR', '{}'::jsonb
   from (${SERIES}) as given
   group by payout`,
]

const UNUSED = ['owner', 'owner_type', 'created', 'type', 'amount'] as const

const CHUNK = 50_000

/** So many payments, each with its line, in payouts of a hundred that are at the bank. */
export async function addHonest(
  db: Database,
  n: number,
  say: (text: string) => void,
  first = 1,
): Promise<void> {
  const { pool } = db
  const triggers = async (verb: string): Promise<unknown> =>
    await pool.query(
      `alter table gapura.gateway_payment ${verb} trigger gateway_payment_state_begins`,
    )
  await triggers('disable')
  // The lists of staff need these, and matching does not: a million rows are written in half the time.
  for (const index of UNUSED)
    await pool.query(`drop index if exists gapura.gateway_payment_${index}`)
  for (let from = first; from <= n; from += CHUNK) {
    const span = [from, Math.min(n, from + CHUNK - 1)]
    await Promise.all(STATEMENTS.map(async (text) => await pool.query(text, span)))
    if (from > 1 && (from - 1) % (CHUNK * 5) === 0) say(`${from - 1} payments written`)
  }
  await triggers('enable')
  await pool.query('analyze')
}

export const honestPayouts = (n: number): number => Math.ceil(n / INSIDE_PAYOUT)
