-- Three-way matching (ADR 0035): ours, the gateway's and the bank's. One row for each thing that was
-- compared; the id is that of the payment, the refund or the first version of the line it is about, so
-- nothing is compared twice.
create table gapura.reconciliation_item (
  id uuid primary key,
  created_at timestamptz(3) not null default gapura.now(),
  updated_at timestamptz(3) not null default gapura.now(),
  payment_id uuid,
  -- The version of the gateway's line that was compared.
  gateway_line_id uuid,
  bank_line_id uuid,
  -- Of a bank's line: the payout that it is.
  payout_id uuid,
  -- The open action about it, if a staff member took one.
  action_id uuid,
  -- The day in Jakarta on which the gateway's balance has it.
  day date not null,
  -- The business day after which it is too late.
  due_on date,
  payment_version integer,
  kind text not null,
  state text not null,
  cause text not null default '',
  matched_by text not null default '',
  source text not null default '',
  reference text,
  order_id text,
  ours numeric(15, 2),
  theirs numeric(15, 2),
  received numeric(15, 2),
  fee numeric(15, 2),
  expected_fee numeric(15, 2),
  -- By how much the gateway's balance differs from the ledger because of it; 0 once it is booked.
  effect numeric(15, 2) not null default 0,
  -- What the ledger has because of it. Of a payout: sent, and arrived at the bank.
  booked_fee numeric(15, 2) not null default 0,
  booked_vat numeric(15, 2) not null default 0,
  booked_adjustment numeric(15, 2) not null default 0,
  booked_sent numeric(15, 2) not null default 0,
  booked_arrived numeric(15, 2) not null default 0,
  constraint reconciliation_item_kind_known check (
    kind in ('payment', 'refund', 'chargeback', 'payout', 'bank', 'balance', 'other')
  ),
  constraint reconciliation_item_state_known check (
    state in (
      'expected', 'matched', 'mismatched', 'missing_here', 'missing_there', 'duplicate', 'late',
      'resolved'
    )
  ),
  constraint reconciliation_item_cause_given check ((state in ('matched', 'expected')) = (cause = ''))
);

-- What staff have to decide.
create index reconciliation_item_open
on gapura.reconciliation_item (created_at, id)
where state in ('mismatched', 'missing_here', 'missing_there', 'duplicate', 'late');

create index reconciliation_item_cause
on gapura.reconciliation_item (cause, created_at, id)
where cause <> '';

create index reconciliation_item_exception
on gapura.reconciliation_item (created_at, id)
where cause <> '';

create index reconciliation_item_due
on gapura.reconciliation_item (due_on)
where state in ('mismatched', 'missing_here', 'missing_there', 'duplicate', 'late');

-- What explains a day, and what is inside a payout.
create index reconciliation_item_day
on gapura.reconciliation_item (day, kind);

create index reconciliation_item_payout
on gapura.reconciliation_item (created_at, id)
where kind = 'payout';

create index reconciliation_item_reference
on gapura.reconciliation_item (upper(reference))
where kind = 'payout';

create index reconciliation_item_of_payout
on gapura.reconciliation_item (payout_id)
where payout_id is not null;

-- Payments that were compared with a line of theirs, beside their own row.
create index reconciliation_item_payment
on gapura.reconciliation_item (payment_id)
where cause <> '' and payment_id is not null;

-- What a staff member did about an exception. Nothing is deleted: what was done is undone by postings
-- the other way round.
create table gapura.reconciliation_action (
  id uuid primary key,
  item_id uuid not null,
  created_at timestamptz(3) not null default gapura.now(),
  decided_at timestamptz(3),
  undone_at timestamptz(3),
  action text not null,
  -- held: waits for a second person.
  state text not null,
  amount numeric(15, 2) not null,
  -- Null where nothing is posted.
  source text,
  destination text,
  reason text not null,
  requested_by text not null,
  decided_by text,
  undone_by text,
  undo_reason text,
  -- State and cause of the item before it.
  former_state text not null,
  former_cause text not null,
  former_effect numeric(15, 2) not null,
  constraint reconciliation_action_state_known check (state in ('held', 'done', 'undone')),
  constraint reconciliation_action_amount_not_negative check (amount >= 0),
  constraint reconciliation_action_posted check ((source is null) = (destination is null)),
  -- Null where one person was enough.
  constraint reconciliation_action_two_people check (decided_by is null or decided_by <> requested_by)
);

create index reconciliation_action_item
on gapura.reconciliation_action (item_id, created_at);

-- A day of the gateway's balance against the ledger: opening + movements = closing.
create table gapura.reconciliation_proof (
  day date primary key,
  computed_at timestamptz(3) not null default gapura.now(),
  -- The business day from which everything must be explained.
  due_on date not null,
  opening numeric(20, 2) not null,
  closing numeric(20, 2) not null,
  -- What the ledger moved on that day, by kind, and what explains the rest, by cause.
  movements jsonb not null,
  causes jsonb not null,
  unexplained numeric(20, 2) not null
);

create index reconciliation_proof_unexplained
on gapura.reconciliation_proof (due_on)
where unexplained <> 0;

-- How far lines were compared, and how each source states amounts: before the fee or after it.
create table gapura.reconciliation_progress (
  name text primary key,
  updated_at timestamptz(3) not null default gapura.now(),
  line_at timestamptz(3) not null default '-infinity',
  line_id uuid not null default '00000000-0000-0000-0000-000000000000',
  gross_lines bigint not null default 0,
  net_lines bigint not null default 0
);

