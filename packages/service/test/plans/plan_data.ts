// A database of a given size, made by SQL, as skewed as real ones: a few owners have most of the
// payments, one in twenty is pending, some amounts and methods are far more frequent.
import type { PoolClient } from 'pg'
import { withConnection, type Database } from '../../src/store/connection/database.ts'
import { AT, id, PAYMENTS, STATES, triggers } from './plan_payments.ts'

const CHUNK = 50_000

const SUBSCRIPTIONS = `
  insert into gapura.gateway_subscription
    (id, owner_id, name, gateway_name, gateway_subscription_id, payment_type, amount, interval,
     interval_unit, status, next_check_at, created_at)
  select ${id('subscription', AT)}, 'owner-' || n % 500, 'Monthly', 'monthly-' || n,
    case when n % 100 > 0 then 'gateway-' || n end, 'credit_card', 50000, 1, 'month',
    case when n % 20 = 0 then 'disabled' else 'active' end,
    gapura.now() + (n % 500 - 5) * interval '1 minute', ${AT}
  from generate_series($2::bigint, $3::bigint) as n`

const INVOICES = `
  insert into gapura.gateway_invoice
    (id, owner_id, invoice_number, order_id, customer_name, customer_email, total_amount,
     invoice_date, due_date, status, gateway_invoice_id, next_check_at, created_at)
  select ${id('invoice', AT)}, 'owner-' || n % 500, 'INV-' || n, 'invoice-' || n, 'Budi',
    'budi' || n % 2000 || '@example.com', 50000, ${AT}::date, ${AT}::date + 14,
    case when n % 20 = 0 then 'pending' else 'paid' end, 'gateway-' || n,
    case when n % 40 = 0 then gapura.now() + (n % 7 - 1) * interval '1 minute' end, ${AT}
  from generate_series($2::bigint, $3::bigint) as n`

const CHECKOUTS = `
  insert into gapura.gateway_checkout
    (id, owner_id, order_id, customer_email, amount, page_expiry_minutes, fingerprint, status,
     next_check_at, created_at)
  select ${id('checkout', AT)}, 'owner-' || n % 500, 'page-' || n,
    'budi' || n % 2000 || '@example.com', 50000, 60, 'f',
    case n % 20 when 0 then 'open' when 1 then 'failure' else 'expired' end,
    case when n % 40 = 0 then gapura.now() + (n % 7 - 1) * interval '1 minute' end, ${AT}
  from generate_series($2::bigint, $3::bigint) as n`

/** A few payments were made on pages. */
const ATTEMPTS = `
  update gapura.gateway_payment as payment
  set checkout_id = page.id
  from (
    select id, row_number() over () as n from gapura.gateway_checkout limit 500
  ) as page
  join (
    select id, row_number() over () as n from gapura.gateway_payment
    where transaction_id is not null limit 500
  ) as drawn using (n)
  where payment.id = drawn.id`

