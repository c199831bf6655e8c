create table gapura.gateway_invoice (
  id uuid primary key,
  created_at timestamptz(3) not null default gapura.now(),
  updated_at timestamptz(3) not null default gapura.now(),
  paid_at timestamptz(3),
  next_check_at timestamptz(3),
  -- The place of the last event told about this row; see gateway_event.
  event_xid xid8,
  event_sequence integer not null default 0,
  version integer not null default 1,
  -- Calendar days in Jakarta.
  invoice_date date not null,
  due_date date not null,
  owner_id text not null,
  invoice_number text not null,
  order_id text not null,
  gateway_invoice_id text,
  status text not null default 'initiated',
  customer_id text,
  customer_name text not null,
  customer_email text not null,
  customer_phone text,
  total_amount numeric(15, 2) not null,
  currency text not null default 'IDR',
  notes text,
  void_reason text,
  payment_link_url text,
  pdf_url text,
  virtual_accounts jsonb not null default '[]',
  metadata jsonb not null default '{}',
  constraint gateway_invoice_owner_named check (length(owner_id) between 1 and 255),
  constraint gateway_invoice_order_id_length check (length(order_id) between 1 and 100),
  constraint gateway_invoice_total_positive check (total_amount > 0),
  constraint gateway_invoice_status_known check (
    status in (
      'initiated', 'failure', 'draft', 'pending', 'overdue', 'paid', 'expired', 'voided'
    )
  )
);

-- As with payments, what the gateway refused does not burn the caller's numbers.
create unique index gateway_invoice_order_id
on gapura.gateway_invoice (order_id)
where status <> 'failure';

create unique index gateway_invoice_number
on gapura.gateway_invoice (owner_id, invoice_number)
where status <> 'failure';

create unique index gateway_invoice_gateway_id
on gapura.gateway_invoice (gateway_invoice_id)
where gateway_invoice_id is not null;

create index gateway_invoice_owner
on gapura.gateway_invoice (owner_id, created_at, id);

create index gateway_invoice_owner_status
on gapura.gateway_invoice (owner_id, status, created_at, id);

create index gateway_invoice_created
on gapura.gateway_invoice (created_at, id);

create index gateway_invoice_status
on gapura.gateway_invoice (status, created_at, id);

create index gateway_invoice_email
on gapura.gateway_invoice (lower(customer_email), created_at, id);

-- Lists by day: an owner's, and staff's.
create index gateway_invoice_owner_due
on gapura.gateway_invoice (owner_id, due_date);

create index gateway_invoice_due_date
on gapura.gateway_invoice (due_date);

-- check_overdue_invoices: few are pending, fewer past their day.
create index gateway_invoice_due
on gapura.gateway_invoice (due_date)
where status = 'pending';

create index gateway_invoice_next_check
on gapura.gateway_invoice (next_check_at)
where next_check_at is not null;

create table gapura.gateway_invoice_item (
  id uuid primary key,
  invoice_id uuid not null references gapura.gateway_invoice (id),
  position integer not null,
  quantity integer not null,
  owner_id text not null,
  item_id text,
  description text not null,
  price numeric(15, 2) not null,
  constraint gateway_invoice_item_quantity_counts check (quantity >= 0)
);

create unique index gateway_invoice_item_position
on gapura.gateway_invoice_item (invoice_id, position);
