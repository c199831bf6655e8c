-- Housekeeping of the tables that are partitioned by month. Months are those of UTC, whatever the
-- session's time zone: two sessions must agree where a month ends.

create function gapura.month_partitions(parent text)
returns table (name text, month date)
language sql stable
as $$
  select child.relname::text, to_date(right(child.relname::text, 7), 'YYYY_MM')
  from pg_catalog.pg_inherits
  join pg_catalog.pg_class as child on child.oid = inhrelid
  where inhparent = to_regclass('gapura.' || quote_ident(parent))
    and child.relname ~ '_\d{4}_\d{2}$'
$$;

-- True if it made one. Rows of that month which the DEFAULT partition caught meanwhile move over.
--
-- Built beside the parent and attached, because `create table … partition of` would lock out every
-- insert, and attaching does not.
create function gapura.ensure_month_partition(parent text, month date) returns boolean
language plpgsql
set timezone = 'UTC'
as $$
declare
  first_day date := date_trunc('month', month)::date;
  after_day date := (date_trunc('month', month) + interval '1 month')::date;
  partition text := parent || to_char(first_day, '_YYYY_MM');
  partitioned_by text;
begin
  -- Two workers keep house at once; the second waits and then finds the work done.
  perform pg_advisory_xact_lock(hashtextextended('gapura.ensure_month_partition', 0));
  if exists (select from gapura.month_partitions(parent) as known where known.name = partition) then
    return false;
  end if;
  select attname
  into strict partitioned_by
  from pg_catalog.pg_partitioned_table
  join pg_catalog.pg_attribute on attrelid = partrelid and attnum = partattrs[0]
  where partrelid = to_regclass('gapura.' || quote_ident(parent));
  execute format('create table gapura.%I (like gapura.%I including all)', partition, parent);
  -- Nothing may slip into the DEFAULT partition between the move and the attachment.
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

-- Only a month's partition of that parent can be dropped through here, nothing else. False if it is
-- none, or somebody is at work on the table: everybody who comes later would wait behind us, so we
-- wait hardly at all and come back another time. Detaching concurrently would not wait, but
-- PostgreSQL refuses it beside a DEFAULT partition.
create function gapura.drop_month_partition(parent text, partition text) returns boolean
language plpgsql
set lock_timeout = '100ms'
as $$
begin
  -- Two workers keep house at once; the second finds the month gone.
  perform pg_advisory_xact_lock(hashtextextended('gapura.ensure_month_partition', 0));
  if not exists (select from gapura.month_partitions(parent) as known where known.name = partition) then
    return false;
  end if;
  execute format('drop table gapura.%I', partition);
  return true;
exception
  when lock_not_available then
    return false;
end
$$;
