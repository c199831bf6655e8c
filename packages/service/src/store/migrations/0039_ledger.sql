-- The double-entry ledger (ADR 0031). One row moves an amount from one account to another, so the
-- accounts always add up to zero. A journal is the rows of one object, version and kind: most have one
-- row, and then journal and posting cost one row together.
create table gapura.ledger_posting (
  object_id uuid not null,
  -- The payment that it counts for; null of what concerns none.
  payment_id uuid,
  -- When it happened, as the gateway gives it where it does.
  occurred_at timestamptz(3) not null,
  booked_at timestamptz(3) not null,
  -- The day in Jakarta in whose figures it is: that of occurred_at, or the first day after the days
  -- that were closed by then.
  booked_on date not null,
  version integer not null,
  line integer not null default 1,
  object_kind text not null,
  kind text not null,
  source text not null,
  destination text not null,
  amount numeric(15, 2) not null,
  -- Nothing is entered twice.
  primary key (object_id, version, kind, line),
  constraint ledger_posting_amount_positive check (amount > 0),
  constraint ledger_posting_two_accounts check (source <> destination),
  constraint ledger_posting_version_counts check (version >= 1),
  constraint ledger_posting_line_counts check (line >= 1)
);

-- The postings of a payment's refunds; its own are found by the primary key.
create index ledger_posting_payment
on gapura.ledger_posting (payment_id)
where object_kind <> 'payment';

-- Rows lie in the order in which they were booked, so a summary of the days of each block range is
-- enough, and an insert writes no entry.
create index ledger_posting_day
on gapura.ledger_posting using brin (booked_on) with (pages_per_range = 32, autosummarize = on);

-- A mistake is corrected by a further journal.
create trigger ledger_posting_append_only
before update or delete on gapura.ledger_posting
for each row execute function gapura.refuse_change();

create trigger ledger_posting_never_emptied
before truncate on gapura.ledger_posting
for each statement execute function gapura.refuse_change();

-- A closed day and all days before it take no more postings. Until it is sealed, transactions that
-- began before it was closed may still add to it.
create table gapura.ledger_closing (
  day date primary key,
  closed_at timestamptz(3) not null default gapura.now(),
  sealed_at timestamptz(3),
  closed_by text not null
);

-- The postings of each sealed day by account: balances are the sum of these and of the postings since.
create table gapura.ledger_total (
  day date not null,
  account text not null,
  debit numeric(20, 2) not null,
  credit numeric(20, 2) not null,
  primary key (day, account)
);

create trigger ledger_total_append_only
before update or delete on gapura.ledger_total
for each row execute function gapura.refuse_change();

-- What the ledger has of a payment. A process of the previous release changes a payment and leaves
-- these: the difference is what is still to be booked.
alter table gapura.gateway_payment
add column booked_received numeric(15, 2) not null default 0,
add column booked_refunded numeric(15, 2) not null default 0,
add column booked_charged_back numeric(15, 2) not null default 0;

-- Since when every payment must be in the ledger. Null while payments of before, or of processes of
-- the previous release, may be missing.
alter table gapura.setting add column ledger_complete_at timestamptz(3);

update gapura.setting
set ledger_complete_at = gapura.now()
where not exists (select from gapura.gateway_payment);
