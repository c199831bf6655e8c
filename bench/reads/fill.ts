// Payments by the million, inserted by SQL. Every owner has equally many at any size: row n belongs
// to owner n modulo the number of owners, so that an owner's rows are spread over the table. They
// have no history, because this database is only read and no invariant is checked on it.
import { statfs } from 'node:fs/promises'
import type { Pool } from 'pg'
import { withoutIndexes } from '../fill.ts'
import { timedId } from '../orders.ts'

export const ROWS_PER_OWNER = 1_000
const CHUNK = 100_000

/** Size of a payment with all its indexes and its item, measured at ten million. */
const BYTES_PER_PAYMENT = 1_550

export const ownersOf = (payments: number): number => Math.max(1, payments / ROWS_PER_OWNER)

/** The id of row n: in order of creation, like the service's own ids. */
const idOf = (kind: string): string => timedId('n', `'${kind}' || n`)
const PAYMENT_ID = idOf('payment')

const TYPES = `(array['bank_transfer', 'gopay', 'qris', 'credit_card', 'cstore'])`
/** The row's number within its owner, so that every owner has the same share of each. */
const NTH = `(n / $3::bigint)`

const PAYMENTS = `
  insert into SCHEMA.gateway_payment (id, owner_id, order_id, transaction_id, payment_type, bank,
    va_number, gross_amount, transaction_status, status_code, customer_first_name, customer_email,
    authorized_amount, captured_amount, paid_at, settlement_time, version, metadata, created_at,
    updated_at)
  select ${PAYMENT_ID}, 'owner-' || n % $3::bigint, 'order-' || n, md5('t' || n)::uuid::text,
    ${TYPES}[1 + ${NTH} % 5], 'bca', (810000000000 + n)::text, 10000 + n % 5000 * 100,
    case when ${NTH} % 20 = 7 then 'expire' else 'settlement' end, '200', 'Budi',
    'customer' || n % $3::bigint || '-' || ${NTH} % 40 || '@example.com',
    case when ${NTH} % 20 = 7 then 0 else 10000 + n % 5000 * 100 end,
    case when ${NTH} % 20 = 7 then 0 else 10000 + n % 5000 * 100 end,
    case when ${NTH} % 20 <> 7 then at end, case when ${NTH} % 20 <> 7 then at end, 3,
    '{"cart": "a few words of metadata"}', at, at
  from (
    select n, timestamptz '2026-11-01' - ($4::bigint - n) * (interval '730 days' / $4::bigint) as at
    from generate_series($1::bigint, $2::bigint) as n
  ) as drawn`

const ITEMS = `
  insert into SCHEMA.gateway_payment_item (id, payment_id, position, quantity, owner_id, name, price)
  select ${idOf('item')}, ${PAYMENT_ID}, 0, 1, 'owner-' || n % $3::bigint, 'Rice',
    10000 + n % 5000 * 100
  from generate_series($1::bigint, $2::bigint) as n
  where $4::bigint > 0`

const STATES = `
  insert into SCHEMA.gateway_payment_state (id, created_at, expiry_time, paid_at, next_check_at,
    owner_id, payment_type, transaction_status, captured_amount)
  select id, created_at, expiry_time, paid_at, next_check_at, owner_id, payment_type,
    transaction_status, captured_amount
  from generate_series($1::bigint, $2::bigint) as n
  join SCHEMA.gateway_payment on id = ${PAYMENT_ID}
  where $3::bigint + $4::bigint > 0`

const TABLES = ['gateway_payment', 'gateway_payment_item', 'gateway_payment_state']

/** Throws before anything is written if the disk is too small. */
export async function checkDiskSpace(pool: Pool, payments: number): Promise<string> {
  const { rows } = await pool.query<{ folder: string }>(
    `select current_setting('data_directory') as folder`,
  )
  const needed = Math.ceil((payments * BYTES_PER_PAYMENT) / 1e9)
  const disk = await statfs(rows[0]?.folder ?? '/').catch(() => undefined)
  if (disk === undefined) return `${needed} GB of disk needed; how much is free cannot be seen`
  const free = Math.floor((disk.bavail * disk.bsize) / 1e9)
  if (free < needed * 1.5) {
    throw new Error(
      `${needed} GB are needed (with a reserve of half as much), and ${free} GB are free`,
    )
  }
  return `${needed} GB of disk needed, ${free} GB free`
}

/** Fills a migrated schema. */
export async function fillPayments(pool: Pool, schema: string, payments: number): Promise<void> {
  await withoutIndexes({ pool, schema, tables: TABLES }, async (client) => {
    await client.query(`set session_replication_role = replica`)
    for (const text of [PAYMENTS, ITEMS, STATES]) {
      const statement = text.replaceAll('SCHEMA', schema)
      for (let from = 1; from <= payments; from += CHUNK) {
        const to = Math.min(from + CHUNK - 1, payments)
        await client.query(statement, [from, to, ownersOf(payments), payments])
      }
    }
  })
  // As after autovacuum: the visibility map is complete.
  for (const table of TABLES) await pool.query(`vacuum analyze ${schema}.${table}`)
}
