-- A step changes the status of a payment, its next check and what is known of its money. While lists
-- and queues searched the payment by these, every step wrote an entry into each of its indexes; in a
-- row of their own they cost the entries of that row, and the payment is updated in place.
-- No row for a charge that is only `initiated`: it has an open operation (I-16b) and is found by it,
-- and so writes no row that its answer would have to change.
create table gapura.gateway_payment_state (
  id uuid primary key,
  created_at timestamptz(3) not null,
  expiry_time timestamptz(3),
  paid_at timestamptz(3),
  next_check_at timestamptz(3),
  owner_id text not null,
  payment_type text not null,
  transaction_status text not null,
  captured_amount numeric(15, 2) not null
)
with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.01
);

create index gateway_payment_state_owner
on gapura.gateway_payment_state (owner_id, transaction_status, created_at, id);

create index gateway_payment_state_status
on gapura.gateway_payment_state (transaction_status, created_at, id);

create index gateway_payment_state_next_check
on gapura.gateway_payment_state (next_check_at, id)
where next_check_at is not null;

create index gateway_payment_state_stale
on gapura.gateway_payment_state (expiry_time, id)
where transaction_status = 'pending';

-- Money received by the day it came, without a look at the rows themselves.
create index gateway_payment_state_paid
on gapura.gateway_payment_state (paid_at, payment_type, captured_amount)
where paid_at is not null;

-- What a payment is searched by and learns only from the gateway. One row a term, so that a payment
-- of any kind costs what it has, and further kinds need no further index.
create table gapura.gateway_payment_term (
  kind text not null,
  term text not null,
  created_at timestamptz(3) not null,
  payment_id uuid not null,
  primary key (kind, term, created_at, payment_id)
);

-- The transaction of a subscription's cycle: the same as transaction_id, for cycles only. Were
-- transaction_id itself part of an index, the step that learns it could not update in place.
alter table gapura.gateway_payment add column cycle_transaction_id text;

-- A row is written small and grows by two thirds when the gateway has answered. With half of each
-- page free for that, the next versions of its rows stay on it.
alter table gapura.gateway_payment set (fillfactor = 50);

-- Keeps both tables, whatever statement and release changes a payment. It runs with the owner's
-- rights: the application's role has none on the new tables before its grants are given. There is no
-- `old` in an insert: its fields are null then.
create function gapura.keep_payment_state() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
declare
  is_new boolean := tg_op = 'INSERT' or (
    old.transaction_status = 'initiated'
    and num_nonnulls(old.next_check_at, old.subscription_id, old.invoice_id) = 0
  );
begin
  if new.transaction_status = 'initiated'
    and num_nonnulls(new.next_check_at, new.subscription_id, new.invoice_id) = 0
  then
    if not is_new then
      delete from gapura.gateway_payment_state where id = new.id;
    end if;
  else
    if not is_new then
      update gapura.gateway_payment_state
      set transaction_status = new.transaction_status,
          next_check_at = new.next_check_at,
          expiry_time = new.expiry_time,
          paid_at = new.paid_at,
          captured_amount = new.captured_amount
      where id = new.id;
      -- A payment of before, which fill_payment_state has not reached yet.
      is_new := not found;
    end if;
    if is_new then
      insert into gapura.gateway_payment_state
        (id, created_at, expiry_time, paid_at, next_check_at, owner_id, payment_type,
         transaction_status, captured_amount)
      values
        (new.id, new.created_at, new.expiry_time, new.paid_at, new.next_check_at, new.owner_id,
         new.payment_type, new.transaction_status, new.captured_amount);
    end if;
  end if;

  if new.transaction_id is distinct from old.transaction_id
    or new.va_number is distinct from old.va_number
    or new.bill_key is distinct from old.bill_key
    or new.payment_code is distinct from old.payment_code
  then
    if num_nonnulls(old.transaction_id, old.va_number, old.bill_key, old.payment_code) > 0 then
      delete from gapura.gateway_payment_term as former
      using (
        values
          ('transaction_id', old.transaction_id, new.transaction_id),
          ('va_number', old.va_number, new.va_number),
          ('bill_key', old.bill_key, new.bill_key),
          ('payment_code', old.payment_code, new.payment_code)
      ) as changed (kind, was, term)
      where changed.term is distinct from was
        and former.kind = changed.kind
        and former.term = was
        and former.created_at = new.created_at
        and former.payment_id = new.id;
    end if;
    insert into gapura.gateway_payment_term (kind, term, created_at, payment_id)
    select kind, term, new.created_at, new.id
    from (
      values
        ('transaction_id', old.transaction_id, new.transaction_id),
        ('va_number', old.va_number, new.va_number),
        ('bill_key', old.bill_key, new.bill_key),
        ('payment_code', old.payment_code, new.payment_code)
    ) as changed (kind, was, term)
    where term is not null
      and term is distinct from was;
  end if;
  return null;
