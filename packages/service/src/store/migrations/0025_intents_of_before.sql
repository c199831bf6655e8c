-- What earlier releases kept: keys of the last day, their replies, and the refund of each approved
-- request.
alter table gapura.gateway_alarm validate constraint gateway_alarm_kind_known;

update gapura.gateway_operation as operation
set intent_owner = gapura.intent_owner_of(key.owner_id, key.key),
    intent_key = key.key,
    intent_fingerprint = key.fingerprint
from gapura.idempotency_key as key
where key.operation_id = operation.id
  and operation.intent_key is null;

insert into gapura.operation_reply (operation_id, finished_at, code, body)
select operation_id, finished_at, reply_code, reply_body
from gapura.idempotency_key
where finished_at is not null
  and operation_id is not null
on conflict (operation_id) do nothing;

-- What the keys of the last day say of approved requests.
update gapura.gateway_refund as refund
set refund_request_id = substring(operation.intent_key from length('refund-request:') + 1)::uuid
from gapura.gateway_operation as operation
where operation.refund_id = refund.id
  and operation.intent_owner = ''
  and operation.intent_key like 'refund-request:%'
  and refund.status <> 'failed'
  and refund.refund_request_id is null;

-- The keys of older approvals are gone. Only approved requests made refunds with a second person on
-- them, so both are paired in the order of time; a refund that failed was not what came of one.
with approved as (
  select
    id, payment_id, amount, is_direct, requested_by, decided_by,
    row_number() over (
      partition by payment_id, amount, is_direct, requested_by, decided_by
      order by decided_at, id
    ) as place
  from gapura.refund_request as request
  where state = 'approved'
    and not exists (select from gapura.gateway_refund where refund_request_id = request.id)
), made as (
  select
    id, payment_id, amount, is_direct, requested_by, approved_by,
    row_number() over (
      partition by payment_id, amount, is_direct, requested_by, approved_by
      order by created_at, id
    ) as place
  from gapura.gateway_refund
  where approved_by is not null
    and status <> 'failed'
    and refund_request_id is null
), paired as (
  update gapura.gateway_refund as refund
  set refund_request_id = approved.id
  from made
  join approved
    on approved.payment_id = made.payment_id
    and approved.amount = made.amount
    and approved.is_direct = made.is_direct
    and approved.requested_by = made.requested_by
    and approved.decided_by = made.approved_by
    and approved.place = made.place
  where refund.id = made.id
  returning refund.id, refund.refund_request_id
), freed as (
  -- A try that failed may carry the intent by its key: what was made carries it from now on.
  update gapura.gateway_operation as operation
  set intent_owner = null, intent_key = null, intent_fingerprint = null
  from paired
  where operation.intent_owner = ''
    and operation.intent_key = 'refund-request:' || paired.refund_request_id
    and operation.refund_id is distinct from paired.id
    and operation.state = 'refused'
  returning operation.id
)
select count(*) from freed;

update gapura.gateway_operation as operation
set intent_owner = '',
    intent_key = 'refund-request:' || refund.refund_request_id,
    intent_fingerprint = refund.refund_request_id::text
from gapura.gateway_refund as refund
where operation.refund_id = refund.id
  and refund.refund_request_id is not null
  and operation.intent_key is null
  and not exists (
    select
    from gapura.gateway_operation as carrier
    where carrier.intent_owner = ''
      and carrier.intent_key = 'refund-request:' || refund.refund_request_id
  );
