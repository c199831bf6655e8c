-- Who asked for a refund, and who else agreed: what one person pays back in a day can have a bound,
-- and above an amount it takes two (D-122).
alter table gapura.gateway_refund add column requested_by text;

alter table gapura.gateway_refund add column approved_by text;

-- What somebody paid back alone; rows of before have no name and are not in it.
-- squawk-ignore require-concurrent-index-creation
create index gateway_refund_requested
on gapura.gateway_refund (requested_by, created_at)
where requested_by is not null and approved_by is null;

-- A refund that waits for a second person. Nothing is reserved for it: whether it can still be made
-- is asked when it is.
create table gapura.refund_request (
  id uuid primary key,
  payment_id uuid not null references gapura.gateway_payment (id),
  created_at timestamptz(3) not null default gapura.now(),
  expires_at timestamptz(3) not null,
  decided_at timestamptz(3),
  is_direct boolean not null default false,
  requested_by_staff boolean not null,
  owner_id text not null,
  amount numeric(15, 2) not null,
  reason text not null,
  requested_by text not null,
  -- Of the request that asked for it, so that its repeat finds it.
  idempotency_key text,
  fingerprint text,
  state text not null default 'held',
  decided_by text,
  decision_reason text,
  constraint refund_request_amount_positive check (amount > 0),
  constraint refund_request_state_known check (
    state in ('held', 'approved', 'declined', 'expired')
  ),
  -- The rule itself: nobody agrees with herself.
  constraint refund_request_two_people check (
    state <> 'approved' or (decided_by is not null and decided_by <> requested_by)
  )
);

-- The same wish twice is one wish.
create unique index refund_request_one_held
on gapura.refund_request (payment_id, requested_by, amount, is_direct)
where state = 'held';

create unique index refund_request_key
on gapura.refund_request (requested_by, idempotency_key)
where idempotency_key is not null;

create index refund_request_created on gapura.refund_request (created_at, id);
