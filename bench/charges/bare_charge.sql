-- The minimum that stores a charge: the rows one charge writes, as many and as wide, in tables with
-- a key and one index each.
create schema SCHEMA;

create table SCHEMA.payment (
  id bigint generated always as identity primary key,
  order_id text not null unique,
  status text not null,
  gross_amount numeric(15, 2) not null,
  updated_at timestamptz not null default now(),
  details text not null
);

create table SCHEMA.item (
  payment_id bigint not null,
  position integer not null,
  details text not null,
  primary key (payment_id, position)
);

create table SCHEMA.operation (
  id bigint generated always as identity primary key,
  payment_id bigint not null,
  state text not null,
  request jsonb not null,
  reply jsonb
);

create index operation_payment on SCHEMA.operation (payment_id);

create table SCHEMA.step (
  payment_id bigint not null,
  version integer not null,
  status text not null,
  details text not null,
  primary key (payment_id, version)
);

create table SCHEMA.outbox (
  id bigint generated always as identity primary key,
  payment_id bigint not null,
  type text not null,
  payload jsonb not null
);

create index outbox_payment on SCHEMA.outbox (payment_id);

create table SCHEMA.kept (
  owner_id text not null,
  key text not null,
  fingerprint text not null,
  reply text,
  primary key (owner_id, key)
);
