-- Refunds are rare and always written under the payment's lock, so the foreign key is free of
-- charge: `for no key update` does not stand in the way of its `for key share`.
create table gapura.gateway_refund (
  id uuid primary key,
  payment_id uuid not null references gapura.gateway_payment (id),
  created_at timestamptz(3) not null default gapura.now(),
  updated_at timestamptz(3) not null default gapura.now(),
  confirmed_at timestamptz(3),
  is_direct boolean not null default false,
  owner_id text not null,
  refund_key text not null,
  amount numeric(15, 2) not null,
  reason text not null,
  status text not null default 'pending',
  source text not null default 'service',
  status_code text,
  status_message text,
  constraint gateway_refund_amount_positive check (amount > 0),
  constraint gateway_refund_status_known check (status in ('pending', 'succeeded', 'failed')),
  constraint gateway_refund_source_known check (source in ('service', 'gateway'))
);

-- A refund made on the gateway's dashboard carries a key we did not choose: within a payment it is
-- unique, beyond it nothing is promised.
create unique index gateway_refund_payment_key
on gapura.gateway_refund (payment_id, refund_key);

-- Ours never repeat anywhere: the same key cannot pay back twice (I-04).
create unique index gateway_refund_own_key
on gapura.gateway_refund (refund_key)
where source = 'service';

-- refund_overdue: refunds that stay pending.
create index gateway_refund_pending
on gapura.gateway_refund (created_at)
where status = 'pending';
