-- A page of the gateway where the payer chooses how to pay. Payments made on it refer to it.
create table gapura.gateway_checkout (
  id uuid primary key,
  -- The one payment that counts; null until one is paid.
  payment_id uuid,
  created_at timestamptz(3) not null default gapura.now(),
  updated_at timestamptz(3) not null default gapura.now(),
  -- When the gateway ends the page; null until it has answered.
  expires_at timestamptz(3),
  completed_at timestamptz(3),
  next_check_at timestamptz(3),
  -- The place of the last event about this row; see gateway_event.
  event_xid xid8,
  event_sequence integer not null default 0,
  version integer not null default 1,
  page_expiry_minutes integer not null,
  payment_expiry_minutes integer,
  -- Whether the gateway confirmed that a cancelled page takes no more payments.
  page_closed boolean,
  owner_id text not null,
  order_id text not null,
  status text not null default 'initiated',
  amount numeric(15, 2) not null,
  currency text not null default 'IDR',
  description text,
  return_url text,
  -- Null: every method the gateway offers and this service knows.
  payment_types text[],
  customer_first_name text,
  customer_last_name text,
  customer_email text,
  customer_phone text,
  -- Both are needed to give the same page again, and are removed when it ends.
  token text,
  redirect_url text,
  -- Of the request: a repeat with the same content gets the same page.
  fingerprint text not null,
  items jsonb not null default '[]',
  metadata jsonb not null default '{}',
  constraint gateway_checkout_owner_named check (length(owner_id) between 1 and 255),
  constraint gateway_checkout_order_id_length check (length(order_id) between 1 and 50),
  constraint gateway_checkout_amount_positive check (amount > 0),
  constraint gateway_checkout_status_known check (
    status in ('initiated', 'failure', 'open', 'completed', 'expired', 'cancelled')
  ),
  constraint gateway_checkout_completed_by_payment check (
    (status = 'completed') = (payment_id is not null)
  ),
  constraint gateway_checkout_page_while_open check (
    status = 'open' or (token is null and redirect_url is null)
  )
);

-- One page for each order, for ever, as an order id is one payment; what was refused frees it.
create unique index gateway_checkout_order_id
on gapura.gateway_checkout (order_id)
where status <> 'failure';

-- The rest of the rows of an order id, so that a search by it sees all of them.
create index gateway_checkout_failed_order_id
on gapura.gateway_checkout (order_id)
where status = 'failure';

create index gateway_checkout_owner
on gapura.gateway_checkout (owner_id, created_at, id);

create index gateway_checkout_owner_status
on gapura.gateway_checkout (owner_id, status, created_at, id);

create index gateway_checkout_created
on gapura.gateway_checkout (created_at, id);

create index gateway_checkout_status
on gapura.gateway_checkout (status, created_at, id);

create index gateway_checkout_email
on gapura.gateway_checkout (lower(customer_email), created_at, id)
where customer_email is not null;

create index gateway_checkout_next_check
on gapura.gateway_checkout (next_check_at)
where next_check_at is not null;

-- The page on which a payment was made.
alter table gapura.gateway_payment add column checkout_id uuid;

-- The transaction of an attempt on a page is kept beside its own column as that of a cycle is, so
-- that no other payment's transaction is part of an index.
create or replace trigger gateway_payment_cycle_kept
before insert or update on gapura.gateway_payment
for each row
when (
  num_nonnulls(new.subscription_id, new.checkout_id) > 0
  and new.cycle_transaction_id is distinct from new.transaction_id
)
execute function gapura.keep_cycle();

alter table gapura.gateway_payment add constraint gateway_payment_checkout foreign key (checkout_id)
references gapura.gateway_checkout (id) not valid;

-- Not validated: every earlier row satisfies the narrower constraints that are replaced.
alter table gapura.gateway_operation drop constraint gateway_operation_kind_known;

alter table gapura.gateway_operation add constraint gateway_operation_kind_known check (
  kind in (
    'charge', 'cancel', 'expire', 'capture', 'approve', 'deny', 'refund', 'direct_refund',
    'create_invoice', 'void_invoice', 'create_subscription', 'disable_subscription',
    'enable_subscription', 'cancel_subscription', 'update_subscription', 'create_checkout',
    'cancel_checkout'
  )
) not valid;

alter table gapura.gateway_operation drop constraint gateway_operation_subject_kind_known;

alter table gapura.gateway_operation add constraint gateway_operation_subject_kind_known check (
  subject_kind in ('payment', 'invoice', 'subscription', 'checkout')
) not valid;

alter table gapura.gateway_transition drop constraint gateway_transition_object_kind_known;

alter table gapura.gateway_transition add constraint gateway_transition_object_kind_known check (
  object_kind in ('payment', 'invoice', 'subscription', 'checkout')
) not valid;

alter table gapura.gateway_transition add constraint gateway_transition_checkout_status_known check (
  object_kind <> 'checkout'
  or to_status in ('initiated', 'failure', 'open', 'completed', 'expired', 'cancelled')
) not valid;

alter table gapura.gateway_event drop constraint gateway_event_object_kind_known;

alter table gapura.gateway_event add constraint gateway_event_object_kind_known check (
  object_kind in ('payment', 'invoice', 'subscription', 'checkout', 'operator')
) not valid;

alter table gapura.gateway_event drop constraint gateway_event_type_known;

alter table gapura.gateway_event add constraint gateway_event_type_known check (
  type in (
    'payment_received', 'payment_settled', 'payment_denied', 'payment_cancelled',
    'payment_expired', 'payment_refunded', 'payment_failed', 'payment_charged_back',
    'invoice_created', 'invoice_paid', 'invoice_voided',
    'subscription_created', 'subscription_charged', 'subscription_disabled',
    'subscription_cancelled',
    'checkout_created', 'checkout_completed', 'checkout_expired', 'checkout_cancelled',
    'alarm_opened', 'endpoint_disabled', 'gateway_silent', 'refund_request_opened'
  )
) not valid;

alter table gapura.dead_event drop constraint dead_event_object_kind_known;

alter table gapura.dead_event add constraint dead_event_object_kind_known check (
  object_kind in ('payment', 'invoice', 'subscription', 'checkout', 'operator')
) not valid;

alter table gapura.gateway_alarm drop constraint gateway_alarm_kind_known;

alter table gapura.gateway_alarm add constraint gateway_alarm_kind_known check (
  kind in (
    'amount_mismatch', 'late_money', 'reversal', 'outcome_unknown', 'payer_instructions_lost',
    'unmatched_notification', 'duplicate_at_gateway', 'event_dead', 'refund_overdue',
    'active_at_gateway', 'report_unsettled', 'status_unknown', 'endpoint_disabled', 'paid_twice'
  )
) not valid;

alter table gapura.gateway_alarm drop constraint gateway_alarm_subject_kind_known;

alter table gapura.gateway_alarm add constraint gateway_alarm_subject_kind_known check (
  subject_kind in (
    'payment', 'invoice', 'subscription', 'checkout', 'notification', 'operation', 'event',
    'endpoint'
  )
) not valid;
