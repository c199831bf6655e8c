-- Recovery of the rows a DEFAULT partition caught while no maintenance ran. Many rows do not move:
-- the DEFAULT partition itself becomes the partition of the months it holds, and a new one is made.
-- No lock that stops reads or inserts is held while rows are read.

drop function gapura.month_partitions(text);

-- By the bounds in the catalogue, not by the name: a recovered partition spans several months.
-- `until` is the first day that is no longer in it.
create function gapura.month_partitions(parent text)
returns table (name text, month date, until date)
language sql stable
set timezone = 'UTC'
set datestyle = 'ISO, YMD'
as $$
  select
    child.relname::text,
    substring(bound.text from '^FOR VALUES FROM \(''([^'']+)''\)')::timestamptz::date,
    substring(bound.text from ' TO \(''([^'']+)''\)$')::timestamptz::date
  from pg_catalog.pg_inherits
  join pg_catalog.pg_class as child on child.oid = inhrelid
  cross join lateral (
    select pg_catalog.pg_get_expr(child.relpartbound, child.oid) as text
  ) as bound
  where inhparent = to_regclass('gapura.' || quote_ident(parent))
    and bound.text like 'FOR VALUES FROM %'
$$;

create function gapura.partition_column(parent text) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  found_column text;
begin
  select attname
  into strict found_column
  from pg_catalog.pg_partitioned_table
  join pg_catalog.pg_attribute on attrelid = partrelid and attnum = partattrs[0]
  where partrelid = to_regclass('gapura.' || quote_ident(parent));
  return found_column;
end
$$;

-- True if it made one. Rows of that month in the DEFAULT partition move over under its lock, so the
-- caller first makes sure that they are few.
--
-- Built beside the parent and attached, because `create table … partition of` would lock out every
-- insert, and attaching does not.
create or replace function gapura.ensure_month_partition(parent text, month date) returns boolean
language plpgsql
security definer
-- For another worker's turn, behind which no reader or writer waits.
set lock_timeout = '2s'
set timezone = 'UTC'
set search_path = pg_catalog, pg_temp
as $$
declare
  first_day date := date_trunc('month', month)::date;
  after_day date := (date_trunc('month', month) + interval '1 month')::date;
  partition text := parent || to_char(first_day, '_YYYY_MM');
  partitioned_by text := gapura.partition_column(parent);
begin
  perform pg_advisory_xact_lock(hashtextextended('gapura.ensure_month_partition', 0));
  if exists (
    select
    from gapura.month_partitions(parent) as known
    where known.month <= first_day
      and known.until > first_day
  ) then
    return false;
  end if;
  execute format('create table gapura.%I (like gapura.%I including all)', partition, parent);
  -- Readers and writers wait behind a lock that waits, so it hardly waits: the caller tries again.
  perform set_config('lock_timeout', '100ms', true);
  -- No row may reach the DEFAULT partition between the move and the attachment.
  execute format('lock table gapura.%I in access exclusive mode', parent || '_default');
  execute format(
    'with moved as (delete from gapura.%I where %I >= %L and %I < %L returning *)
     insert into gapura.%I select * from moved',
    parent || '_default', partitioned_by, first_day, partitioned_by, after_day, partition
  );
  execute format(
    'alter table gapura.%I attach partition gapura.%I for values from (%L) to (%L)',
    parent, partition, first_day, after_day
  );
  return true;
end
$$;

