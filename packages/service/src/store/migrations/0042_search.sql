-- What staff search payments and customers by, one row for each object. A worker fills it by the
-- events of the outbox, so that neither a charge nor a notification writes to it.
create table gapura.search_entry (
  object_id uuid primary key,
  created_at timestamptz(3) not null,
  gross_amount numeric(15, 2),
  object_kind text not null,
  owner_id text not null,
  -- Compared by bytes, so that an index finds what begins with a term in a database of any collation.
  order_id text collate "C",
  customer_name text collate "C",
  customer_last_name text collate "C",
  customer_email text collate "C",
  customer_phone text collate "C",
  transaction_id text collate "C",
  -- The virtual account, bill key or payment code: a payment has one of them at most.
  pay_number text collate "C",
  card_last_four text collate "C",
  refund_keys text[],
  constraint search_entry_object_kind_known check (
    object_kind in ('payment', 'invoice', 'subscription', 'checkout')
  )
)
with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);

create index search_entry_order on gapura.search_entry (order_id, object_id);

create index search_entry_name on gapura.search_entry (customer_name, created_at, object_id)
where customer_name is not null;

create index search_entry_last_name on gapura.search_entry (customer_last_name, created_at, object_id)
where customer_last_name is not null;

create index search_entry_email on gapura.search_entry (customer_email, created_at, object_id)
where customer_email is not null;

create index search_entry_phone on gapura.search_entry (customer_phone, created_at, object_id)
where customer_phone is not null;

create index search_entry_transaction on gapura.search_entry (transaction_id)
where transaction_id is not null;

create index search_entry_pay_number on gapura.search_entry (pay_number, created_at, object_id)
where pay_number is not null;

create index search_entry_card on gapura.search_entry (card_last_four, created_at, object_id)
where card_last_four is not null;

create index search_entry_refund on gapura.search_entry using gin (refund_keys)
where refund_keys is not null;

-- Part of an order id or a name needs pg_trgm. Where it cannot be created, a search finds what begins
-- with the term, and the page says so.
do $$
begin
  create extension if not exists pg_trgm with schema public;
exception
  when others then
    raise notice 'pg_trgm cannot be created: searches find beginnings only';
end
$$;

do $$
declare
  place name;
begin
  select nspname
  into place
  from pg_catalog.pg_extension
  join pg_catalog.pg_namespace as namespace on namespace.oid = extnamespace
  where extname = 'pg_trgm';
  if place is not null then
    execute format(
      'create index search_entry_part on gapura.search_entry
       using gin (order_id %1$I.gin_trgm_ops, customer_name %1$I.gin_trgm_ops)',
      place
    );
  end if;
end
$$;

-- How far the events are read: everything up to there is in search_entry. The row's lock lets one
-- process fill at a time, and keeps an erasure and the filling apart.
create table gapura.search_progress (
  cursor_object_id uuid not null default '00000000-0000-0000-0000-000000000000',
  cursor_xid xid8 not null,
  cursor_sequence integer not null default 0,
  one_row boolean primary key default true,
  constraint search_progress_one_row check (one_row)
);

-- Below every transaction that may still write an event of what search_entry is filled with next.
insert into gapura.search_progress (cursor_xid)
values (pg_snapshot_xmin(pg_current_snapshot()));

-- One spelling of a phone number: 0812…, +62 812… and 62812… are 62812….
create function gapura.phone_digits(phone text) returns text
language sql immutable strict
as $$
  select nullif(
    case
      when digits ~ '^00(?!62)' then substr(digits, 3)
      when digits ~ '^(00)?62|^0|^8' then '62' || regexp_replace(digits, '^(00)?(62)?0*', '')
      else digits
    end,
    ''
  )
  from (select regexp_replace(phone, '\D', '', 'g') as digits) as written
$$;

-- An entry as its object is now. An erased invoice has a fixed text in place of name and address.
create view gapura.search_source as
select
  payment.id as object_id,
  payment.created_at,
  payment.gross_amount,
  'payment' as object_kind,
  payment.owner_id,
  lower(payment.order_id) as order_id,
  nullif(lower(btrim(concat_ws(' ', payment.customer_first_name, payment.customer_last_name))), '')
    as customer_name,
  nullif(lower(btrim(payment.customer_last_name)), '') as customer_last_name,
  lower(payment.customer_email) as customer_email,
  gapura.phone_digits(payment.customer_phone) as customer_phone,
  lower(payment.transaction_id) as transaction_id,
  coalesce(payment.va_number, payment.bill_key, payment.payment_code) as pay_number,
  substring(payment.masked_card from '\d{4}$') as card_last_four,
  nullif(
    array(
      select refund.refund_key::text
      from gapura.gateway_refund as refund
      where refund.payment_id = payment.id
      order by refund.refund_key
    ),
    '{}'
  ) as refund_keys
