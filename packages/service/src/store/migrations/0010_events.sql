-- The outbox. Readers go through it in the order (xid, object_id, sequence), below the oldest
-- running transaction: an event that commits late is never behind a reader's cursor.
--
-- xid is not simply the writing transaction's. That one may have got its number first and then
-- waited for the object's lock, so that its event is the later one under the lower number. The
-- place of an event is therefore the higher of its own transaction and the object's last event
-- (event_xid on the object's row, kept under its lock). It can only be higher than the
-- transaction's own, so nothing is skipped, and it never falls from one event of an object to the
-- next, so they are read in the order of their sequence.
create table gapura.gateway_event (
  id uuid not null,
  object_id uuid not null,
  notification_id uuid,
  occurred_at timestamptz(3) not null default gapura.now(),
  xid xid8 not null,
  sequence integer not null,
  owner_id text not null,
  object_kind text not null,
  type text not null,
  previous_status text,
  source text not null,
  -- The object as it stood in this transaction. Money as decimal text, times in ISO 8601.
  object jsonb not null,
  -- Also the way to all events of one object, for a retry of what a subscriber failed at.
  primary key (object_id, sequence, occurred_at),
  constraint gateway_event_sequence_counts check (sequence >= 1),
  constraint gateway_event_object_kind_known check (
    object_kind in ('payment', 'invoice', 'subscription')
  ),
  constraint gateway_event_type_known check (
    type in (
      'payment_received', 'payment_settled', 'payment_denied', 'payment_cancelled',
      'payment_expired', 'payment_refunded', 'payment_failed', 'payment_charged_back',
      'invoice_created', 'invoice_paid', 'invoice_voided',
      'subscription_created', 'subscription_charged', 'subscription_disabled',
      'subscription_cancelled'
    )
  ),
  constraint gateway_event_source_known check (
    source in (
      'charge', 'notification', 'check_status', 'action', 'sweep', 'resolver', 'staff'
    )
  )
) partition by range (occurred_at);

create table gapura.gateway_event_default partition of gapura.gateway_event default;

create index gateway_event_place on gapura.gateway_event (xid, object_id, sequence);

select gapura.ensure_month_partition(
  'gateway_event',
  (gapura.now() at time zone 'UTC' + make_interval(months => ahead))::date
)
from generate_series(0, 3) as ahead;

-- Who is told, and how far. One process at a time leads for a name; every lease has a new token,
-- and a process that slept through its lease finds its token refused.
create table gapura.event_subscriber (
  name text primary key,
  cursor_object_id uuid not null default '00000000-0000-0000-0000-000000000000',
  cursor_xid xid8 not null default '0',
  created_at timestamptz(3) not null default gapura.now(),
  lease_until timestamptz(3),
  lease_token integer not null default 0,
  cursor_sequence integer not null default 0,
  lease_holder text,
  constraint event_subscriber_name_length check (length(name) between 1 and 100)
);

-- An event that keeps failing for one subscriber. It and what follows it about the same object
-- wait here for a person; other objects go on.
create table gapura.dead_event (
  subscriber text not null references gapura.event_subscriber (name),
  object_id uuid not null,
  event_id uuid not null,
  died_at timestamptz(3) not null default gapura.now(),
  -- The event's. It and everything behind it are in this month or a later one, which stay.
  occurred_at timestamptz(3) not null,
  sequence integer not null,
  attempts integer not null,
  owner_id text not null,
  object_kind text not null,
  error text not null,
  primary key (subscriber, object_id),
  constraint dead_event_object_kind_known check (
    object_kind in ('payment', 'invoice', 'subscription')
  )
);

-- Whether anybody stands still at an object, over all subscribers.
create index dead_event_object on gapura.dead_event (object_id);

-- Whether a month of events may be dropped.
create index dead_event_occurred on gapura.dead_event (occurred_at);