const OPERATIONS = `
  insert into gapura.gateway_operation
    (id, owner_id, kind, subject_kind, subject_id, state, due_at, created_at, intent_owner,
     intent_key, intent_fingerprint)
  select ${id('operation', AT)}, 'owner-1', 'charge', 'payment', ${id('payment', AT)},
    case when n % 500 = 0 then 'unknown' else 'succeeded' end,
    case when n % 500 = 0 then gapura.now() + (n % 7 - 1) * interval '1 minute' end, ${AT},
    'owner-1', 'intent-' || n, 'f'
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

/** Rows that belong to those above, for a number of them. */
const DEPENDENTS = [
  `insert into gapura.gateway_payment_item (id, payment_id, position, quantity, owner_id, name, price)
   select gen_random_uuid(), id, 0, 1, owner_id, 'Rice', gross_amount
   from gapura.gateway_payment
   limit $1`,
  `insert into gapura.gateway_refund (id, payment_id, owner_id, refund_key, amount, reason, status)
   select gen_random_uuid(), id, owner_id, 'refund-' || id, 1, 'returned',
     case when random() < 0.05 then 'pending' else 'succeeded' end
   from gapura.gateway_payment
   limit $1`,
  `insert into gapura.gateway_transition (object_kind, object_id, owner_id, version, to_status, source)
   select 'payment', id, owner_id, 1, 'pending', 'charge'
   from gapura.gateway_payment
   limit $1`,
  `insert into gapura.gateway_invoice_item
     (id, invoice_id, position, quantity, owner_id, description, price)
   select gen_random_uuid(), id, 0, 1, owner_id, 'Rice', total_amount
   from gapura.gateway_invoice
   limit $1`,
  // A day's replies, one in a hundred old enough to be purged.
  `insert into gapura.operation_reply (operation_id, finished_at, code, body)
   select ${id('reply', 'at')}, at, 201, '{}'
   from (
     select n, gapura.now() - n * (interval '24 hours 15 minutes' / $1::bigint) as at
     from generate_series(1, $1::bigint) as n
   ) as drawn`,
  // The same for the release before, one in a hundred without an end.
  `insert into gapura.idempotency_key
     (owner_id, key, fingerprint, operation_id, created_at, finished_at, reply_code, reply_body)
   select 'owner-' || n % 100, 'key-' || n, 'f', gen_random_uuid(),
     gapura.now() - n * (interval '24 hours 15 minutes' / $1::bigint),
     case when n % 100 > 0 then gapura.now() end, case when n % 100 > 0 then 201 end,
     case when n % 100 > 0 then '{}' end
   from generate_series(1, $1::bigint) as n`,
  `insert into gapura.gateway_alarm
     (id, kind, subject_kind, subject_id, detail, opened_at, closed_at, closed_by)
   select gen_random_uuid(), 'late_money', 'payment', gen_random_uuid(), 'paid after its end',
     gapura.now() - n * interval '1 minute', case when n % 20 > 0 then gapura.now() end,
     case when n % 20 > 0 then 'desk' end
   from generate_series(1, $1::bigint) as n`,
  `insert into gapura.staff_note (id, subject_id, owner_id, author, text)
   select gen_random_uuid(), id, owner_id, 'desk', 'called the customer'
   from gapura.gateway_payment
   limit $1`,
  `insert into gapura.api_key (id, owner_id, name, key_hash)
   select gen_random_uuid(), 'owner-' || n % 5000, 'shop', encode(sha256(n::text::bytea), 'hex')
   from generate_series(1, $1::bigint) as n`,
  `insert into gapura.event_subscriber (name, cursor_xid)
   select 'subscriber-' || n, $1::bigint::text::xid8
   from generate_series(1, 3) as n`,
  // One subscriber fails always; one in ten is still retried.
  `insert into gapura.dead_event
     (subscriber, object_id, event_id, occurred_at, sequence, attempts, owner_id, object_kind, error,
      retry_at)
   select 'subscriber-' || 1 + (n % 100 = 0)::integer, gen_random_uuid(), gen_random_uuid(),
     gapura.now(), 1, 16, 'owner-1', 'payment', 'boom', case when n % 10 = 0 then gapura.now() end
   from generate_series(1, $1::bigint) as n`,
  `insert into gapura.webhook_endpoint (id, owner_id, url, secret)
   select gen_random_uuid(), 'owner-' || n % 5000, 'https://shop.example/' || n, ''
   from generate_series(1, least($1::bigint, 10000)) as n`,
  `insert into gapura.webhook_delivery
     (id, created_at, endpoint_id, event_id, attempt, duration_ms, type, outcome, url)
   select gen_random_uuid(), gapura.now() - n * interval '1 second', endpoint.id,
     gen_random_uuid(), 1, 5, 'payment_settled', 'delivered', url
   from generate_series(1, $1::bigint) as n
   join (
     select id, url, row_number() over () as place from gapura.webhook_endpoint
   ) as endpoint on place = n % 1000 + 1`,
  `insert into gapura.webhook_resend (id, endpoint_id)
   select gen_random_uuid(), id from gapura.webhook_endpoint limit $1`,
  `insert into gapura.statement_line
     (id, created_at, day, version, side, source, kind, line_key, content_sha256, amount, order_id,
      reference, raw)
   select ${id('line', 'at')}, at, at::date, 1, 'gateway', 'history_api', 'payment', 'line-' || n, '',
     50000, 'order-' || n, case when n % 10 = 0 then 'WLST' || n / 200 end, '{}'
   from (
     select n, gapura.now() - n * interval '1 minute' as at from generate_series(1, $1::bigint) as n
   ) as drawn`,
  // One in two hundred differs; as many are payouts.
  `insert into gapura.reconciliation_item
     (id, created_at, payment_id, gateway_line_id, day, kind, state, cause, reference)
   select id, created_at, id, gen_random_uuid(), created_at::date,
     case when n % 200 = 1 then 'payout' else 'payment' end,
     case when n % 200 = 0 then 'mismatched' else 'matched' end,
     case when n % 200 = 0 then 'fee_differs' else '' end,
     case when n % 200 = 1 then 'WLST' || n / 200 end
   from (select *, row_number() over () as n from gapura.gateway_payment limit $1) as drawn`,
  `insert into gapura.reconciliation_action
     (id, item_id, action, state, amount, reason, requested_by, former_state, former_cause,
      former_effect)
   select gen_random_uuid(), id, 'accept', 'undone', 0, 'agreed', 'desk', 'mismatched', cause, 0
   from gapura.reconciliation_item
   limit $1`,
]

/** Fills the tables and analyses them. Returns rows inserted each second. */
export async function fillTables(db: Database, payments: number): Promise<number> {
  return await withConnection(db, async (client) => {
    await client.query("set timezone = 'UTC'")
    await client.query('select setseed(0.42)')
    const other = Math.ceil(payments / 5)
    await fill(client, db, SUBSCRIPTIONS, Math.ceil(payments / 10))
    await fill(client, db, INVOICES, Math.ceil(payments / 20))
    await fill(client, db, CHECKOUTS, Math.ceil(payments / 20))
    const began = performance.now()
    await client.query(db.statement(triggers('disable')).text)
    for (const each of [PAYMENTS, ...STATES]) await fill(client, db, each, payments)
    await client.query(db.statement(triggers('enable')).text)
    const seconds = (performance.now() - began) / 1_000
    for (const statement of [OPERATIONS, NOTIFICATIONS, EVENTS]) {
      await fill(client, db, statement, other)
    }
    for (const statement of [...DEPENDENTS, ...AUDIT, REFUND_REQUESTS])
      await client.query(db.statement(statement).text, [other])
    await client.query(db.statement(ATTEMPTS).text)
    for (const statement of SEARCH) await client.query(db.statement(statement).text)
    await client.query(db.statement(ANALYZE).text)
    return Math.round(payments / seconds)
  })
}

/** As the worker leaves it: a few events are not read yet. */
const SEARCH = [
  'call gapura.fill_search_of_before()',
  `update gapura.search_progress set (cursor_xid, cursor_object_id, cursor_sequence) = (
     select xid, object_id, sequence from gapura.gateway_event
     order by xid desc, object_id desc, sequence desc offset 50 limit 1
   )`,
]

/** Held refunds are few at any time; decided ones stay. */
const REFUND_REQUESTS = `
  insert into gapura.refund_request (id, payment_id, owner_id, amount, reason, requested_by,
    requested_by_staff, state, decided_by, idempotency_key, fingerprint, created_at, expires_at)
  select gen_random_uuid(), id, owner_id, 1000, '', 'staff-' || n % 50, true,
    case when n % 100 = 0 then 'held' else 'approved' end,
    case when n % 100 <> 0 then 'somebody-else' end, 'key-' || n, 'f', created_at,
    created_at + interval '3 days'
  from (
    select *, row_number() over (order by id) as n
    from gapura.gateway_payment order by id limit least($1::bigint, 10000)
  ) as drawn`

/** A chain as long as there are operations, and unsealed rows. Its hashes are not real. */
const AUDIT = [
  `insert into gapura.audit_sealed (seq, id, occurred_at, sealed_at, actor, actor_kind, action,
     subject_kind, subject_id, detail, hash)
   select n, gen_random_uuid(), at, at, 'staff-' || n % 50, 'staff',
     (array['payment.read', 'payment.list', 'payment.refund', 'key.create'])[1 + (n % 4)],
     'payment', 'payment-' || n % 5000, '{}', repeat('0', 64)
   from (
     select n, timestamptz '2026-11-01' - (($1::bigint - n) * interval '1 minute') as at
     from generate_series(1, $1::bigint) as n
   ) as drawn`,
  `insert into gapura.audit_unsealed (id, actor, actor_kind, action, subject_kind, subject_id)
   select gen_random_uuid(), 'staff-1', 'staff', 'payment.read', 'payment', 'payment-' || n
   from generate_series(1, least($1::bigint, 800)) as n`,
]

const ANALYZE = `
  analyze gapura.gateway_payment, gapura.gateway_payment_state, gapura.gateway_payment_term,
    gapura.gateway_subscription, gapura.gateway_invoice,
    gapura.gateway_operation, gapura.gateway_notification, gapura.gateway_event,
    gapura.gateway_payment_item, gapura.gateway_refund, gapura.gateway_transition,
    gapura.gateway_invoice_item, gapura.idempotency_key, gapura.operation_reply, gapura.gateway_alarm,
    gapura.api_key,
    gapura.event_subscriber, gapura.dead_event, gapura.audit_sealed, gapura.audit_unsealed,
    gapura.refund_request, gapura.staff_note, gapura.webhook_endpoint, gapura.webhook_delivery,
    gapura.webhook_resend, gapura.gateway_checkout, gapura.search_entry, gapura.search_progress,
    gapura.statement_line, gapura.reconciliation_item, gapura.reconciliation_action`

// In chunks, because a long write transaction holds back every reader of an outbox.
async function fill(client: PoolClient, db: Database, text: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, count)
    await client.query(db.statement(text).text, [count, from, to])
  }
}
