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

-- The keys of older approvals are gone. Only approved requests made refunds with a second person on
-- them, so both are paired in the order of time.
with approved as (
  select
    id, payment_id, amount, is_direct, requested_by, decided_by,
    row_number() over (
      partition by payment_id, amount, is_direct, requested_by, decided_by
      order by decided_at, id
    ) as place
  from gapura.refund_request
  where state = 'approved'
), made as (
  select
    id, payment_id, amount, is_direct, requested_by, approved_by,
    row_number() over (
      partition by payment_id, amount, is_direct, requested_by, approved_by
      order by created_at, id
    ) as place
  from gapura.gateway_refund
  where approved_by is not null
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
)
update gapura.gateway_operation as operation
set intent_owner = '',
    intent_key = 'refund-request:' || paired.refund_request_id,
    intent_fingerprint = paired.refund_request_id::text
from paired
where operation.refund_id = paired.id
  and operation.intent_key is null;
