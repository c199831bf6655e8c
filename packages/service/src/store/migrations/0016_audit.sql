-- Who did what, and who looked at what (D-119). A row is written plainly in the transaction of the
-- deed; a chain of hashes in there would be one lock for all of them. A sealer copies the rows into
-- the chain every few seconds, and only then may the plain one go.

create table gapura.audit_unsealed (
  id uuid primary key,
  operation_id uuid,
  occurred_at timestamptz(3) not null default gapura.now(),
  actor text not null,
  actor_kind text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  -- Whose the subject is; null where it is nobody's.
  owner_id text,
  reason text,
  request_id text,
  -- JSON as text: its bytes are part of the hash and must be the same for ever.
  detail text not null default '{}',
  constraint audit_unsealed_actor_kind_known check (actor_kind in ('owner', 'staff', 'system')),
  constraint audit_unsealed_action_named check (action ~ '^[a-z_]+\.[a-z_]+$')
);

create table gapura.audit_sealed (
  seq bigint primary key,
  id uuid not null,
  operation_id uuid,
  occurred_at timestamptz(3) not null,
  sealed_at timestamptz(3) not null,
  actor text not null,
  actor_kind text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  owner_id text,
  reason text,
  request_id text,
  detail text not null,
  -- Of the hash before it and everything above.
  hash text not null,
  constraint audit_sealed_hash_is_sha256 check (hash ~ '^[0-9a-f]{64}$')
);

create unique index audit_sealed_id on gapura.audit_sealed (id);

create index audit_sealed_actor on gapura.audit_sealed (actor, seq);

create index audit_sealed_subject on gapura.audit_sealed (subject_id, seq);

create index audit_sealed_action on gapura.audit_sealed (action, seq);

create index audit_sealed_time on gapura.audit_sealed (sealed_at, seq);

-- The end of the chain, kept apart: who cuts rows off it must know of this, too.
create table gapura.audit_head (
  only_row boolean primary key default true,
  seq bigint not null default 0,
  hash text not null default repeat('0', 64),
  -- Money actions have an audit row from here on.
  started_at timestamptz(3) not null default gapura.now(),
  constraint audit_head_only_row check (only_row)
);

insert into gapura.audit_head (only_row) values (true);

-- Where a chain begins whose older rows a retention has dropped.
create table gapura.audit_anchor (
  seq bigint primary key,
  hash text not null,
  entries bigint not null,
  anchored_at timestamptz(3) not null default gapura.now()
);

-- Nothing is changed. What goes has a copy in the chain, or an anchor behind it.
create function gapura.refuse_audit_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' and tg_level = 'ROW' then
    if tg_table_name = 'audit_unsealed' then
      if exists (select from gapura.audit_sealed as sealed where sealed.id = old.id) then
        return old;
      end if;
    elsif tg_table_name = 'audit_sealed' then
      if exists (select from gapura.audit_anchor as anchor where anchor.seq >= old.seq) then
        return old;
      end if;
    end if;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op
  using errcode = 'restrict_violation';
end
$$;

create trigger audit_unsealed_append_only
before update or delete on gapura.audit_unsealed
for each row execute function gapura.refuse_audit_change();

create trigger audit_unsealed_never_emptied
before truncate on gapura.audit_unsealed
for each statement execute function gapura.refuse_audit_change();

create trigger audit_sealed_append_only
before update or delete on gapura.audit_sealed
for each row execute function gapura.refuse_audit_change();

create trigger audit_sealed_never_emptied
before truncate on gapura.audit_sealed
for each statement execute function gapura.refuse_audit_change();

create trigger audit_anchor_append_only
before update or delete on gapura.audit_anchor
for each row execute function gapura.refuse_audit_change();

create trigger audit_anchor_never_emptied
before truncate on gapura.audit_anchor
for each statement execute function gapura.refuse_audit_change();

-- What follows runs with the rights of the tables' owner, so that the role of the application needs
-- neither UPDATE nor DELETE on any of them (gapura migrate --grants).

create function gapura.advance_audit_head() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update gapura.audit_head as head
  set seq = last.seq, hash = last.hash
  from (select sealed.seq, sealed.hash from added as sealed order by sealed.seq desc limit 1) as last
  where last.seq > head.seq;
  return null;
end
$$;

create trigger audit_sealed_head
after insert on gapura.audit_sealed
referencing new table as added
for each statement execute function gapura.advance_audit_head();

-- Plain rows whose copy is in the chain; the trigger refuses any other.
create function gapura.forget_sealed(ids uuid[]) returns void
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
  delete from gapura.audit_unsealed where id = any(ids)
$$;

-- The oldest rows of the chain, up to so many of those sealed before a time, behind an anchor.
-- Returns the anchor, or nothing if none is as old.
create function gapura.drop_audit(sealed_before timestamptz, at_most integer)
returns table (anchor_seq bigint, anchor_hash text, dropped bigint)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  select last.seq, last.hash, last.place
  into anchor_seq, anchor_hash, dropped
  from (
    select oldest.*, row_number() over (order by oldest.seq) as place
    from (
      select sealed.seq, sealed.hash, sealed.sealed_at
      from gapura.audit_sealed as sealed
      order by sealed.seq
      limit at_most
    ) as oldest
  ) as last
  where last.sealed_at < sealed_before
    -- A year is kept whatever is asked for: a mistake in a setting must not cost the proof.
    and last.sealed_at < gapura.now() - interval '1 year'
  order by last.seq desc
  limit 1;
  if anchor_seq is null then
    return;
  end if;
  insert into gapura.audit_anchor (seq, hash, entries) values (anchor_seq, anchor_hash, dropped);
  delete from gapura.audit_sealed as sealed where sealed.seq <= anchor_seq;
  return next;
end
$$;

revoke execute on function gapura.forget_sealed(uuid[]) from public;

revoke execute on function gapura.drop_audit(timestamptz, integer) from public;

-- Housekeeping of the months, likewise by the owner's rights; not for everybody.
alter function gapura.ensure_month_partition(text, date)
security definer set search_path = pg_catalog, pg_temp;

-- As before, and only a month that has ended: it is called with rights its caller does not have.
create or replace function gapura.drop_month_partition(parent text, partition text) returns boolean
language plpgsql
security definer
set lock_timeout = '100ms'
set timezone = 'UTC'
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Two workers keep house at once; the second finds the month gone.
  perform pg_advisory_xact_lock(hashtextextended('gapura.ensure_month_partition', 0));
  if not exists (
    select
    from gapura.month_partitions(parent) as known
    where known.name = partition
      and known.month + interval '1 month' <= gapura.now()
  ) then
    return false;
  end if;
  execute format('drop table gapura.%I', partition);
  return true;
exception
  when lock_not_available then
    return false;
end
$$;

revoke execute on function gapura.ensure_month_partition(text, date) from public;

revoke execute on function gapura.drop_month_partition(text, text) from public;
