create table gapura.gateway_subscription (
  id uuid primary key,
  created_at timestamptz(3) not null default gapura.now(),
  updated_at timestamptz(3) not null default gapura.now(),
  start_time timestamptz(3),
  next_execution_at timestamptz(3),
  next_check_at timestamptz(3),
  -- When the gateway was last asked about it: a flood of unsigned notices asks once a minute.
  checked_at timestamptz(3),
  -- When the amount last changed, and what it was: news of an earlier cycle may come later.
  amount_changed_at timestamptz(3),
  -- The payment of the last cycle charged. No foreign key: payments point here, and only one way.
  last_payment_id uuid,
  -- The place of the last event told about this row; see gateway_event.
  event_xid xid8,
  event_sequence integer not null default 0,
  version integer not null default 1,
  interval integer not null,
  max_interval integer,
  current_interval integer not null default 0,
  retry_interval integer,
  retry_max_interval integer,
  owner_id text not null,
  gateway_subscription_id text,
  -- What an unsigned notice called it, where the reply to its creation was lost. To be asked about,
  -- never believed (D-21).
  hinted_id text,
  name text not null,
  gateway_name text not null,
  payment_type text not null,
  amount numeric(15, 2) not null,
  former_amount numeric(15, 2),
  currency text not null default 'IDR',
  interval_unit text not null,
  retry_interval_unit text,
  status text not null default 'initiated',
  customer_first_name text,
  customer_last_name text,
  customer_email text,
  customer_phone text,
  metadata jsonb not null default '{}',
  constraint gateway_subscription_owner_named check (length(owner_id) between 1 and 255),
  constraint gateway_subscription_amount_positive check (amount > 0),
  constraint gateway_subscription_status_known check (
    status in ('initiated', 'failure', 'active', 'inactive', 'disabled', 'cancelled')
  ),
  constraint gateway_subscription_payment_type_known check (payment_type in ('credit_card', 'gopay')),
  constraint gateway_subscription_interval_unit_known check (interval_unit in ('day', 'week', 'month')),
  constraint gateway_subscription_retry_interval_unit_known check (
    retry_interval_unit in ('minute', 'hour', 'day')
  )
);

-- Every cycle's order id begins with the minted name, so a name leads to one subscription.
create unique index gateway_subscription_gateway_name on gapura.gateway_subscription (gateway_name);

create unique index gateway_subscription_gateway_id
on gapura.gateway_subscription (gateway_subscription_id)
where gateway_subscription_id is not null;

create index gateway_subscription_owner
on gapura.gateway_subscription (owner_id, created_at, id);

create index gateway_subscription_owner_status
on gapura.gateway_subscription (owner_id, status, created_at, id);

create index gateway_subscription_created
on gapura.gateway_subscription (created_at, id);

create index gateway_subscription_status
on gapura.gateway_subscription (status, created_at, id);

-- The sync's queue: the row is the job.
create index gateway_subscription_next_check
on gapura.gateway_subscription (next_check_at)
where next_check_at is not null;
