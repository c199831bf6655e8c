-- Permanent identity for money. Every operation carries the intent behind it: the caller's own
-- idempotency key, or one the service made ('job:…', 'refund-request:…', under the empty owner). It
-- is never purged, so a repeat after any time finds the first effect. Replies are kept apart and
-- only for a while.
--
-- Payments are altered first, as every transaction locks them before what refers to them. The new
-- column says since when a report waits for an answer of the gateway that settles it.
alter table gapura.gateway_payment add column deferred_since timestamptz(3);

-- The request that a second person approved. A unique index allows one refund for each; a refund
-- that failed gives it up.
alter table gapura.gateway_refund add column refund_request_id uuid;

alter table gapura.gateway_operation add column intent_owner text;

alter table gapura.gateway_operation add column intent_key text;

alter table gapura.gateway_operation add column intent_fingerprint text;

-- The reply of an ended operation as text, so that a replay is the same bytes. Its age counts from
-- the end of the operation, not from its beginning.
create table gapura.operation_reply (
  operation_id uuid primary key,
  finished_at timestamptz(3) not null default gapura.now(),
  code integer not null,
  body text not null
)
with (autovacuum_vacuum_scale_factor = 0.02);

create index operation_reply_finished on gapura.operation_reply (finished_at);

-- Further keys under which a caller asked for a refund that was held already.
create table gapura.refund_request_repeat (
  refund_request_id uuid not null,
  owner_id text not null,
  requested_by text not null,
  key text not null,
  fingerprint text not null,
  primary key (requested_by, key)
);

alter table gapura.gateway_alarm drop constraint gateway_alarm_kind_known;

alter table gapura.gateway_alarm add constraint gateway_alarm_kind_known check (
  kind in (
    'amount_mismatch', 'late_money', 'reversal', 'outcome_unknown', 'payer_instructions_lost',
    'unmatched_notification', 'duplicate_at_gateway', 'event_dead', 'refund_overdue',
    'active_at_gateway', 'report_unsettled', 'status_unknown'
  )
) not valid;

-- Processes of the release before write idempotency_key during a rolling deploy. These triggers copy
-- what they write, so that either release finds the other's intents; a later release drops them
-- together with the table. They run with the owner's rights: the application's role has none on the
-- new table before its grants are given.
create function gapura.intent_owner_of(owner_id text, key text) returns text
language sql immutable
as $$
  select case
    when key ~ '^(job|refund-request):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ''
    else owner_id
  end
$$;

create function gapura.copy_claimed_key() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
begin
  update gapura.gateway_operation
  set intent_owner = gapura.intent_owner_of(new.owner_id, new.key),
      intent_key = new.key,
      intent_fingerprint = new.fingerprint
  where id = new.operation_id
    and intent_key is null;
  return null;
end
$$;

create function gapura.copy_kept_reply() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
begin
  insert into gapura.operation_reply (operation_id, finished_at, code, body)
  values (new.operation_id, new.finished_at, new.reply_code, new.reply_body)
  on conflict (operation_id) do nothing;
  return null;
end
$$;

create function gapura.copy_key_of_operation() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
begin
  select gapura.intent_owner_of(key.owner_id, key.key), key.key, key.fingerprint
  into new.intent_owner, new.intent_key, new.intent_fingerprint
  from gapura.idempotency_key as key
  where key.operation_id = new.id
    and key.finished_at is null;
  if new.intent_owner = '' and new.intent_key like 'refund-request:%' then
    update gapura.gateway_refund
    set refund_request_id = null
    where refund_request_id = substring(new.intent_key from length('refund-request:') + 1)::uuid
      and status = 'failed';
    update gapura.gateway_refund
    set refund_request_id = substring(new.intent_key from length('refund-request:') + 1)::uuid
    where id = new.refund_id
      and refund_request_id is null;
  end if;
  return new;
end
$$;

-- An intent that this release carried out is offered to a process of the release before when it asks,
-- with the reply as far as it is known: it repeats that reply then instead of failing.
create function gapura.offer_known_intent() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
begin
  insert into gapura.idempotency_key
    (owner_id, key, fingerprint, operation_id, created_at, finished_at, reply_code, reply_body)
  select new.owner_id, new.key, operation.intent_fingerprint, operation.id, operation.created_at,
    reply.finished_at, reply.code, reply.body
  from gapura.gateway_operation as operation
  left join gapura.operation_reply as reply on reply.operation_id = operation.id
  where operation.intent_owner = gapura.intent_owner_of(new.owner_id, new.key)
    and operation.intent_key = new.key
    and operation.id is distinct from new.operation_id
  on conflict (owner_id, key) do update
  set finished_at = excluded.finished_at,
      reply_code = excluded.reply_code,
      reply_body = excluded.reply_body
  where idempotency_key.finished_at is null
    and excluded.finished_at is not null;
  return new;
end
$$;

create trigger idempotency_key_offered
before insert on gapura.idempotency_key
for each row
when (pg_trigger_depth() = 0)
execute function gapura.offer_known_intent();

create trigger idempotency_key_claimed
after insert on gapura.idempotency_key
for each row
when (new.operation_id is not null)
execute function gapura.copy_claimed_key();

create trigger idempotency_key_finished
after update on gapura.idempotency_key
for each row
when (new.finished_at is not null and new.operation_id is not null)
execute function gapura.copy_kept_reply();

create trigger gateway_operation_keyed
before insert on gapura.gateway_operation
for each row
when (new.intent_key is null)
execute function gapura.copy_key_of_operation();

-- It frees the key of a refused operation that may be tried again: so is the intent.
create function gapura.release_freed_key() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
begin
  update gapura.gateway_operation
  set intent_owner = null,
      intent_key = null,
      intent_fingerprint = null
  where id = old.operation_id
    and state = 'refused';
  return null;
end
$$;

create trigger idempotency_key_freed
after delete on gapura.idempotency_key
for each row
when (old.finished_at is null and old.operation_id is not null)
execute function gapura.release_freed_key();
