// A database of a given size, made inside Postgres, as skewed as real ones are: a few owners have
// most of the payments, one in twenty is pending, some amounts and methods are far more popular.
import type { PoolClient } from 'pg'
import { withConnection, type Database } from '../../src/store/database.ts'

const OWNERS = 10_000
const CHUNK = 50_000

/** A UUID of version 7 for row n at a time, the same on every run. */
const id = (kind: string, at: string): string => `
  (lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
    || '7' || substr(md5('${kind}' || n), 1, 3) || '8' || substr(md5('${kind}' || n), 4, 15))::uuid`

// Payments come in the order of time over two years, as they do in life.
const AT = `(timestamptz '2026-11-01' - (($1::bigint - n) * (interval '730 days' / $1::bigint)))`

const PAYMENTS = `
  insert into gapura.gateway_payment (
    id, owner_id, order_id, transaction_id, payment_type, gross_amount, transaction_status, refused,
    fraud_status, customer_email, va_number, bill_key, payment_code, expiry_time, next_check_at,
    subscription_id, invoice_id, authorized_amount, captured_amount, created_at, updated_at,
    metadata, customer_first_name, status_code
  )
  select
    ${id('payment', AT)},
    'owner-' || floor(${OWNERS} * power(owner_luck, 3)),
    'order-' || case when status_luck < 0.01 then n - 1 else n end,
    md5('transaction' || n)::uuid::text,
    payment_type,
    amount,
    transaction_status,
    status_luck < 0.01,
    case when payment_type = 'credit_card' then 'accept' end,
    'Customer' || floor($1::bigint / 5 * power(mail_luck, 2)) || '@Example.com',
    case when payment_type = 'bank_transfer' then (810000000000 + n)::text end,
    case when payment_type = 'echannel' then (990000000000 + n)::text end,
    case when payment_type = 'cstore' then (250000000000 + n)::text end,
    ${AT} + interval '1 day',
    case
      when transaction_status in ('pending', 'authorize')
        then gapura.now() + (status_luck - 0.012) * interval '7 days'
    end,
    case
      when payment_type = 'credit_card' and mail_luck < 0.05
        then (select id from gapura.gateway_subscription order by id offset n % 100 limit 1)
    end,
    case when mail_luck > 0.99 then invoice.id end,
    case when transaction_status = 'settlement' then amount else 0 end,
    case when transaction_status = 'settlement' then amount else 0 end,
    ${AT},
    ${AT},
    '{"cart": "a few words of metadata"}',
    'Budi',
    '200'
  from (
    select
      n,
      random() as owner_luck,
      random() as mail_luck,
      status_luck,
      (array[10000, 25000, 50000, 50000, 50000, 100000, 1000 * (1 + floor(random() * 5000))])
        [1 + floor(random() * 7)::integer]::numeric as amount,
      (array['bank_transfer', 'bank_transfer', 'bank_transfer', 'gopay', 'gopay', 'qris', 'qris',
        'qris', 'credit_card', 'credit_card', 'credit_card', 'shopeepay', 'dana', 'ovo', 'cstore',
        'cstore', 'echannel', 'kredivo', 'akulaku', 'bank_transfer'])
        [1 + floor(random() * 20)::integer] as payment_type,
      case
        when status_luck < 0.01 then 'failure'
        when status_luck < 0.06 then 'pending'
        when status_luck < 0.061 then 'authorize'
        when status_luck < 0.0615 then 'chargeback'
        when status_luck < 0.07 then 'refund'
        when status_luck < 0.2 then 'expire'
        when status_luck < 0.22 then 'deny'
        else 'settlement'
      end as transaction_status
    from (
      select n, random() as status_luck
      from generate_series($2::bigint, $3::bigint) as n
    ) as lucky
  ) as drawn
  left join gapura.gateway_invoice as invoice on invoice.invoice_number = 'INV-' || n % 1000
  on conflict do nothing`

const SUBSCRIPTIONS = `
  insert into gapura.gateway_subscription
    (id, owner_id, name, gateway_name, payment_type, amount, interval, interval_unit, status,
     created_at)
  select ${id('subscription', AT)}, 'owner-' || n % 500, 'Monthly', 'monthly-' || n, 'credit_card',
    50000, 1, 'month', case when n % 20 = 0 then 'disabled' else 'active' end, ${AT}
  from generate_series($2::bigint, $3::bigint) as n`

const INVOICES = `
  insert into gapura.gateway_invoice
    (id, owner_id, invoice_number, order_id, customer_name, customer_email, total_amount,
     invoice_date, due_date, status, created_at)
  select ${id('invoice', AT)}, 'owner-' || n % 500, 'INV-' || n, 'invoice-' || n, 'Budi',
    'budi@example.com', 50000, ${AT}::date, ${AT}::date + 14,
    case when n % 20 = 0 then 'pending' else 'paid' end, ${AT}
  from generate_series($2::bigint, $3::bigint) as n`

const OPERATIONS = `
  insert into gapura.gateway_operation
    (id, owner_id, kind, subject_kind, subject_id, state, due_at, created_at)
  select ${id('operation', AT)}, 'owner-1', 'charge', 'payment', ${id('payment', AT)},
    case when n % 500 = 0 then 'unknown' else 'succeeded' end,
    case when n % 500 = 0 then gapura.now() + (n % 7 - 1) * interval '1 minute' end, ${AT}
  from generate_series($2::bigint, $3::bigint) as n`

const NOTIFICATIONS = `
  insert into gapura.gateway_notification
    (id, order_id, transaction_id, transaction_status, effect, raw_payload, received_at)
  select ${id('notification', AT)}, 'order-' || n, 'transaction', 'settlement',
    case when n % 5000 = 0 then 'unmatched' else 'applied' end,
    '{"transaction_status": "settlement"}', gapura.now() - (($1::bigint - n) * interval '1 second')
  from generate_series($2::bigint, $3::bigint) as n`

const EVENTS = `
  insert into gapura.gateway_event
    (id, object_id, sequence, xid, owner_id, object_kind, type, source, object, occurred_at)
  select ${id('event', AT)}, ${id('payment', AT)}, 1, n::text::xid8, 'owner-1', 'payment',
    'payment_settled', 'notification', '{}', gapura.now() - (($1::bigint - n) * interval '1 second')
  from generate_series($2::bigint, $3::bigint) as n`

/** Fills the tables and lets the planner look at them. Returns rows inserted each second. */
export async function fillTables(db: Database, payments: number): Promise<number> {
  return await withConnection(db, async (client) => {
    await client.query("set timezone = 'UTC'")
    await client.query('select setseed(0.42)')
    const other = Math.ceil(payments / 5)
    await fill(client, db, SUBSCRIPTIONS, Math.ceil(payments / 50))
    await fill(client, db, INVOICES, Math.ceil(payments / 20))
    const began = performance.now()
    await fill(client, db, PAYMENTS, payments)
    const seconds = (performance.now() - began) / 1_000
    for (const statement of [OPERATIONS, NOTIFICATIONS, EVENTS]) {
      await fill(client, db, statement, other)
    }
    await client.query(db.statement(ANALYZE).text)
    return Math.round(payments / seconds)
  })
}

const ANALYZE = `
  analyze gapura.gateway_payment, gapura.gateway_subscription, gapura.gateway_invoice,
    gapura.gateway_operation, gapura.gateway_notification, gapura.gateway_event`

// In pieces, because a transaction that writes for long holds back every reader of an outbox.
async function fill(client: PoolClient, db: Database, text: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, count)
    await client.query(db.statement(text).text, [count, from, to])
  }
}
