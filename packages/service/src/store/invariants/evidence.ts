// What must exist because something else does: an operation for every charge, a transition for
// every applied notification, a planned check for everything open.
import type { Inquiry } from './invariant.ts'

/**
 * Compared as sets by one number each, and row by row only if these differ: the two tables are the
 * longest, and normally agree. Old months of notifications may have been dropped, so only payments
 * since the oldest stored month are compared; their ids begin with that time.
 */
const APPLIED_ONCE: Inquiry = {
  invariants: [
    {
      id: 'I-26',
      promise:
        'each applied notification made one step, to the status it reported, and each such step has its notification',
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
      select id, lower(transaction_status) as status
      from gapura.gateway_notification
      where effect = 'applied'
        and payment_id >= (select since from kept)
    ),
    stepped as not materialized (
      select evidence_id as id, object_id, to_status as status
      from gapura.gateway_transition
      where source = 'notification'
        and object_kind = 'payment'
        -- A payment of an invoice is stored first, then makes the transition.
        and from_status is not null
        and object_id >= (select since from kept)
    ),
    compared as (
      select one.hash is not distinct from other.hash and one.count = other.count as equal
      from
        (select bit_xor(hashtextextended(status, uuid_hash_extended(id, 0))) as hash,
           count(*) as count from applied) as one,
        (select bit_xor(hashtextextended(status, uuid_hash_extended(id, 0))) as hash,
           count(*) as count from stepped) as other
    )
    select 'I-26', coalesce(applied.id, stepped.object_id)::text,
      case when applied.id is null then 'a step without its notification' else 'no step' end
    from applied
    full join stepped on stepped.id = applied.id and stepped.status = applied.status
    where not (select equal from compared)
      and (applied.id is null or stepped.id is null)`,
}

const WRITTEN_BEFORE_SENT: Inquiry = {
  invariants: [
    { id: 'I-21', promise: 'every charge was written down as an operation before it was sent' },
  ],
  // The gateway creates the payments of invoices, subscriptions and checkouts, and staff adopt orders made
  // elsewhere; all other payments are our own charges.
  sql: `
    select 'I-21', payment.id::text, payment.order_id
    from gapura.gateway_payment as payment
    left join gapura.gateway_operation as operation
      on operation.subject_id = payment.id
      and operation.kind = 'charge'
    where operation.id is null
      and payment.subscription_id is null
      and payment.invoice_id is null
      and payment.checkout_id is null
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
        and checkout_id is null
      union all
      select id, 'invoice' from gapura.gateway_invoice where status = 'initiated'
      union all
      select id, 'subscription' from gapura.gateway_subscription where status = 'initiated'
      union all
      select id, 'checkout' from gapura.gateway_checkout where status = 'initiated'
    ) as object
    where not exists (
      select
      from gapura.gateway_operation as operation
      where operation.subject_id = object.id
        and operation.state in ('started', 'unknown')
    )`,
}

const MISMATCH_ALARMED: Inquiry = {
  invariants: [
    { id: 'I-08', promise: 'a report of another amount changed nothing without an alarm' },
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

const REPLIES_ARE_KEPT: Inquiry = {
  invariants: [
    { id: 'I-28', promise: 'a repeat within a day gets the very reply of what succeeded' },
  ],
  // Replies are purged a day after the end; with a margin for the clock of the purge.
  sql: `
    select 'I-28', operation.id::text, operation.kind
    from gapura.gateway_operation as operation
    left join gapura.operation_reply as reply on reply.operation_id = operation.id
    where operation.state = 'succeeded'
      and operation.intent_key is not null
      and operation.updated_at > gapura.now() - interval '23 hours'
      and reply.operation_id is null`,
}

const ONE_OPERATION_PER_EFFECT: Inquiry = {
  invariants: [
    {
      id: 'I-04',
      promise: 'a refund of ours is made by one operation, and a payment by one charge',
    },
  ],
  sql: `
    select 'I-04', refund.id::text, 'refund made by ' || count(operation.id) || ' operations'
    from gapura.gateway_refund as refund
    left join gapura.gateway_operation as operation on operation.refund_id = refund.id
    where refund.source = 'service'
    group by refund.id
    having count(operation.id) <> 1
    union all
    select 'I-04', subject_id::text, count(*) || ' charges'
    from gapura.gateway_operation
    where kind = 'charge'
    group by subject_id
    having count(*) > 1`,
}

const ONE_REFUND_PER_REQUEST: Inquiry = {
  invariants: [
    { id: 'I-05', promise: 'an approved request is paid once, and every refund of two has one' },
    {
      id: 'I-05a',
      promise: 'a refund outside the gateway has a reference, two people and no operation',
    },
  ],
  sql: `
    select 'I-05a', refund.id::text, concat_ws(' ', 'recorded by', refund.requested_by)
    from gapura.gateway_refund as refund
    left join gapura.refund_request as request on request.id = refund.refund_request_id
    join gapura.gateway_payment as payment on payment.id = refund.payment_id
    where refund.source = 'outside'
      and (
        coalesce(request.outside, false) is false
        or coalesce(btrim(refund.reference), '') = ''
        or refund.approved_by is null
        or refund.approved_by = refund.requested_by
        or refund.status <> 'succeeded'
        or exists (select from gapura.gateway_operation where refund_id = refund.id)
      )
    union all
    select 'I-05', coalesce(refund.refund_request_id, refund.id)::text,
      count(*) || ' refunds with a second person'
    from gapura.gateway_refund as refund
    left join gapura.refund_request as request on request.id = refund.refund_request_id
    left join gapura.gateway_operation as operation on operation.refund_id = refund.id
    where refund.approved_by is not null
      and refund.status <> 'failed'
      -- A refund that the gateway refused and lists as made has an alarm of its own.
      and operation.state is distinct from 'refused'
    group by coalesce(refund.refund_request_id, refund.id)
    having count(*) > 1
      or bool_or(request.id is null)
      or bool_or(request.state <> 'approved' or request.payment_id <> refund.payment_id
        or request.amount <> refund.amount)`,
}

const DEFERRED_ENDS: Inquiry = {
  invariants: [
    { id: 'I-39', promise: 'nothing is deferred for more than three hours without an alarm' },
    { id: 'I-39b', promise: 'a notification unmatched for more than a day has an alarm' },
    { id: 'I-39a', promise: 'settled money in fraud review is asked about and has an alarm' },
  ],
  sql: `
    select 'I-39', payment.id::text, 'deferred since ' || payment.deferred_since
    from gapura.gateway_payment as payment
    where payment.deferred_since < gapura.now() - interval '3 hours'
      and not exists (
        select
        from gapura.gateway_alarm as alarm
        where alarm.subject_id = payment.id
          -- A further report may be newer than an alarm that is still open.
          and (
            alarm.opened_at >= payment.deferred_since
            or (alarm.kind = 'report_unsettled' and alarm.closed_at is null)
          )
      )
    union all
    select 'I-39b', notification.id::text, notification.order_id
    from gapura.gateway_notification as notification
    where notification.effect = 'unmatched'
      and notification.resolved_at is null
      and notification.received_at < gapura.now() - interval '25 hours'
      and not exists (
        select from gapura.gateway_alarm as alarm where alarm.subject_id = notification.id
      )
    union all
    select 'I-39a', payment.id::text, 'settlement in review'
    from gapura.gateway_payment as payment
    where payment.transaction_status = 'settlement'
      and payment.fraud_status = 'challenge'
      and (
        payment.next_check_at is null
        or not exists (
          select
          from gapura.gateway_alarm as alarm
          where alarm.subject_id = payment.id
            and alarm.kind = 'status_unknown'
        )
      )`,
}

export const EVIDENCE: readonly Inquiry[] = [
  ITEMS_ADD_UP,
  APPLIED_ONCE,
  WRITTEN_BEFORE_SENT,
  OPEN_IS_WATCHED,
  MISMATCH_ALARMED,
  REPLIES_ARE_KEPT,
  ONE_OPERATION_PER_EFFECT,
  ONE_REFUND_PER_REQUEST,
  DEFERRED_ENDS,
]
