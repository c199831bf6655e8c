// Records without a fault, of any size, written by the database itself: a table at a time, and its
// indexes afterwards. A trigger that is off meanwhile is made up for, which `filledWrongly` checks.
import { Client } from 'pg'
import { METHODS } from './world.ts'

const FIRST_DAY = '2026-08-03'
const DAYS = 60
const INSIDE_PAYOUT = 100
const RATED = METHODS.slice(0, 7)

const CASES = (of: (method: (typeof RATED)[number]) => string | number): string =>
  RATED.map((method, index) => `when ${index} then ${of(method)}`).join(' ')

/** As the service makes ids: the time first, so that what is made together is stored together. */
const uuidOf = (time: string, text: string): string =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '7'
     || substr(md5(${text}), 1, 3) || 'a' || substr(md5(${text}), 4, 15))::uuid`

const PAYMENT_ID = uuidOf("paid_at - interval '5 minutes'", "'payment' || n")
/** Lines are stored day by day, as they are read, two thousand in a transaction. */
const STORED_AT = `(select gapura.now() - interval '1 day') + n / 2000 * interval '1 second'`
const lineId = (text: string): string =>
  uuidOf(`${STORED_AT} + n % 2000 * interval '0.4 milliseconds'`, text)

/** One row for each number: everything about a payment follows from it. */
const SERIES = `
  create unlogged table public.honest as
  select n, amount, day, paid_at, type, channel, fee + vat as fee,
    'WLST' || substr(md5('payout' || (n - 1) / ${INSIDE_PAYOUT}), 1, 14) as payout
  from (
    select base.*, round(fee * 0.11) as vat
    from (
      select n, 10000 + (n * 7919 % 990) * 1000 as amount, day,
        day::timestamp at time zone 'Asia/Jakarta' + interval '10 hours'
          + n % 20000 * interval '1 second' as paid_at,
        case n % ${RATED.length} ${CASES(({ type }) => `'${type}'`)} end as type,
        case n % ${RATED.length} ${CASES(({ channel }) => `'${channel}'`)} end as channel,
        round((10000 + (n * 7919 % 990) * 1000)
          * (case n % ${RATED.length} ${CASES(({ basis_points }) => basis_points)} end) / 10000.0)
          + (case n % ${RATED.length} ${CASES(({ fixed }) => fixed)} end) as fee
      from (
        select n, date '${FIRST_DAY}'
          + ((n - 1) / ${INSIDE_PAYOUT} * ${DAYS} / ((SIZE - 1) / ${INSIDE_PAYOUT} + 1))::integer as day
        from generate_series(1, SIZE::bigint) as n
      ) as given
    ) as base
  ) as rounded`

const TABLES: readonly string[] = [
  'gateway_payment',
  'gateway_payment_state',
  'gateway_payment_term',
  'ledger_posting',
  'statement_line',
]

const STATEMENTS: readonly string[] = [
  `insert into gapura.gateway_payment (
     id, owner_id, order_id, transaction_id, api_family, payment_type, bank, store, gross_amount,
     currency, transaction_status, authorized_amount, captured_amount, booked_received, paid_at,
     settlement_time, transaction_time, created_at, updated_at
   )
   select ${PAYMENT_ID}, 'shop', 'honest-' || n, md5('transaction' || n)::uuid::text,
     'classic', type, case when type = 'bank_transfer' then channel end,
     case when type = 'cstore' then channel end, amount, 'IDR', 'settlement', amount, amount, amount,
     paid_at, paid_at, paid_at, paid_at - interval '5 minutes', paid_at
   from public.honest`,
  `insert into gapura.statement_line
     (id, created_at, occurred_at, day, version, side, source, kind, line_key, content_sha256, amount, fee,
      currency, status, order_id, transaction_id, reference, channel, raw)
   select ${lineId("'line' || n")}, ${STORED_AT}, paid_at, day, 1, 'gateway', 'portal_csv', 'payment',
     'line' || n, md5('line' || n), amount, fee, 'IDR', 'settlement', 'honest-' || n,
     md5('transaction' || n)::uuid::text, payout, type, '{}'::jsonb
   from public.honest`,
  `insert into gapura.gateway_payment_state
     (id, created_at, paid_at, owner_id, payment_type, transaction_status, captured_amount)
   select ${PAYMENT_ID}, paid_at - interval '5 minutes', paid_at, 'shop', type, 'settlement', amount
   from public.honest`,
  `insert into gapura.ledger_posting
     (object_id, payment_id, occurred_at, booked_at, booked_on, version, object_kind, kind, source,
      destination, amount)
   select ${PAYMENT_ID}, ${PAYMENT_ID}, paid_at, (select gapura.now()), day, 1, 'payment', 'received',
     'sales:shop', 'gateway:pending', amount
   from public.honest`,
  `insert into gapura.gateway_payment_term (kind, term, created_at, payment_id)
   select 'transaction_id', md5('transaction' || n)::uuid::text, paid_at - interval '5 minutes',
     ${PAYMENT_ID}
   from public.honest
   order by 2`,
  `insert into gapura.statement_line
     (id, created_at, occurred_at, day, version, side, source, kind, line_key, content_sha256, amount, currency,
      status, reference, raw)
   select ${lineId("'payout line' || payout")}, ${STORED_AT}, paid_at, day, 1, 'gateway', 'portal_csv',
     'withdrawal', 'payout ' || payout, md5(payout), amount, 'IDR', 'SUCCESS', payout, '{}'::jsonb
   from (PAYOUTS) as payout`,
  `insert into gapura.statement_line
     (id, created_at, day, version, side, source, kind, line_key, content_sha256, amount, currency, description,
      raw)
   select ${lineId("'bank' || payout")}, ${STORED_AT}, gapura.business_day_after(day, 1), 1, 'bank', 'mt940',
     'entry', 'bank ' || payout, md5('bank' || payout), amount, 'IDR',
     'MCM InhouseTrf DARI DOMPET ANAK BANGSA G075070944 2201 ' || payout, '{}'::jsonb
   from (PAYOUTS) as payout
   union all
   -- What else is on a bank account.
   select ${lineId("'noise' || payout")}, ${STORED_AT}, day, 1, 'bank', 'mt940', 'entry', 'noise ' || payout,
     md5('noise' || payout), -1234567, 'IDR', 'TRSF E-BANKING DB SEWA KANTOR', '{}'::jsonb
   from (PAYOUTS) as payout`,
].map((text) =>
  text.replaceAll(
    'PAYOUTS',
    `select payout, min(n) as n, min(paid_at) as paid_at, min(day) as day,
       sum(amount - fee) as amount
     from public.honest
     group by payout`,
  ),
)

/** Every statement once, on as many connections as there are cores to use. */
async function runAll(clients: readonly Client[], statements: readonly string[]): Promise<void> {
  const waiting = [...statements]
  await Promise.all(
    clients.map(async (client) => {
      for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
        await client.query(text)
      }
    }),
  )
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `set synchronous_commit = off; set jit = off; set maintenance_work_mem = '512MB'; set work_mem = '256MB'`,
  )
  return client
}

/** So many payments, each with its line, in payouts of a hundred that are at the bank. */
export async function addHonest(url: string, n: number, say: (text: string) => void) {
  const clients = await Promise.all([connect(url), connect(url)])
  const [client] = clients
  const trigger = async (verb: string): Promise<unknown> =>
    await client.query(
      `alter table gapura.gateway_payment ${verb} trigger gateway_payment_state_begins,
       ${verb} trigger gateway_payment_terms_begin`,
    )
  try {
    await client.query(SERIES.replaceAll('SIZE', String(n)))
    await client.query('analyze public.honest')
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
       from pg_index
       where indrelid = any($1::regclass[]) and not indisprimary
       order by indrelid`,
      [TABLES.map((name) => `gapura.${name}`)],
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    await trigger('disable')
    await runAll(clients, STATEMENTS)
    await trigger('enable')
    say(`${n} payments written`)
    await runAll(
      clients,
      indexes.map(({ definition }) => definition),
    )
    await client.query('drop table public.honest; analyze')
    say('indexes made')
  } finally {
    await Promise.all(clients.map(async (one) => await one.end()))
  }
}

/** Payments of which the trigger would have written another state or term: none, if all is well. */
export const FILLED_WRONGLY = `
  select count(*)::integer as wrong
  from gapura.gateway_payment as payment
  left join gapura.gateway_payment_state as state on state.id = payment.id
  left join gapura.gateway_payment_term as term on term.kind = 'transaction_id'
    and term.term = payment.transaction_id
    and term.created_at = payment.created_at
    and term.payment_id = payment.id
  where (payment.created_at, payment.expiry_time, payment.paid_at, payment.next_check_at,
      payment.owner_id, payment.payment_type, payment.transaction_status, payment.captured_amount,
      payment.transaction_id)
    is distinct from (state.created_at, state.expiry_time, state.paid_at, state.next_check_at,
      state.owner_id, state.payment_type, state.transaction_status, state.captured_amount, term.term)`

export const honestPayouts = (n: number): number => Math.ceil(n / INSIDE_PAYOUT)
