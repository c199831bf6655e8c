// The history of every object against the object itself, and the events against the history.
import type { Inquiry } from './invariant.ts'

/**
 * Both large tables are read once and never sorted. A sum shows whether a history is unbroken, so
 * that each transition begins where the previous one ended: every transition adds its target and
 * subtracts its origin, so that only the last target is left, which must be the object's status.
 */
const STEPS = `
  select
    object_id,
    count(*) as steps,
    max(version) as last,
    bool_or(version = 1 and from_status is null and to_status = 'initiated') as begins,
    bit_xor(hashtextextended(to_status, version + 1))
      # coalesce(bit_xor(hashtextextended(from_status, version)) filter (where version > 1), 0)
      as stands_at,
    count(*) filter (where reason = 'late_money') as late,
    count(*) filter (where from_status <> to_status and to_status = 'cancel') as cancelled,
    count(*) filter (where from_status <> to_status and to_status = 'expire') as expired,
    count(*) filter (where from_status <> to_status and to_status = 'failure') as failed,
    count(*) filter (where version > 1 and to_status in ('partial_refund', 'refund')) as refunded,
    count(*) filter (where version > 1 and to_status in ('partial_chargeback', 'chargeback'))
      as charged_back
  from gapura.gateway_transition
  group by object_id`

const EVENTS = `
  select
    object_id,
    count(*) as events,
    min(sequence) as first,
    max(sequence) as last,
    count(*) filter (where type = 'payment_settled') as settled,
    count(*) filter (where type = 'payment_cancelled') as cancelled,
    count(*) filter (where type = 'payment_expired') as expired,
    count(*) filter (where type = 'payment_failed') as failed,
    count(*) filter (where type = 'payment_refunded') as refunded,
    count(*) filter (where type = 'payment_charged_back') as charged_back
  from gapura.gateway_event
  group by object_id`

/** The number of the signal of a transition or event, or 0. Each such transition has one event. */
const SIGNAL_OF = {
  step: `case
    when version = 1 or object_kind <> 'payment' then 0
    when to_status in ('partial_refund', 'refund') then 4
    when to_status in ('partial_chargeback', 'chargeback') then 5
    when from_status = to_status then 0
    when to_status = 'cancel' then 1
    when to_status = 'expire' then 2
    when to_status = 'failure' then 3
    else 0
  end`,
  event: `case type
    when 'payment_cancelled' then 1
    when 'payment_expired' then 2
    when 'payment_failed' then 3
    when 'payment_refunded' then 4
    when 'payment_charged_back' then 5
    else 0
  end`,
}

/** Most rows have none of the five signals and are skipped by comparing one text. */
const MAY_SIGNAL = {
  step: `version > 1 and to_status <> 'pending' and to_status <> 'settlement'`,
  event: `type <> 'payment_received' and type <> 'payment_settled'`,
}

const OBJECTS = `
  select 'payment' as kind, id, version, transaction_status as status, event_sequence, paid_at
  from gapura.gateway_payment
  union all
  select 'invoice', id, version, status, event_sequence, null
  from gapura.gateway_invoice
  union all
  select 'subscription', id, version, status, event_sequence, null
  from gapura.gateway_subscription
  union all
  select 'checkout', id, version, status, event_sequence, null
  from gapura.gateway_checkout`

const UNBROKEN = `
  coalesce(step.begins, false)
  and step.steps = object.version
  and step.last = object.version
  and step.stands_at = hashtextextended(object.status, object.version + 1)`

// Delivered months may have been dropped: the remaining events must have no gap.
const COUNTED = `
  coalesce(emitted.last, object.event_sequence) = object.event_sequence
  and coalesce(emitted.events = emitted.last - emitted.first + 1, true)`

const AS_EMITTED = `
  object.kind <> 'payment'
  or (emitted.first is null and object.event_sequence > 0)
  or coalesce(emitted.first, 1) > 1
  or (
    coalesce(emitted.cancelled, 0) = step.cancelled
    and coalesce(emitted.expired, 0) = step.expired
    and coalesce(emitted.failed, 0) = step.failed
    and coalesce(emitted.refunded, 0) = step.refunded
    and coalesce(emitted.charged_back, 0) = step.charged_back
  )`

// Once, and again each time that money arrived after the payment had ended (ADR 0001). A payment
// that is first reported as refunded emits only `payment_refunded`.
const SETTLED_ONCE = `
  object.kind <> 'payment'
  or (emitted.first is null and object.event_sequence > 0)
  or coalesce(emitted.first, 1) > 1
  or case
    when object.paid_at is null then coalesce(emitted.settled, 0) = 0
    else emitted.settled <= 1 + step.late
      and (emitted.settled >= 1 or object.status not in ('capture', 'settlement'))
  end`

