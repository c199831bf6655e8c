// Orders that wait for settlement, inserted by SQL as the service would insert them, and the
// gateway's notifications about them.
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { withoutIndexes } from './fill.ts'

export const SERVER_KEY = 'SB-Mid-server-bench'

/** SQL of an id in order of creation, like the service's own, with its random part drawn from a text. */
export const timedId = (milliseconds: string, text: string): string =>
  `(lpad(to_hex(${milliseconds}), 12, '0') || '7' || substr(md5(${text}), 1, 3)
    || '8' || substr(md5(${text}), 4, 15))::uuid`

const ID = (kind: string): string => timedId('$5::bigint + n / 10', `'${kind}' || $1 || '-' || n`)

const DRAWN = `
  select n, ${ID('payment')} as payment_id, ${ID('operation')} as operation_id,
    $1 || '-' || n as order_id, 'owner-' || n % $3::integer as owner_id,
    now() + make_interval(secs => $4::integer) as check_at
  from generate_series(1, $2::integer) as n`

const OBJECT = `jsonb_build_object('id', payment_id, 'transaction_status', 'pending')`

const STATEMENTS = [
  `insert into SCHEMA.gateway_payment (id, owner_id, order_id, transaction_id, payment_type, bank,
     va_number, gross_amount, transaction_status, status_code, next_check_at, version,
     event_sequence, event_xid, customer_first_name, customer_email)
   select payment_id, owner_id, order_id, 't-' || order_id, 'bank_transfer', 'bca',
     '812785' || n, 150000, 'pending', '201', check_at, 2, 1, pg_current_xact_id(),
     'Budi', 'budi' || n || '@example.com'
   from drawn`,
  `insert into SCHEMA.gateway_operation (id, owner_id, kind, subject_kind, subject_id, state)
   select operation_id, owner_id, 'charge', 'payment', payment_id, 'succeeded'
   from drawn`,
  `insert into SCHEMA.gateway_transition (object_id, evidence_id, version, owner_id, object_kind,
     from_status, to_status, source)
   select payment_id, operation_id, version, owner_id, 'payment', from_status,
     to_status, 'charge'
   from drawn
   cross join (values (1, null, 'initiated'), (2, 'initiated', 'pending'))
     as step (version, from_status, to_status)`,
  `insert into SCHEMA.gateway_event (id, object_id, sequence, xid, owner_id, object_kind, type,
     source, object, previous_status)
   select ${ID('event')}, payment_id, 1, pg_current_xact_id(), owner_id, 'payment',
     'payment_received', 'charge', ${OBJECT}, 'initiated'
   from drawn`,
]

interface Wanted {
  prefix: string
  count: number
  owners?: number
  /** Seconds from now until their next status check is due. */
  check_in_s?: number
}

export async function addOrders(
  pool: Pool,
  schema: string,
  { prefix, count, owners = 1_000, check_in_s = 86_400 }: Wanted,
): Promise<void> {
  const client = await pool.connect()
  const began = Date.now()
  try {
    await client.query('begin')
    for (const statement of STATEMENTS) {
      const text = `with drawn as (${DRAWN}) ${statement}`.replaceAll('SCHEMA', schema)
      await client.query(text, [prefix, count, owners, check_in_s, began])
    }
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

const CHUNK = 50_000
const FILLED_AT_ONCE = 2
const FILLED = [
  'gateway_payment',
  'gateway_payment_state',
  'gateway_payment_term',
  'gateway_operation',
  'gateway_transition',
]

/** The same by the million, in chunks: one long transaction would hold back every reader. */
export async function addManyOrders(
  pool: Pool,
  schema: string,
  { prefix, count, ...more }: Wanted,
): Promise<void> {
  let made = 0
  const fill = async (): Promise<void> => {
    while (made < count) {
      const piece = { prefix: `${prefix}${made}`, count: Math.min(CHUNK, count - made) }
      made += CHUNK
      await addOrders(pool, schema, { ...more, ...piece })
    }
  }
  await withoutIndexes({ pool, schema, tables: FILLED }, async () => {
    await Promise.all(Array.from({ length: FILLED_AT_ONCE }, fill))
  })
}

export interface Report {
  body: string
  order_id: string
  kind: 'settles' | 'unknown' | 'duplicate'
}

/** About a kilobyte, like the gateway's. */
function bodyOf(order_id: string, mark: number): string {
  const signed = { order_id, status_code: '200', gross_amount: '150000.00' }
  const signature_key = createHash('sha512')
    .update(order_id + signed.status_code + signed.gross_amount + SERVER_KEY)
    .digest('hex')
  return JSON.stringify({
    va_numbers: [{ va_number: `812785${mark}`, bank: 'bca' }],
    transaction_time: '2026-11-15 10:00:00',
    transaction_status: 'settlement',
    transaction_id: `t-${order_id}`,
    status_message: 'midtrans payment notification',
    signature_key,
    settlement_time: '2026-11-15 10:05:00',
    payment_type: 'bank_transfer',
    payment_amounts: [{ paid_at: '2026-11-15 10:05:00', amount: '150000.00' }],
    merchant_id: 'G141532850',
    fraud_status: 'accept',
    expiry_time: '2026-11-16 10:00:00',
    currency: 'IDR',
    customer_details: { full_name: 'Budi Utomo', email: 'budi@example.com', phone: '081223323423' },
    metadata: { mark, note: 'x'.repeat(200) },
    ...signed,
  })
}

/** One in eight is about an unknown order, one in eight is sent twice. */
export function reportsOf(prefix: string, count: number): Report[] {
  const reports: Report[] = []
  for (let n = 1; n <= count; n++) {
    const before = reports.at(-1)
    if (n % 8 === 5 && before !== undefined) {
      reports.push({ ...before, kind: 'duplicate' })
      continue
    }
    const kind = n % 8 === 3 ? 'unknown' : 'settles'
    const order_id = kind === 'unknown' ? `unknown-${prefix}-${n}` : `${prefix}-${n}`
    reports.push({ body: bodyOf(order_id, n), order_id, kind })
  }
  return reports
}