-- The place in the lines; its lock lets one process match at a time.
insert into gapura.reconciliation_progress (name) values ('lines');

-- Days beside weekends on which banks in Indonesia are closed. Data: staff change it.
create table gapura.bank_holiday (
  day date primary key,
  updated_at timestamptz(3) not null default gapura.now(),
  -- False: banks are open after all.
  closed boolean not null default true,
  name text not null,
  -- decree: of the government's joint decree, as remembered and not checked against its text;
  -- fixed: the same date every year; merchant: set by staff.
  certainty text not null,
  updated_by text not null,
  constraint bank_holiday_certainty_known check (certainty in ('decree', 'fixed', 'merchant'))
);

insert into gapura.bank_holiday (day, name, certainty, updated_by)
values
  ('2025-01-01', 'New Year', 'fixed', 'gapura'),
  ('2025-01-27', 'Isra Mikraj', 'decree', 'gapura'),
  ('2025-01-28', 'collective leave, Lunar New Year', 'decree', 'gapura'),
  ('2025-01-29', 'Lunar New Year', 'decree', 'gapura'),
  ('2025-03-28', 'collective leave, Nyepi', 'decree', 'gapura'),
  ('2025-03-31', 'Idul Fitri', 'decree', 'gapura'),
  ('2025-04-01', 'Idul Fitri', 'decree', 'gapura'),
  ('2025-04-02', 'collective leave, Idul Fitri', 'decree', 'gapura'),
  ('2025-04-03', 'collective leave, Idul Fitri', 'decree', 'gapura'),
  ('2025-04-04', 'collective leave, Idul Fitri', 'decree', 'gapura'),
  ('2025-04-07', 'collective leave, Idul Fitri', 'decree', 'gapura'),
  ('2025-04-18', 'Good Friday', 'decree', 'gapura'),
  ('2025-05-01', 'Labour Day', 'fixed', 'gapura'),
  ('2025-05-12', 'Waisak', 'decree', 'gapura'),
  ('2025-05-13', 'collective leave, Waisak', 'decree', 'gapura'),
  ('2025-05-29', 'Ascension', 'decree', 'gapura'),
  ('2025-05-30', 'collective leave, Ascension', 'decree', 'gapura'),
  ('2025-06-06', 'Idul Adha', 'decree', 'gapura'),
  ('2025-06-09', 'collective leave, Idul Adha', 'decree', 'gapura'),
  ('2025-06-27', 'Islamic New Year', 'decree', 'gapura'),
  ('2025-08-18', 'collective leave, Independence Day', 'decree', 'gapura'),
  ('2025-09-05', 'Maulid', 'decree', 'gapura'),
  ('2025-12-25', 'Christmas', 'fixed', 'gapura'),
  ('2025-12-26', 'collective leave, Christmas', 'decree', 'gapura'),
  ('2026-01-01', 'New Year', 'fixed', 'gapura'),
  ('2026-01-16', 'Isra Mikraj', 'decree', 'gapura'),
  ('2026-02-16', 'collective leave, Lunar New Year', 'decree', 'gapura'),
  ('2026-02-17', 'Lunar New Year', 'decree', 'gapura'),
  ('2026-03-18', 'collective leave, Nyepi', 'decree', 'gapura'),
  ('2026-03-19', 'Nyepi', 'decree', 'gapura'),
  ('2026-03-20', 'collective leave, Idul Fitri', 'decree', 'gapura'),
  ('2026-03-23', 'collective leave, Idul Fitri', 'decree', 'gapura'),
  ('2026-03-24', 'collective leave, Idul Fitri', 'decree', 'gapura'),
  ('2026-04-03', 'Good Friday', 'decree', 'gapura'),
  ('2026-05-01', 'Labour Day', 'fixed', 'gapura'),
  ('2026-05-14', 'Ascension', 'decree', 'gapura'),
  ('2026-05-15', 'collective leave, Ascension', 'decree', 'gapura'),
  ('2026-05-27', 'Idul Adha', 'decree', 'gapura'),
  ('2026-05-28', 'collective leave, Idul Adha', 'decree', 'gapura'),
  ('2026-06-01', 'Pancasila Day', 'fixed', 'gapura'),
  ('2026-06-16', 'Islamic New Year', 'decree', 'gapura'),
  ('2026-08-17', 'Independence Day', 'fixed', 'gapura'),
  ('2026-08-25', 'Maulid', 'decree', 'gapura'),
  ('2026-12-24', 'collective leave, Christmas', 'decree', 'gapura'),
  ('2026-12-25', 'Christmas', 'fixed', 'gapura'),
  ('2027-01-01', 'New Year', 'fixed', 'gapura'),
  ('2027-06-01', 'Pancasila Day', 'fixed', 'gapura'),
  ('2027-08-17', 'Independence Day', 'fixed', 'gapura');

-- The n-th business day after a day: Monday to Friday without bank holidays.
create function gapura.business_day_after(from_day date, days integer) returns date
language sql
stable
set search_path = pg_catalog
as $$
  select day
  from (
    select from_day + step as day
    from generate_series(1, days * 3 + 20) as step
  ) as later
  where extract(isodow from day) < 6
    and not exists (
      select from gapura.bank_holiday as holiday where holiday.day = later.day and holiday.closed
    )
  order by day
  offset days - 1
  limit 1
$$;