end
$$;

-- Nothing of ours deletes a payment; an administrator who does finds nothing of it left.
create function gapura.drop_payment_state() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
begin
  delete from gapura.gateway_payment_state where id = old.id;
  delete from gapura.gateway_payment_term
  where payment_id = old.id
    and created_at = old.created_at
    and (
      (kind = 'transaction_id' and term = old.transaction_id)
      or (kind = 'va_number' and term = old.va_number)
      or (kind = 'bill_key' and term = old.bill_key)
      or (kind = 'payment_code' and term = old.payment_code)
    );
  return null;
end
$$;

create function gapura.keep_cycle() returns trigger
language plpgsql
as $$
begin
  new.cycle_transaction_id := new.transaction_id;
  return new;
end
$$;

create trigger gateway_payment_state_begins
after insert on gapura.gateway_payment
for each row
when (
  new.transaction_status <> 'initiated'
  or num_nonnulls(
    new.next_check_at, new.subscription_id, new.invoice_id, new.transaction_id, new.va_number,
    new.bill_key, new.payment_code
  ) > 0
)
execute function gapura.keep_payment_state();

create trigger gateway_payment_state_changes
after update on gapura.gateway_payment
for each row
when (
  new.transaction_status <> old.transaction_status
  or new.next_check_at is distinct from old.next_check_at
  or new.expiry_time is distinct from old.expiry_time
  or new.paid_at is distinct from old.paid_at
  or new.captured_amount <> old.captured_amount
  or new.transaction_id is distinct from old.transaction_id
  or new.va_number is distinct from old.va_number
  or new.bill_key is distinct from old.bill_key
  or new.payment_code is distinct from old.payment_code
)
execute function gapura.keep_payment_state();

create trigger gateway_payment_state_ends
after delete on gapura.gateway_payment
for each row
execute function gapura.drop_payment_state();

create trigger gateway_payment_cycle_kept
before insert or update on gapura.gateway_payment
for each row
when (
  new.subscription_id is not null
  and new.cycle_transaction_id is distinct from new.transaction_id
)
execute function gapura.keep_cycle();

-- For the payments of before, a page at a time, each committed: the next migration calls it. The
-- lock keeps a step from falling between the look at a payment and its row. May be repeated.
create procedure gapura.fill_payment_state()
language plpgsql
as $$
declare
  page uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    select array_agg(id order by id)
    into page
    from (
      select id from gapura.gateway_payment where id > last order by id limit 2000 for no key update
    ) as locked;
    exit when page is null;
    insert into gapura.gateway_payment_state
      (id, created_at, expiry_time, paid_at, next_check_at, owner_id, payment_type,
       transaction_status, captured_amount)
    select id, created_at, expiry_time, paid_at, next_check_at, owner_id, payment_type,
      transaction_status, captured_amount
    from gapura.gateway_payment
    where id = any(page)
      and (
        transaction_status <> 'initiated'
        or num_nonnulls(next_check_at, subscription_id, invoice_id) > 0
      )
    on conflict (id) do nothing;
    insert into gapura.gateway_payment_term (kind, term, created_at, payment_id)
    select kind, term, created_at, id
    from gapura.gateway_payment
    cross join lateral (
      values
        ('transaction_id', transaction_id),
        ('va_number', va_number),
        ('bill_key', bill_key),
        ('payment_code', payment_code)
    ) as given (kind, term)
    where id = any(page)
      and term is not null
    on conflict do nothing;
    update gapura.gateway_payment
    set cycle_transaction_id = transaction_id
    where id = any(page)
      and subscription_id is not null
      and cycle_transaction_id is distinct from transaction_id;
    last := page[array_upper(page, 1)];
    commit;
  end loop;
end
$$;
