-- The reply is kept as text, so that a replay is the same bytes (I-28). No foreign key to the
-- operation: it would add a look-up to every charge, and operations are never deleted.
create table gapura.idempotency_key (
  operation_id uuid,
  created_at timestamptz(3) not null default gapura.now(),
  finished_at timestamptz(3),
  reply_code integer,
  owner_id text not null,
  key text not null,
  fingerprint text not null,
  reply_body text,
  primary key (owner_id, key),
  constraint idempotency_key_length check (length(key) between 1 and 255),
  constraint idempotency_key_finished_with_reply check (
    (finished_at is null) = (reply_code is null)
    and (finished_at is null) = (reply_body is null)
  )
)
-- A day's rows come and go, so a fifth of the table dead at any time would be the normal state.
with (autovacuum_vacuum_scale_factor = 0.02);

-- The purge of what is old enough.
create index idempotency_key_created on gapura.idempotency_key (created_at);

-- The key of an operation is settled by whoever ends the operation: the request itself, a repeat of
-- it, or the resolver, which knows the operation alone.
create index idempotency_key_operation
on gapura.idempotency_key (operation_id)
where finished_at is null;
