-- The write-ahead record of every call that changes something at the gateway. The id is the
-- idempotency key on the wire (D-19). No foreign key to the subject: it lies in one of three
-- tables, and is written in the same transaction or locked before.
create table gapura.gateway_operation (
  id uuid primary key,
  subject_id uuid not null,
  refund_id uuid references gapura.gateway_refund (id),
  created_at timestamptz(3) not null default gapura.now(),
  updated_at timestamptz(3) not null default gapura.now(),
  due_at timestamptz(3),
  -- Looking touches the row as well, so the time of the last change cannot tell how long ago
  -- something may still have been on its way.
  sent_at timestamptz(3) not null default gapura.now(),
  attempt integer not null default 1,
  sends integer not null default 1,
  owner_id text not null,
  kind text not null,
  subject_kind text not null,
  request jsonb not null default '{}',
  reply jsonb,
  state text not null default 'started',
  constraint gateway_operation_kind_known check (
    kind in (
      'charge', 'cancel', 'expire', 'capture', 'approve', 'deny', 'refund', 'direct_refund',
      'create_invoice', 'void_invoice', 'create_subscription', 'disable_subscription',
      'enable_subscription', 'cancel_subscription', 'update_subscription'
    )
  ),
  constraint gateway_operation_subject_kind_known check (
    subject_kind in ('payment', 'invoice', 'subscription')
  ),
  constraint gateway_operation_state_known check (
    state in ('started', 'succeeded', 'refused', 'unknown')
  ),
  -- What is open and never due would be forgotten.
  constraint gateway_operation_open_is_due check (
    state in ('succeeded', 'refused') or due_at is not null
  )
)
with (autovacuum_vacuum_scale_factor = 0.02);

-- At most one open operation for each object; refunds may run side by side, their amounts are
-- reserved. A second action finds this index in its way and answers `operation_in_progress`.
create unique index gateway_operation_one_open
on gapura.gateway_operation (subject_id)
where state in ('started', 'unknown') and kind not in ('refund', 'direct_refund');

-- All of an object, refunds too: the open ones for the service, the rest for the people who look.
create index gateway_operation_subject
on gapura.gateway_operation (subject_id, created_at);

-- The resolver's queue.
create index gateway_operation_due
on gapura.gateway_operation (due_at)
where state in ('started', 'unknown');

-- How long the oldest of them has been open: the number a person is woken by.
create index gateway_operation_oldest
on gapura.gateway_operation (created_at)
where state in ('started', 'unknown');

create index gateway_operation_refund
on gapura.gateway_operation (refund_id)
where refund_id is not null;
