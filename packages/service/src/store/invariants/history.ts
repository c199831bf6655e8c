// The history of every object against the object itself, and the events against the history.
import type { Inquiry } from './invariant.ts'

/**
 * Both large tables are read once and never sorted. Whether a history is unbroken (each step begins
 * where the one before it ended) is told by a sum: every step adds the place it leads to and takes
 * away the place it came from, so that of an unbroken chain only its last place is left, and that
 * is where the object must stand.
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

const TOLD = `
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

/** Which of five things a step or an event tells, or 0: of these, each step has one event. */
const TOLD_AS = {
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

/** Most rows tell none of the five, and are passed over by a look at one word. */
const MAY_BE_TOLD = {
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
  from gapura.gateway_subscription`

const UNBROKEN = `
  coalesce(step.begins, false)
  and step.steps = object.version
  and step.last = object.version
  and step.stands_at = hashtextextended(object.status, object.version + 1)`

// Months that were delivered may have been dropped: what is left must still be without a gap.
const COUNTED = `
  coalesce(told.last, object.event_sequence) = object.event_sequence
  and coalesce(told.events = told.last - told.first + 1, true)`

const AS_TOLD = `
  object.kind <> 'payment'
  or (told.first is null and object.event_sequence > 0)
  or coalesce(told.first, 1) > 1
  or (
    coalesce(told.cancelled, 0) = step.cancelled
    and coalesce(told.expired, 0) = step.expired
    and coalesce(told.failed, 0) = step.failed
    and coalesce(told.refunded, 0) = step.refunded
    and coalesce(told.charged_back, 0) = step.charged_back
  )`

// Once, and once more for each time that money came back after it was told to be gone (ADR 0001). A
// payment first heard of when it was refunded already is told as that.
const SETTLED_ONCE = `
  object.kind <> 'payment'
  or (told.first is null and object.event_sequence > 0)
  or coalesce(told.first, 1) > 1
  or case
    when object.paid_at is null then coalesce(told.settled, 0) = 0
    else told.settled <= 1 + step.late
      and (told.settled >= 1 or object.status not in ('capture', 'settlement'))
  end`

/**
 * The same promises as sums over whole tables, which need no table in memory and no join: equal for
 * a database in order. Only if they differ is it worth finding out which object is to blame.
 * Months of events that were dropped are left out by the ids, which begin with a time.
 */
const IN_ORDER = `
  with
  kept as (
    select coalesce(
      (
        select (lpad(to_hex(extract(epoch from date_trunc('month', occurred_at))::bigint * 1000),
          12, '0') || repeat('0', 20))::uuid
        from gapura.gateway_event
        -- As good as the oldest, and at hand: should a later one come first, fewer are looked at.
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
        filter (where event_sequence > 0 and id >= (select since from kept)), 0) as told_up_to,
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
      coalesce(sum(uuid_hash_extended(object_id, ${TOLD_AS.step}))
        filter (where ${MAY_BE_TOLD.step} and ${TOLD_AS.step} > 0
          and object_id >= (select since from kept)), 0) as to_tell,
      coalesce(sum(uuid_hash_extended(object_id, 7)) filter (where reason = 'late_money' and object_id >= (select since from kept)), 0) as late
    from gapura.gateway_transition
  ),
  told as (
    select
      coalesce(bit_xor(uuid_hash_extended(object_id, sequence + 1)
        # case when sequence > 1 then uuid_hash_extended(object_id, sequence) else 0 end), 0)
        as told_up_to,
      coalesce(sum(uuid_hash_extended(object_id, ${TOLD_AS.event}))
        filter (where ${MAY_BE_TOLD.event} and ${TOLD_AS.event} > 0), 0) as told,
      coalesce(sum(uuid_hash_extended(object_id, 7)) filter (where type = 'payment_settled'), 0)
        as settled
    from gapura.gateway_event
    where object_id >= (select since from kept)
  )
  select
    objects.steps is not distinct from steps.steps
    and objects.begun = steps.begun
    and objects.stand_at is not distinct from steps.stand_at
    and objects.told_up_to = told.told_up_to
    and steps.to_tell = told.told
    and told.settled = objects.paid + steps.late
  from objects, steps, told`

export const HISTORY: Inquiry = {
  invariants: [
    {
      id: 'I-13',
      promise: 'the history leads from its beginning, step by step, to where the object stands',
    },
    { id: 'I-23', promise: 'the events of an object are counted without a gap, up to its last' },
    { id: 'I-23a', promise: 'each step that is to be told was told, and nothing else' },
    { id: 'I-23b', promise: 'money that arrived was told as settled, once for each arrival' },
  ],
  sql: `
    select rule.id, object.id::text, concat_ws(' ', object.kind, object.status)
    from (${OBJECTS}) as object
    left join (${STEPS}) as step on step.object_id = object.id
    left join (${TOLD}) as told on told.object_id = object.id
    cross join lateral (
      values
        ('I-13', ${UNBROKEN}),
        ('I-23', ${COUNTED}),
        ('I-23a', ${AS_TOLD}),
        ('I-23b', ${SETTLED_ONCE})
    ) as rule (id, holds)
    where not (${IN_ORDER})
      and not (coalesce(${UNBROKEN}, false) and (${COUNTED}) and coalesce(${AS_TOLD}, false)
      and coalesce(${SETTLED_ONCE}, false))
      and not coalesce(rule.holds, false)`,
}
