-- One row for what the whole database must agree on. The primary key allows only the value true,
-- so a second row cannot exist.
create table gapura.setting (
  only_row boolean primary key default true,
  -- Claimed by the first start; null until then.
  environment text,
  -- Moves the clock of every due time, lease and window in tests.
  clock_offset interval not null default '0',
  constraint setting_only_row check (only_row),
  constraint setting_environment_known check (environment in ('sandbox', 'production')),
  -- A moved clock would expire leases and due times of real money.
  constraint setting_production_clock check (environment <> 'production' or clock_offset = '0')
);

insert into gapura.setting (only_row) values (true);

-- The clock of every default, due time, lease and window.
--
-- statement_timestamp() and not now(): now() stands still at the start of the transaction, so one
-- that waited for a row lock would write times older than those of the one it waited for. Not
-- clock_timestamp(): it moves within a statement, which would make "stable" a lie, and only a
-- stable function may bound an index scan.
--
-- Whole milliseconds, as every timestamp column here: a JavaScript Date holds no more, and a
-- keyset cursor that lost its microseconds would skip rows.
create function gapura.now() returns timestamptz
language plpgsql stable parallel safe
as $$
begin
  return (
    select date_trunc('milliseconds', statement_timestamp() + setting.clock_offset)
    from gapura.setting
  );
end
$$;