/**
 * The same invariants as sums over whole tables, which need no table in memory and no join. Only if
 * the sums differ are the objects compared. Dropped months of events are excluded by the ids, which
 * begin with a time.
 */
const IN_ORDER = `
  with
  kept as (
    select coalesce(
      (
        select (lpad(to_hex(extract(epoch from date_trunc('month', occurred_at))::bigint * 1000),
          12, '0') || repeat('0', 20))::uuid
        from gapura.gateway_event
        -- Nearly the oldest, found by the key: if a later one comes first, fewer rows are compared.
        order by xid, object_id, sequence
        limit 1
      ),
      '00000000-0000-0000-0000-000000000000') as since
  ),
  objects as (
    select
      sum(version) as steps,
      count(*) as begun,
      bit_xor(hashtextextended(status, uuid_hash_extended(id, version + 1))) as stand_at,
      coalesce(bit_xor(uuid_hash_extended(id, event_sequence + 1))
        filter (where event_sequence > 0 and id >= (select since from kept)), 0) as sequence_hash,
      coalesce(sum(uuid_hash_extended(id, 7)) filter (where paid_at is not null and id >= (select since from kept)), 0) as paid
    from (${OBJECTS}) as object
  ),
  steps as (
    select
      count(*) as steps,
      count(*) filter (where version = 1 and from_status is null and to_status = 'initiated')
        as begun,
      bit_xor(hashtextextended(to_status, uuid_hash_extended(object_id, version + 1)))
        # coalesce(bit_xor(hashtextextended(from_status, uuid_hash_extended(object_id, version)))
          filter (where version > 1), 0) as stand_at,
      coalesce(sum(uuid_hash_extended(object_id, ${SIGNAL_OF.step}))
        filter (where ${MAY_SIGNAL.step} and ${SIGNAL_OF.step} > 0
          and object_id >= (select since from kept)), 0) as to_emit,
      coalesce(sum(uuid_hash_extended(object_id, 7)) filter (where reason = 'late_money' and object_kind = 'payment' and object_id >= (select since from kept)), 0) as late
    from gapura.gateway_transition
  ),
  emitted as (
    select
      coalesce(bit_xor(uuid_hash_extended(object_id, sequence + 1)
        # case when sequence > 1 then uuid_hash_extended(object_id, sequence) else 0 end), 0)
        as sequence_hash,
      coalesce(sum(uuid_hash_extended(object_id, ${SIGNAL_OF.event}))
        filter (where ${MAY_SIGNAL.event} and ${SIGNAL_OF.event} > 0), 0) as emitted,
      coalesce(sum(uuid_hash_extended(object_id, 7)) filter (where type = 'payment_settled'), 0)
        as settled
    from gapura.gateway_event
    where object_id >= (select since from kept)
      and object_kind <> 'operator'
  )
  select
    objects.steps is not distinct from steps.steps
    and objects.begun = steps.begun
    and objects.stand_at is not distinct from steps.stand_at
    and objects.sequence_hash = emitted.sequence_hash
    and steps.to_emit = emitted.emitted
    and emitted.settled = objects.paid + steps.late
  from objects, steps, emitted`

export const HISTORY: Inquiry = {
  invariants: [
    {
      id: 'I-13',
      promise: 'the history leads without a gap from its beginning to the status of the object',
    },
    { id: 'I-23', promise: 'the events of an object are numbered without a gap, up to its last' },
    {
      id: 'I-23a',
      promise: 'each transition with a signal has its event, and there is no other event',
    },
    { id: 'I-23b', promise: 'payment_settled was emitted once for each time that money arrived' },
  ],
  sql: `
    select rule.id, object.id::text, concat_ws(' ', object.kind, object.status)
    from (${OBJECTS}) as object
    left join (${STEPS}) as step on step.object_id = object.id
    left join (${EVENTS}) as emitted on emitted.object_id = object.id
    cross join lateral (
      values
        ('I-13', ${UNBROKEN}),
        ('I-23', ${COUNTED}),
        ('I-23a', ${AS_EMITTED}),
        ('I-23b', ${SETTLED_ONCE})
    ) as rule (id, holds)
    where not (${IN_ORDER})
      and not (coalesce(${UNBROKEN}, false) and (${COUNTED}) and coalesce(${AS_EMITTED}, false)
      and coalesce(${SETTLED_ONCE}, false))
      and not coalesce(rule.holds, false)`,
}