-- As before; a partition that spans several months goes only once all of them have ended.
create or replace function gapura.drop_month_partition(parent text, partition text) returns boolean
language plpgsql
security definer
set lock_timeout = '100ms'
set timezone = 'UTC'
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('gapura.ensure_month_partition', 0));
  if not exists (
    select
    from gapura.month_partitions(parent) as known
    where known.name = partition
      and known.until <= gapura.now()
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

-- The CHECK that a recovery put on the DEFAULT partition, or no row. Its name holds its bounds.
create function gapura.recovery_bound(parent text)
returns table (name text, month date, until date, validated boolean)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select
    conname::text,
    to_date(substring(conname from '^recovery_(\d{4}_\d{2})_'), 'YYYY_MM'),
    to_date(substring(conname from '_until_(\d{4}_\d{2})$'), 'YYYY_MM'),
    convalidated
  from pg_catalog.pg_constraint
  where conrelid = to_regclass('gapura.' || quote_ident(parent || '_default'))
    and contype = 'c'
    and conname ~ '^recovery_\d{4}_\d{2}_until_\d{4}_\d{2}$'
$$;

-- How many rows the DEFAULT partition holds, counted up to a limit, and the month of the oldest if
-- they were all counted. `bounded` says that a recovery has begun.
create function gapura.inspect_default_partition(parent text, at_most integer)
returns table (row_count integer, oldest date, bounded boolean)
language plpgsql stable
security definer
set timezone = 'UTC'
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format(
    'select count(*)::integer, min(counted.at)::date
     from (select %I as at from gapura.%I limit %L) as counted',
    gapura.partition_column(parent), parent || '_default', at_most
  )
  into row_count, oldest;
  bounded := exists (select from gapura.recovery_bound(parent));
  return next;
end
$$;

-- First step of a recovery: a CHECK that bounds the DEFAULT partition, not yet validated. It lies
-- between two partitions, or reaches some months ahead, because it refuses new rows outside.
create function gapura.bound_default_partition(parent text, months_ahead integer) returns boolean
language plpgsql
security definer
set lock_timeout = '2s'
set timezone = 'UTC'
set search_path = pg_catalog, pg_temp
as $$
declare
  caught text := parent || '_default';
  partitioned_by text := gapura.partition_column(parent);
  this_month date := date_trunc('month', gapura.now())::date;
  oldest timestamptz;
  newest timestamptz;
  lower_day date;
  next_partition date;
  upper_day date;
begin
  if exists (select from gapura.recovery_bound(parent)) then
    return true;
  end if;
  -- May read every row, so before any lock.
  execute format('select min(%I), max(%I) from gapura.%I', partitioned_by, partitioned_by, caught)
  into oldest, newest;
  perform pg_advisory_xact_lock(hashtextextended('gapura.ensure_month_partition', 0));
  -- Another worker came first.
  if oldest is null or exists (select from gapura.recovery_bound(parent)) then
    return oldest is not null;
  end if;
  select max(known.until) filter (where known.until <= oldest),
    min(known.month) filter (where known.month > oldest)
  into lower_day, next_partition
  from gapura.month_partitions(parent) as known;
  lower_day := coalesce(lower_day, date_trunc('month', oldest)::date);
  upper_day := greatest(
    date_trunc('month', newest) + interval '1 month',
    this_month + make_interval(months => greatest(months_ahead, 1) + 1)
  )::date;
  if next_partition < upper_day then
    -- Rows on both sides cannot be in one partition, and a row of this month or the next must not
    -- be refused.
    if newest >= next_partition or exists (
      select
      from generate_series(this_month, this_month + interval '1 month', interval '1 month') as near
      where near >= next_partition
        and not exists (
          select
          from gapura.month_partitions(parent) as known
          where known.month <= near
            and known.until > near
        )
    ) then
      raise exception 'rows in % lie before and after partition month %', caught, next_partition
      using errcode = 'object_not_in_prerequisite_state',
        hint = 'Call ensure_month_partition for each of their months; writers wait meanwhile.';
    end if;
    upper_day := next_partition;
  end if;
  -- Waits for a vacuum, which then gives way, without making anybody wait.
  execute format('lock table gapura.%I in share update exclusive mode', caught);
  perform set_config('lock_timeout', '100ms', true);
  execute format(
    'alter table gapura.%I add constraint %I check (%I >= %L and %I < %L) not valid',
    caught, to_char(lower_day, '"recovery_"YYYY_MM') || to_char(upper_day, '"_until_"YYYY_MM'),
    partitioned_by, lower_day::timestamptz, partitioned_by, upper_day::timestamptz
  );
  return true;
end
$$;

-- Second step: reads all rows, and stops neither reads nor writes. False if the CHECK is gone, or
-- was removed here because a row lies outside: the recovery begins again.
create function gapura.validate_default_partition(parent text) returns boolean
language plpgsql
security definer
set lock_timeout = '2s'
set search_path = pg_catalog, pg_temp
as $$
declare
  caught text := parent || '_default';
  bound record;
begin
  execute format('lock table gapura.%I in share update exclusive mode', caught);
  select * into bound from gapura.recovery_bound(parent);
  if bound.name is null then
    return false;
  end if;
  begin
    execute format('alter table gapura.%I validate constraint %I', caught, bound.name);
    return true;
  exception
    when check_violation then
      perform set_config('lock_timeout', '100ms', true);
      execute format('alter table gapura.%I drop constraint %I', caught, bound.name);
      return false;
  end;
end
$$;

-- Last step: the DEFAULT partition becomes the partition of its bounds, which the CHECK proves
-- without reading a row, and an empty one takes its place. Returns the name, or null if there is
-- nothing to attach.
create function gapura.attach_default_partition(parent text) returns text
language plpgsql
security definer
set lock_timeout = '2s'
set timezone = 'UTC'
set search_path = pg_catalog, pg_temp
as $$
declare
  caught text := parent || '_default';
  fresh text := parent || '_default_next';
  bound record;
  partition text;
begin
  perform pg_advisory_xact_lock(hashtextextended('gapura.ensure_month_partition', 0));
  execute format('lock table gapura.%I in share update exclusive mode', caught);
  select * into bound from gapura.recovery_bound(parent) as known where known.validated;
  if bound.name is null then
    return null;
  end if;
  partition := parent || to_char(bound.month, '_YYYY_MM');
  if bound.until > bound.month + interval '1 month' then
    partition := partition || to_char(bound.until - interval '1 month', '"_to_"YYYY_MM');
  end if;
  execute format('create table gapura.%I (like gapura.%I including all)', fresh, parent);
  -- From here on everybody waits; nothing that follows depends on the number of rows.
  perform set_config('lock_timeout', '100ms', true);
  execute format('alter table gapura.%I detach partition gapura.%I', parent, caught);
  execute format('alter table gapura.%I rename to %I', caught, partition);
  execute format(
    'alter table gapura.%I attach partition gapura.%I for values from (%L) to (%L)',
    parent, partition, bound.month, bound.until
  );
  execute format('alter table gapura.%I drop constraint %I', partition, bound.name);
  execute format('alter table gapura.%I rename to %I', fresh, caught);
  execute format('alter table gapura.%I attach partition gapura.%I default', parent, caught);
  return partition;
end
$$;

revoke execute on function gapura.inspect_default_partition(text, integer) from public;

revoke execute on function gapura.bound_default_partition(text, integer) from public;

revoke execute on function gapura.validate_default_partition(text) from public;

revoke execute on function gapura.attach_default_partition(text) from public;
