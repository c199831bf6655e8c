-- The minimum that stores a webhook: three narrow tables with a key and one index each. The pgbench
-- references and the plain handler write to them.
create schema SCHEMA;

create table SCHEMA.payment (
  id bigint primary key,
  order_id text not null unique,
  transaction_id text,
  status text not null,
  gross_amount numeric(15, 2) not null,
  updated_at timestamptz not null default now()
);

create table SCHEMA.notification (
  id uuid primary key default gen_random_uuid(),
  order_id text not null,
  payload jsonb not null,
  received_at timestamptz not null default now()
);

create table SCHEMA.outbox (
  id bigint generated always as identity primary key,
  payment_id bigint not null,
  type text not null,
  payload jsonb not null
);

insert into SCHEMA.payment (id, order_id, status, gross_amount)
select n, 'bare-' || n, 'pending', 150000
from generate_series(1, 100000) as n;

-- Reference (b): the same three writes in one round trip.
create function SCHEMA.receive(order_number bigint, body jsonb) returns uuid
language plpgsql
as $$
declare
  stored uuid;
begin
  update SCHEMA.payment set status = 'settlement', updated_at = now() where id = order_number;
  insert into SCHEMA.notification (order_id, payload) values ('bare-' || order_number, body)
  returning id into stored;
  insert into SCHEMA.outbox (payment_id, type, payload) values (order_number, 'payment_settled', body);
  return stored;
end
$$;

analyze SCHEMA.payment;
