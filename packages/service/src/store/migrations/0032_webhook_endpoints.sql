-- Where events are sent by HTTP. An endpoint is a subscriber of the outbox under the name
-- webhook.<id>: cursor, lease, order for each object and events set aside are those of any other.
create table gapura.webhook_endpoint (
  id uuid primary key,
  created_at timestamptz(3) not null default gapura.now(),
  updated_at timestamptz(3) not null default gapura.now(),
  -- Since when nothing but failures; null after a success.
  failing_since timestamptz(3),
  -- Until when the former secret signs too.
  former_until timestamptz(3),
  deleted_at timestamptz(3),
  -- Null: the events of every owner.
  owner_id text,
  state text not null default 'enabled',
  url text not null,
  -- Null: every signal.
  types text[],
  description text not null default '',
  -- Why it was disabled; null in every other state.
  disabled_reason text,
  -- Encrypted with a key that is not in the database; empty once the endpoint is deleted.
  secret text not null,
  former_secret text,
  -- The Ed25519 key, if the endpoint wants such signatures too; the public half is shown.
  private_key text,
  public_key text,
  constraint webhook_endpoint_state_known check (state in ('enabled', 'paused', 'disabled')),
  constraint webhook_endpoint_disabled_with_reason check (
    (state = 'disabled') = (disabled_reason is not null)
  ),
  constraint webhook_endpoint_url_length check (length(url) between 1 and 2000),
  constraint webhook_endpoint_types_some check (types is null or cardinality(types) >= 1),
  constraint webhook_endpoint_former_until_given check (
    (former_secret is null) = (former_until is null)
  ),
  constraint webhook_endpoint_key_pair check ((private_key is null) = (public_key is null))
);

-- One endpoint for each address of an owner: a repeated request makes no second one.
create unique index webhook_endpoint_address
on gapura.webhook_endpoint (coalesce(owner_id, ''), url)
where deleted_at is null;

create index webhook_endpoint_list
on gapura.webhook_endpoint (created_at, id)
where deleted_at is null;

-- One row for each attempt: a log that retention drops by months.
create table gapura.webhook_delivery (
  id uuid not null,
  created_at timestamptz(3) not null default gapura.now(),
  endpoint_id uuid not null,
  event_id uuid not null,
  -- The event's; its body is made of it again. Null of a test.
  object_id uuid,
  sequence integer,
  attempt integer not null,
  duration_ms integer not null,
  response_status integer,
  -- The owner of the event's object; null of a test.
  owner_id text,
  type text not null,
  outcome text not null,
  url text not null,
  -- What failed: no answer, or an answer that is no success.
  error_class text,
  -- The first 2 kB.
  response_body text not null default '',
  primary key (id, created_at),
  constraint webhook_delivery_outcome_known check (outcome in ('delivered', 'failed')),
  constraint webhook_delivery_error_of_failure check (
    (outcome = 'failed') = (error_class is not null)
  ),
  constraint webhook_delivery_response_length check (length(response_body) <= 2048),
  constraint webhook_delivery_attempt_counts check (attempt >= 1)
) partition by range (created_at);

create table gapura.webhook_delivery_default partition of gapura.webhook_delivery default;

create index webhook_delivery_endpoint
on gapura.webhook_delivery (endpoint_id, created_at, id);

select gapura.ensure_month_partition(
  'webhook_delivery',
  (gapura.now() at time zone 'UTC' + make_interval(months => ahead))::date
)
from generate_series(0, 3) as ahead;

-- What is to be sent again, or as a test, outside of the order of the outbox.
create table gapura.webhook_resend (
  id uuid primary key,
  created_at timestamptz(3) not null default gapura.now(),
  endpoint_id uuid not null references gapura.webhook_endpoint (id),
  -- Null of a test.
  object_id uuid,
  sequence integer,
  constraint webhook_resend_event_whole check ((object_id is null) = (sequence is null))
);

create index webhook_resend_endpoint on gapura.webhook_resend (endpoint_id, created_at, id);

-- Whose events a subscriber wants; null: every owner's.
alter table gapura.event_subscriber add column owner_id text;

-- A few rows, and authentication only reads: validating them at once holds nothing up.
alter table gapura.api_key drop constraint api_key_scopes_known;

-- squawk-ignore constraint-missing-not-valid
alter table gapura.api_key add constraint api_key_scopes_known check (
  scopes <@ array[
    'payments:write', 'payments:refund', 'payments:capture', 'invoices:write',
    'subscriptions:write', 'webhooks:write', 'staff:read', 'staff:act'
  ]
);

-- Not validated: every earlier row satisfies the narrower constraints that are replaced.
alter table gapura.gateway_alarm drop constraint gateway_alarm_kind_known;

alter table gapura.gateway_alarm add constraint gateway_alarm_kind_known check (
  kind in (
    'amount_mismatch', 'late_money', 'reversal', 'outcome_unknown', 'payer_instructions_lost',
    'unmatched_notification', 'duplicate_at_gateway', 'event_dead', 'refund_overdue',
    'active_at_gateway', 'report_unsettled', 'status_unknown', 'endpoint_disabled'
  )
) not valid;

alter table gapura.gateway_alarm drop constraint gateway_alarm_subject_kind_known;

alter table gapura.gateway_alarm add constraint gateway_alarm_subject_kind_known check (
  subject_kind in (
    'payment', 'invoice', 'subscription', 'notification', 'operation', 'event', 'endpoint'
  )
) not valid;
