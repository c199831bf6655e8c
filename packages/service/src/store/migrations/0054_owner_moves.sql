-- Owners that leave this cell or came to it (ADR 0040). One row for each owner that was ever moved: the
-- old cell refuses it from then on, and the new one accepts credentials that name the old one.
create table gapura.owner_move (
  owner_id text primary key,
  started_at timestamptz(3) not null default gapura.now(),
  updated_at timestamptz(3) not null default gapura.now(),
  -- Since when the writes of the owner are refused, and since when the other cell has them.
  frozen_at timestamptz(3),
  switched_at timestamptz(3),
  -- out: it leaves this cell; in: it comes here.
  direction text not null,
  -- The other cell.
  peer text not null,
  step text not null,
  -- What this cell refuses of the owner: nothing, new operations, or every write.
  fence text not null default 'open',
  constraint owner_move_direction_known check (direction in ('out', 'in')),
  constraint owner_move_step_known check (
    step in ('copy', 'freeze', 'switch', 'settle', 'clean_up', 'moved', 'arriving', 'arrived')
  ),
  constraint owner_move_fence_known check (fence in ('open', 'draining', 'frozen'))
);

-- The keys of the rows that changed since they were copied. Empty while no owner is moved.
create table gapura.owner_move_change (
  id bigint generated always as identity primary key,
  owner_id text not null,
  table_name text not null,
  key jsonb not null
);

-- A trigger of the tables with rows of owners, only while one is moved: refuses what the fence refuses,
-- and notes the key of every other change. Arguments: the owner, the table, its key columns, and for
-- tables without an owner the table and the column that lead to one. It waits for a fence that is
-- being closed, and a fence that closes waits for it: after that no write is missing.
create function gapura.note_owner_change() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
declare
  content jsonb;
  owner text;
  closed text;
begin
  if current_setting('gapura.mover', true) = 'on' then
    return null;
  end if;
  if tg_argv[3] = '' then
    if tg_op = 'DELETE' then
      owner := old.owner_id;
    else
      owner := new.owner_id;
    end if;
  else
    content := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
    execute format('select owner_id from gapura.%I where id = $1', tg_argv[3])
    into owner using (content ->> tg_argv[4])::uuid;
  end if;
  if owner is distinct from tg_argv[0] then
    return null;
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('gapura.owner_move:' || owner, 0));
  select move.fence into closed from gapura.owner_move as move where move.owner_id = owner;
  if closed = 'frozen'
    or (closed = 'draining' and tg_op = 'INSERT' and tg_argv[1] = 'gateway_operation')
  then
    raise exception 'the owner is moved to another cell' using errcode = 'lock_not_available';
  end if;
  content := coalesce(content, case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end);
  insert into gapura.owner_move_change (owner_id, table_name, key)
  select owner, tg_argv[1], jsonb_object_agg(name, content -> name)
  from unnest(string_to_array(tg_argv[2], ',')) as name;
  return null;
end
$$;

-- The same for queued charges and refunds: none is added once the fence begins to close.
create function gapura.refuse_moving_job() returns trigger
language plpgsql
security definer
set search_path = pg_catalog
as $$
begin
  if new.payload ->> 'owner_id' = tg_argv[0] then
    perform pg_advisory_xact_lock_shared(hashtextextended('gapura.owner_move:' || tg_argv[0], 0));
    if exists (
      select from gapura.owner_move as move where move.owner_id = tg_argv[0] and move.fence <> 'open'
    ) then
      raise exception 'the owner is moved to another cell' using errcode = 'lock_not_available';
    end if;
  end if;
  return null;
end
$$;

-- As before; only a move removes rows, those of its owner: where it came from once the other cell has
-- them, and where it would have come to if it is given up.
create function gapura.is_removed_by_move(owner text) returns boolean
language sql stable
as $$
  select coalesce(current_setting('gapura.mover', true) = 'on', false)
    and exists (
      select
      from gapura.owner_move as move
      where move.owner_id = owner
        and move.step in ('clean_up', 'arriving')
    )
$$;

create or replace function gapura.refuse_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' and tg_level = 'ROW' and tg_table_name = 'gateway_transition' then
    if gapura.is_removed_by_move(old.owner_id) then
      return old;
    end if;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op
  using errcode = 'restrict_violation';
end
$$;

create or replace function gapura.refuse_note_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE'
    and new.text = 'Erased together with the data of the person it was about.'
    and (new.id, new.subject_id, new.created_at, new.author)
      = (old.id, old.subject_id, old.created_at, old.author)
    and new.owner_id is not distinct from old.owner_id
  then
    return new;
  end if;
  if tg_op = 'DELETE' and tg_level = 'ROW' then
    if gapura.is_removed_by_move(old.owner_id) then
      return old;
    end if;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op
  using errcode = 'restrict_violation';
end
$$;
