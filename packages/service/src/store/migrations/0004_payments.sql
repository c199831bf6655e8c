-- Fixed-width columns first: no padding between them, a few bytes less on each of 100 million rows.
create table gapura.gateway_payment (
  id uuid primary key,
  subscription_id uuid references gapura.gateway_subscription (id),
  invoice_id uuid references gapura.gateway_invoice (id),
  created_at timestamptz(3) not null default gapura.now(),
  updated_at timestamptz(3) not null default gapura.now(),
  transaction_time timestamptz(3),
  settlement_time timestamptz(3),
  expiry_time timestamptz(3),
  paid_at timestamptz(3),
  next_check_at timestamptz(3),
  -- The place of the last event told about this row; see gateway_event.
  event_xid xid8,
  event_sequence integer not null default 0,
  version integer not null default 1,
  check_attempts integer not null default 0,
  -- Set when the charge ended `refused`: the gateway has no such order, its id is free again.
  refused boolean not null default false,
  owner_id text not null,
  -- Longer than what we may send: a subscription's cycles come with up to 73 characters.
  order_id text not null,
  transaction_id text,
  -- Which of the gateway's protocol families charged it, and so which one to ask.
  api_family text not null default 'classic',
  payment_type text not null,
  bank text,
  store text,
  acquirer text,
  issuer text,
  masked_card text,
  gross_amount numeric(15, 2) not null,
  currency text not null default 'IDR',
  transaction_status text not null default 'initiated',
  fraud_status text,
  status_code text,
  status_message text,
  authorized_amount numeric(15, 2) not null default 0,
  captured_amount numeric(15, 2) not null default 0,
  refunded_amount numeric(15, 2) not null default 0,
  refund_reserved_amount numeric(15, 2) not null default 0,
  customer_first_name text,
  customer_last_name text,
  customer_email text,
  customer_phone text,
  va_number text,
  bill_key text,
  biller_code text,
  payment_code text,
  redirect_url text,
  deeplink_url text,
  qr_string text,
  actions jsonb not null default '[]',
  metadata jsonb not null default '{}',
  custom_field1 text,
  custom_field2 text,
  custom_field3 text,
  constraint gateway_payment_owner_named check (length(owner_id) between 1 and 255),
  constraint gateway_payment_order_id_length check (length(order_id) between 1 and 100),
  constraint gateway_payment_api_family_known check (api_family in ('classic', 'snap')),
  constraint gateway_payment_payment_type_known check (
    payment_type in (
      'credit_card', 'gopay', 'shopeepay', 'qris', 'ovo', 'dana',
      'bank_transfer', 'echannel', 'cstore', 'akulaku', 'kredivo'
    )
  ),
  constraint gateway_payment_transaction_status_known check (
    transaction_status in (
      'initiated', 'pending', 'authorize', 'capture', 'settlement', 'deny', 'cancel', 'expire',
      'failure', 'partial_refund', 'refund', 'partial_chargeback', 'chargeback'
    )
  ),
  constraint gateway_payment_fraud_status_known check (
    fraud_status in ('accept', 'challenge', 'deny')
  ),
  constraint gateway_payment_gross_positive check (gross_amount > 0),
  constraint gateway_payment_amounts_not_negative check (
    authorized_amount >= 0
    and captured_amount >= 0
    and refunded_amount >= 0
    and refund_reserved_amount >= 0
  ),
  -- The promise about money, held by the database under any concurrency.
  constraint gateway_payment_refunds_within_captured check (
    refunded_amount + refund_reserved_amount <= captured_amount
  ),
  -- Payments without a separate authorization have all three equal once paid. A fee the gateway
  -- imposes on the payer is not ours and changes none of them.
  constraint gateway_payment_captured_within_authorized check (captured_amount <= authorized_amount),
  constraint gateway_payment_authorized_within_gross check (authorized_amount <= gross_amount)
)
-- A payment is written about four times. A move changes transaction_status and next_check_at, both
-- indexed, so it can never be a HOT update, and neither can a check that only sets the next one.
-- What can be: refund amounts, the event counter (once for each move that tells one) and details
-- filled in later. The room left on each page keeps those on it.
-- Vacuum by 2 % of the rows, not 20 %: at 100 million that would be 20 million dead rows.
with (
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01
);