from gapura.gateway_payment as payment
union all
select
  invoice.id, invoice.created_at, invoice.total_amount, 'invoice', invoice.owner_id,
  lower(invoice.order_id), nullif(lower(btrim(invoice.customer_name)), 'erased'), null,
  nullif(lower(invoice.customer_email), 'erased'), gapura.phone_digits(invoice.customer_phone),
  null, null, null, null
from gapura.gateway_invoice as invoice
union all
select
  subscription.id, subscription.created_at, subscription.amount, 'subscription',
  subscription.owner_id, null,
  nullif(
    lower(btrim(concat_ws(' ', subscription.customer_first_name, subscription.customer_last_name))),
    ''
  ),
  nullif(lower(btrim(subscription.customer_last_name)), ''), lower(subscription.customer_email),
  gapura.phone_digits(subscription.customer_phone), null, null, null, null
from gapura.gateway_subscription as subscription
union all
select
  checkout.id, checkout.created_at, checkout.amount, 'checkout', checkout.owner_id,
  lower(checkout.order_id),
  nullif(
    lower(btrim(concat_ws(' ', checkout.customer_first_name, checkout.customer_last_name))), ''
  ),
  nullif(lower(btrim(checkout.customer_last_name)), ''), lower(checkout.customer_email),
  gapura.phone_digits(checkout.customer_phone), null, null, null, null
from gapura.gateway_checkout as checkout;

-- Objects that changed after the cursor, and those whose first event is still to come. A search looks
-- at them directly; more than this only if no worker runs, and then it says up to when it knows.
create view gapura.search_pending as
(
  select object_id
  from gapura.gateway_event
  where (xid, object_id, sequence) > (
    select cursor_xid, cursor_object_id, cursor_sequence from gapura.search_progress
  )
  order by xid, object_id, sequence
  limit 500
)
union all
(
  select subject_id
  from gapura.gateway_operation
  where state in ('started', 'unknown')
  limit 500
);

-- Writes the entries of these objects as they are now. Only what differs is written.
create function gapura.fill_search(kind text, ids uuid[]) returns void
language sql
as $$
  insert into gapura.search_entry as entry
    (object_id, created_at, gross_amount, object_kind, owner_id, order_id, customer_name,
     customer_last_name, customer_email, customer_phone, transaction_id, pay_number, card_last_four,
     refund_keys)
  select
    object_id, created_at, gross_amount, object_kind, owner_id, order_id, customer_name,
    customer_last_name, customer_email, customer_phone, transaction_id, pay_number, card_last_four,
    refund_keys
  from gapura.search_source
  where object_kind = kind
    and object_id = any(ids)
  on conflict (object_id) do update
  set gross_amount = excluded.gross_amount,
      order_id = excluded.order_id,
      customer_name = excluded.customer_name,
      customer_last_name = excluded.customer_last_name,
      customer_email = excluded.customer_email,
      customer_phone = excluded.customer_phone,
      transaction_id = excluded.transaction_id,
      pay_number = excluded.pay_number,
      card_last_four = excluded.card_last_four,
      refund_keys = excluded.refund_keys
  where (entry.gross_amount, entry.order_id, entry.customer_name, entry.customer_last_name,
      entry.customer_email, entry.customer_phone, entry.transaction_id, entry.pay_number,
      entry.card_last_four, entry.refund_keys)
    is distinct from
    (excluded.gross_amount, excluded.order_id, excluded.customer_name, excluded.customer_last_name,
      excluded.customer_email, excluded.customer_phone, excluded.transaction_id,
      excluded.pay_number, excluded.card_last_four, excluded.refund_keys)
$$;

-- For the objects of before, a page at a time, each committed: the next migration calls it. What
-- changes meanwhile has an event after the cursor. May be repeated.
create procedure gapura.fill_search_of_before()
language plpgsql
as $$
declare
  kinds text[] := array['payment', 'invoice', 'subscription', 'checkout'];
  kind text;
  page uuid[];
  last uuid;
begin
  foreach kind in array kinds loop
    last := '00000000-0000-0000-0000-000000000000';
    loop
      execute format(
        'select array_agg(id order by id)
         from (select id from gapura.%I where id > $1 order by id limit 2000) as page',
        'gateway_' || kind
      ) into page using last;
      exit when page is null;
      -- Apart from an erasure, which locks the same row.
      perform from gapura.search_progress for update;
      perform gapura.fill_search(kind, page);
      last := page[array_upper(page, 1)];
      commit;
    end loop;
  end loop;
end
$$;
