// Payments with everything that belongs to them (operation, items, history, notifications, events,
// refunds), as many as asked for, inserted by SQL as the service would insert them.
import { withConnection, type Database } from '../../src/store/connection/database.ts'

const CHUNK = 50_000

const id = (kind: string): string => `
  (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
    || '7' || substr(md5('${kind}' || n), 1, 3) || '8' || substr(md5('${kind}' || n), 4, 15))::uuid`

const DRAWN = `
  select n, at, ${id('payment')} as payment_id, ${id('operation')} as operation_id,
    ${id('notification')} as notification_id,
    case
      when n % 20 = 0 then 'pending'
      when n % 20 = 1 then 'expire'
      when n % 50 = 2 then 'refund'
      else 'settlement'
    end as status,
    (1 + n % 500) * 1000::numeric as amount, 'owner-' || n % $4::bigint as owner_id
  from (
    select n, timestamptz '2026-11-01' - (($1::bigint - n) * interval '2 seconds') as at
    from generate_series($2::bigint, $3::bigint) as n
  ) as numbered`

const PAID = `status in ('settlement', 'refund')`

const STATEMENTS = [
  `insert into gapura.gateway_payment (
     id, owner_id, order_id, transaction_id, payment_type, gross_amount, transaction_status,
     authorized_amount, captured_amount, refunded_amount, booked_received, booked_refunded, paid_at,
     next_check_at, version,
     event_sequence, event_xid, created_at, updated_at
   )
   select payment_id, owner_id, 'order-' || n, md5('transaction' || n), 'gopay', amount,
     status, case when ${PAID} then amount else 0 end, case when ${PAID} then amount else 0 end,
     case when status = 'refund' then amount else 0 end,
     case when ${PAID} then amount else 0 end, case when status = 'refund' then amount else 0 end,
     case when ${PAID} then at end,
     case when status = 'pending' then at + interval '1 year' end,
     case status when 'pending' then 2 when 'refund' then 4 else 3 end,
     case status when 'pending' then 1 when 'refund' then 3 else 2 end,
     '7', at, at
   from drawn`,
  `insert into gapura.gateway_payment_item
     (id, payment_id, position, quantity, owner_id, name, price)
   select ${id('item')}, payment_id, 0, 1, owner_id, 'Coffee', amount
   from drawn`,
  `insert into gapura.gateway_operation
     (id, owner_id, kind, subject_kind, subject_id, state, created_at)
   select operation_id, owner_id, 'charge', 'payment', payment_id, 'succeeded', at
   from drawn`,
  `insert into gapura.gateway_transition (object_id, evidence_id, occurred_at, version, owner_id,
     object_kind, from_status, to_status, source)
   select payment_id, evidence_id, step_at, version, owner_id, 'payment', from_status,
     to_status, source
   from drawn
   cross join lateral (
     values
       (1, null, 'initiated', 'charge', operation_id, at),
       (2, 'initiated', 'pending', 'charge', operation_id, at),
       (3, 'pending', case status when 'refund' then 'settlement' else status end, 'notification',
         notification_id, at + interval '5 minutes'),
       (4, 'settlement', status, 'check_status', null, at + interval '1 hour')
   ) as step (version, from_status, to_status, source, evidence_id, step_at)
   where version <= case status when 'pending' then 2 when 'refund' then 4 else 3 end`,
  `insert into gapura.gateway_notification (id, payment_id, owner_id, order_id, transaction_id,
     transaction_status, effect, raw_payload, received_at)
   select case kind when 'applied' then notification_id else ${id('copy')} end, payment_id,
     owner_id, 'order-' || n, md5('transaction' || n),
     case status when 'refund' then 'settlement' else status end, kind, '{}',
     at + interval '5 minutes'
   from drawn
   cross join (values ('applied'), ('duplicate')) as received (kind)
   where status <> 'pending'`,
  `insert into gapura.gateway_event (id, object_id, sequence, xid, owner_id, object_kind, type,
     source, object, occurred_at)
   select ${id('event')}, payment_id, sequence, '7', owner_id, 'payment', type,
     'notification', jsonb_build_object('id', payment_id, 'gross_amount', amount::text), at
   from drawn
   cross join lateral (
     values
       (1, 'payment_received'),
       (2, case status when 'expire' then 'payment_expired' else 'payment_settled' end),
       (3, 'payment_refunded')
   ) as published (sequence, type)
   where sequence <= case status when 'pending' then 1 when 'refund' then 3 else 2 end`,
  `insert into gapura.gateway_refund
     (id, payment_id, owner_id, refund_key, amount, reason, status, created_at)
   select ${id('refund')}, payment_id, owner_id, 'refund-' || n, amount, 'returned',
     'succeeded', at
   from drawn
   where status = 'refund'`,
  `insert into gapura.gateway_operation
     (id, owner_id, kind, subject_kind, subject_id, refund_id, state, created_at)
   select gen_random_uuid(), owner_id, 'refund', 'payment', payment_id, id, 'succeeded', created_at
   from gapura.gateway_refund as refund
   where not exists (select from gapura.gateway_operation where refund_id = refund.id)`,
  `insert into gapura.ledger_posting (object_id, payment_id, occurred_at, booked_at, booked_on, version,
     object_kind, kind, source, destination, amount)
   select payment_id, payment_id, at, at, (at at time zone 'Asia/Jakarta')::date, version, 'payment',
     kind, source, destination, amount
   from drawn
   cross join lateral (
     values
       (3, 'received', 'sales:' || owner_id, 'gateway:pending'),
       (4, 'refunded', 'gateway:pending', 'refunds:' || owner_id)
   ) as moved (version, kind, source, destination)
   where ${PAID}
     and version <= case status when 'refund' then 4 else 3 end`,
]

const CLOSED = [
  `insert into gapura.ledger_closing (day, sealed_at, closed_by)
   values ('2026-11-01', gapura.now(), 'dewi')`,
  `insert into gapura.ledger_total (day, account, debit, credit)
   select booked_on, account, sum(debit), sum(credit)
   from gapura.ledger_posting
   cross join lateral (
     values (destination, amount, 0::numeric), (source, 0, amount)
   ) as side (account, debit, credit)
   group by booked_on, account`,
]

/** In chunks, because a long write transaction holds back every reader of an outbox. */
export const fillHonestly = async (db: Database, payments: number, owners = 1_000): Promise<void> =>
  await withConnection(db, async (client) => {
    await client.query("set timezone = 'UTC'")
    for (let from = 1; from <= payments; from += CHUNK) {
      const to = Math.min(from + CHUNK - 1, payments)
      for (const statement of STATEMENTS) {
        const text = `with drawn as (${DRAWN}) ${statement}`
        await client.query(db.statement(text).text, [payments, from, to, owners])
      }
    }
    for (const statement of CLOSED) await client.query(db.statement(statement).text)
    await client.query(db.statement('vacuum (analyze) gapura.ledger_posting').text)
    const tables = ['payment', 'payment_item', 'operation', 'transition', 'notification', 'event']
    for (const table of tables) {
      await client.query(db.statement(`vacuum (analyze) gapura.gateway_${table}`).text)
    }
  })
