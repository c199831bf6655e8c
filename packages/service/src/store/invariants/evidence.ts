// What must be there because something else is: a written order behind every charge, a step behind
// every notification that was applied, a look-out for everything that is open.
import type { Inquiry } from './invariant.ts'

/**
 * Compared as sets by one number each, and row by row only if these differ: the tables are the two
 * longest, and they agree. Old months of notifications may have been dropped, so only payments
 * made since the oldest month that is left are looked at; their ids begin with that time.
 */
const APPLIED_ONCE: Inquiry = {
  invariants: [
    {
      id: 'I-26',
      promise: 'each applied notification made one step, and each such step has its notification',
    },
  ],
  sql: `
    with
    kept as (
      select (lpad(to_hex(extract(epoch from date_trunc('month', min(received_at)))::bigint * 1000),
        12, '0') || repeat('0', 20))::uuid as since
      from gapura.gateway_notification
    ),
    applied as not materialized (
      select id
      from gapura.gateway_notification
      where effect = 'applied'
        and payment_id >= (select since from kept)
    ),
    stepped as not materialized (
      select evidence_id as id, object_id
      from gapura.gateway_transition
      where source = 'notification'
        and object_kind = 'payment'
        -- A payment of an invoice is first written down, then takes the step.
        and from_status is not null
        and object_id >= (select since from kept)
    ),
    compared as (
      select one.hash is not distinct from other.hash and one.count = other.count as equal
      from (select bit_xor(uuid_hash_extended(id, 0)) as hash, count(*) as count from applied) as one,
        (select bit_xor(uuid_hash_extended(id, 0)) as hash, count(*) as count from stepped) as other
    )
    select 'I-26', coalesce(applied.id, stepped.object_id)::text,
      case when applied.id is null then 'a step without its notification' else 'no step' end
    from applied
    full join stepped on stepped.id = applied.id
    where not (select equal from compared)
      and (applied.id is null or stepped.id is null)`,
}

const WRITTEN_BEFORE_SENT: Inquiry = {
  invariants: [
    { id: 'I-21', promise: 'every charge was written down as an operation before it was sent' },
  ],
  // The gateway makes the payments of invoices and subscriptions, and staff adopt what was made
  // elsewhere; all others are our own charges.
  sql: `
    select 'I-21', payment.id::text, payment.order_id
    from gapura.gateway_payment as payment
    left join gapura.gateway_operation as operation
      on operation.subject_id = payment.id
      and operation.kind = 'charge'
    where operation.id is null
      and payment.subscription_id is null
      and payment.invoice_id is null
      and not exists (
        select
        from gapura.gateway_transition as adopted
        where adopted.object_id = payment.id
          and adopted.version = 1
          and adopted.source = 'staff'
      )`,
}

const ITEMS_ADD_UP: Inquiry = {
  invariants: [{ id: 'I-07', promise: 'the items of a payment add up to its amount' }],
  in_order: true,
  sql: `
    select 'I-07', payment.id::text, 'items are ' || item.total
    from (
      select payment_id, sum(price * quantity) as total
      from gapura.gateway_payment_item
      group by payment_id
    ) as item
    join gapura.gateway_payment as payment on payment.id = item.payment_id
    where item.total <> payment.gross_amount`,
}

const OPEN_IS_WATCHED: Inquiry = {
  invariants: [
    {
      id: 'I-16a',
      promise: 'an outcome unknown for more than a day has an open alarm',
    },
    { id: 'I-16b', promise: 'whatever is only written down has an operation that will end it' },
  ],
  sql: `
    select 'I-16a', operation.id::text, operation.kind
    from gapura.gateway_operation as operation
    where operation.state in ('started', 'unknown')
      and operation.created_at < gapura.now() - interval '25 hours'
      and not exists (
        select
        from gapura.gateway_alarm as alarm
        where alarm.subject_id in (operation.id, operation.subject_id)
          and alarm.closed_at is null
      )
    union all
    select 'I-16b', object.id::text, object.kind
    from (
      select id, 'payment' as kind
      from gapura.gateway_payment
      where transaction_status = 'initiated'
        and subscription_id is null
        and invoice_id is null
      union all
      select id, 'invoice' from gapura.gateway_invoice where status = 'initiated'
      union all
      select id, 'subscription' from gapura.gateway_subscription where status = 'initiated'
    ) as object
    where not exists (
      select
      from gapura.gateway_operation as operation
      where operation.subject_id = object.id
        and operation.state in ('started', 'unknown')
    )`,
}

const MISMATCH_IS_TOLD: Inquiry = {
  invariants: [
    { id: 'I-08', promise: 'a report of another amount moved nothing unseen: a person was told' },
  ],
  sql: `
    select 'I-08', notification.id::text, notification.reason
    from gapura.gateway_notification as notification
    where notification.effect = 'mismatch'
      and not exists (
        select
        from gapura.gateway_alarm as alarm
        where alarm.subject_id in (notification.id, notification.payment_id)
      )`,
}

const KEYS_ARE_SETTLED: Inquiry = {
  invariants: [{ id: 'I-28', promise: 'a key whose operation has ended can be answered' }],
  sql: `
    select 'I-28', key.operation_id::text, operation.kind || ' ' || operation.state
    from gapura.idempotency_key as key
    join gapura.gateway_operation as operation on operation.id = key.operation_id
    where key.finished_at is null
      and operation.state in ('succeeded', 'refused')`,
}

export const EVIDENCE: readonly Inquiry[] = [
  ITEMS_ADD_UP,
  APPLIED_ONCE,
  WRITTEN_BEFORE_SENT,
  OPEN_IS_WATCHED,
  MISMATCH_IS_TOLD,
  KEYS_ARE_SETTLED,
]