-- Twelve of the indexes below hold nearly every row; the others are partial and hold few. Measured
-- on two shared cores, bulk inserts: 28,000 rows/s with the first two alone, 11,000 with all of
-- them, so about 5 microseconds for each index, of a charge that takes milliseconds. Without them
-- a search reads the table: 100 million rows.
--
-- Lists are ordered by (created_at, id) and not by the id alone: created_at is the database's clock
-- and one of the filters, an id carries the clock of the process that made it.

-- The gateway takes an order id again once it refused it, so only the others are unique (D-18).
create unique index gateway_payment_order_id
on gapura.gateway_payment (order_id)
where not refused;

-- The rest of the rows of an order id, so that a search by it sees all of them.
create index gateway_payment_refused_order_id
on gapura.gateway_payment (order_id)
where refused;

-- The lists of an owner: all, by method, by status.
create index gateway_payment_owner
on gapura.gateway_payment (owner_id, created_at, id);

create index gateway_payment_owner_type
on gapura.gateway_payment (owner_id, payment_type, created_at, id);

create index gateway_payment_owner_status
on gapura.gateway_payment (owner_id, transaction_status, created_at, id);

-- The same for staff, who see every owner's. A rare status or method would otherwise be looked for
-- through the whole history.
create index gateway_payment_created
on gapura.gateway_payment (created_at, id);

create index gateway_payment_type
on gapura.gateway_payment (payment_type, created_at, id);

create index gateway_payment_status
on gapura.gateway_payment (transaction_status, created_at, id);

-- "The customer says she paid": by what she can read to us. An e-mail, an amount or a number names
-- few enough payments that the owner is checked on the rows found.
create index gateway_payment_email
on gapura.gateway_payment (lower(customer_email), created_at, id)
where customer_email is not null;

create index gateway_payment_amount
on gapura.gateway_payment (gross_amount, created_at, id);

create index gateway_payment_transaction_id
on gapura.gateway_payment (transaction_id)
where transaction_id is not null;

create index gateway_payment_va_number
on gapura.gateway_payment (va_number)
where va_number is not null;

create index gateway_payment_bill_key
on gapura.gateway_payment (bill_key)
where bill_key is not null;

create index gateway_payment_payment_code
on gapura.gateway_payment (payment_code)
where payment_code is not null;

-- A cycle is a payment keyed by the gateway's transaction, so a second report of it finds the
-- first (D-27). Also the list of a subscription's cycles.
create unique index gateway_payment_cycle
on gapura.gateway_payment (subscription_id, transaction_id)
where subscription_id is not null;

create index gateway_payment_invoice
on gapura.gateway_payment (invoice_id)
where invoice_id is not null;

-- The queue of "ask the gateway about this": only the unsettled few are in it.
create index gateway_payment_next_check
on gapura.gateway_payment (next_check_at, id)
where next_check_at is not null;

-- expire_stale_payments: what is pending past its time.
create index gateway_payment_stale
on gapura.gateway_payment (expiry_time, id)
where transaction_status = 'pending';

-- Written once with the payment in the same transaction, so the foreign key locks a row nobody
-- else can see yet and costs a look-up in a page just written.
create table gapura.gateway_payment_item (
  id uuid primary key,
  payment_id uuid not null references gapura.gateway_payment (id),
  position integer not null,
  quantity integer not null,
  owner_id text not null,
  item_id text,
  name text not null,
  -- Negative for a discount (D-25).
  price numeric(15, 2) not null,
  brand text,
  category text,
  merchant_name text,
  url text,
  constraint gateway_payment_item_quantity_counts check (quantity >= 0)
);

create unique index gateway_payment_item_position
on gapura.gateway_payment_item (payment_id, position);
