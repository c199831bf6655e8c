-- The states of all payments that a statement changed are written together. Row by row they were a
-- third of what a notification in a group costs the database. Rows that stay as they are, are not
-- written. `changed` has the payments after the statement. The settings keep the plan of the first call,
-- which stays for the session, from reading a table that was small then.
create function gapura.keep_payment_states() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  with step as (
    select id, created_at, expiry_time, paid_at, next_check_at, owner_id, payment_type,
      transaction_status, captured_amount,
      -- Found by its open operation (0033).
      transaction_status = 'initiated'
      and num_nonnulls(next_check_at, subscription_id, invoice_id) = 0 as has_no_state
    from changed
  ), deleted as (
    delete from gapura.gateway_payment_state as state
    using step
    where state.id = step.id
      and has_no_state
  ), updated as (
    update gapura.gateway_payment_state as state
    set transaction_status = step.transaction_status,
        next_check_at = step.next_check_at,
        expiry_time = step.expiry_time,
        paid_at = step.paid_at,
        captured_amount = step.captured_amount
    from step
    where state.id = step.id
      and not has_no_state
      and (
        state.transaction_status <> step.transaction_status
        or state.next_check_at is distinct from step.next_check_at
        or state.expiry_time is distinct from step.expiry_time
        or state.paid_at is distinct from step.paid_at
        or state.captured_amount <> step.captured_amount
      )
  )
  insert into gapura.gateway_payment_state
    (id, created_at, expiry_time, paid_at, next_check_at, owner_id, payment_type,
     transaction_status, captured_amount)
  select id, created_at, expiry_time, paid_at, next_check_at, owner_id, payment_type,
    transaction_status, captured_amount
  from step
  where not has_no_state
    and not exists (
      select from gapura.gateway_payment_state as state where state.id = step.id
    );
  return null;
end
$$;

-- There is no `old` in an insert: its fields are null then.
create function gapura.keep_payment_terms() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
begin
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
  return null;
end
$$;

-- Of an insert only, from here on.
create or replace function gapura.keep_payment_state() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
begin
  insert into gapura.gateway_payment_state
    (id, created_at, expiry_time, paid_at, next_check_at, owner_id, payment_type,
     transaction_status, captured_amount)
  values
    (new.id, new.created_at, new.expiry_time, new.paid_at, new.next_check_at, new.owner_id,
     new.payment_type, new.transaction_status, new.captured_amount);
  return null;
end
$$;

create or replace trigger gateway_payment_state_begins
after insert on gapura.gateway_payment
for each row
when (
  new.transaction_status <> 'initiated'
  or num_nonnulls(new.next_check_at, new.subscription_id, new.invoice_id) > 0
)
execute function gapura.keep_payment_state();

create or replace trigger gateway_payment_state_changes
after update on gapura.gateway_payment
referencing new table as changed
for each statement
execute function gapura.keep_payment_states();

create trigger gateway_payment_terms_begin
after insert on gapura.gateway_payment
for each row
when (num_nonnulls(new.transaction_id, new.va_number, new.bill_key, new.payment_code) > 0)
execute function gapura.keep_payment_terms();

create trigger gateway_payment_terms_change
after update on gapura.gateway_payment
for each row
when (
  new.transaction_id is distinct from old.transaction_id
  or new.va_number is distinct from old.va_number
  or new.bill_key is distinct from old.bill_key
  or new.payment_code is distinct from old.payment_code
)
execute function gapura.keep_payment_terms();
