-- The inbox: one row for each accepted call. No foreign key to the payment: an unknown order is
-- stored too, and on this path every referencing insert would lock the payment's row once more.
create table gapura.gateway_notification (
  id uuid not null,
  payment_id uuid,
  received_at timestamptz(3) not null default gapura.now(),
  -- When an unmatched one needed no further look: matched after all, or handed to a person.
  resolved_at timestamptz(3),
  owner_id text,
  order_id text,
  transaction_id text,
  transaction_status text,
  fraud_status text,
  payment_type text,
  status_code text,
  gross_amount text,
  effect text not null,
  reason text,
  verified_with text,
  raw_payload jsonb not null,
  -- A unique key of a partitioned table must hold the column it is partitioned by.
  primary key (id, received_at),
  constraint gateway_notification_effect_known check (
    effect in (
      'applied', 'duplicate', 'stale', 'deferred', 'unmatched', 'mismatch', 'failed'
    )
  )
) partition by range (received_at);

-- Rows are never lost for want of a month: this catches them until housekeeping makes it.
create table gapura.gateway_notification_default
partition of gapura.gateway_notification default;

-- What was said about an order, and whether this very thing was said before.
create index gateway_notification_order
on gapura.gateway_notification (order_id, received_at);

-- The sweep over unmatched rows (D-16): empty but for what is still open.
create index gateway_notification_unmatched
on gapura.gateway_notification (received_at, id)
where effect = 'unmatched' and resolved_at is null;

-- What came last, for the people who look, and how long ago for the doctor. New rows always lie at
-- its end.
create index gateway_notification_received
on gapura.gateway_notification (received_at, id);

select gapura.ensure_month_partition(
  'gateway_notification',
  (gapura.now() at time zone 'UTC' + make_interval(months => ahead))::date
)
from generate_series(0, 3) as ahead;
