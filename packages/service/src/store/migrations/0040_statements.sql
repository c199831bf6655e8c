-- What the gateway and the bank say of the money, line by line, as they said it: three-way matching
-- starts from here. Lines are added and never changed; one that changed at its source is a new version.
create table gapura.statement_line (
  id uuid primary key,
  -- Null: read from the gateway.
  import_id uuid,
  created_at timestamptz(3) not null default gapura.now(),
  occurred_at timestamptz(3),
  -- The calendar day in Jakarta.
  day date,
  version integer not null,
  line_number integer,
  side text not null,
  source text not null,
  kind text not null,
  line_key text not null,
  content_sha256 text not null,
  amount numeric(15, 2),
  fee numeric(15, 2),
  balance numeric(15, 2),
  currency text,
  status text,
  account text,
  order_id text,
  transaction_id text,
  reference text,
  channel text,
  description text,
  raw jsonb not null,
  constraint statement_line_side_known check (side in ('gateway', 'bank')),
  constraint statement_line_kind_known check (
    kind in (
      'payment', 'withdrawal', 'disbursement', 'top_up', 'refund', 'chargeback', 'balance', 'entry',
      'other', 'unreadable'
    )
  ),
  constraint statement_line_version_positive check (version > 0),
  constraint statement_line_readable check (
    kind = 'unreadable' or (day is not null and amount is not null)
  )
);

-- Reading the same line again, in another window, file or process, finds it here.
create unique index statement_line_version
on gapura.statement_line (source, line_key, version);

create index statement_line_list
on gapura.statement_line (created_at, id);

create index statement_line_day
on gapura.statement_line (side, day, created_at, id);

create index statement_line_order
on gapura.statement_line (order_id, created_at, id)
where order_id is not null;

create index statement_line_reference
on gapura.statement_line (reference, created_at, id)
where reference is not null;

create index statement_line_import
on gapura.statement_line (import_id, created_at, id)
where import_id is not null;

-- A day of one of the gateway's statements: the queue of readings, and the place of one under way.
create table gapura.statement_window (
  source text not null,
  day date not null,
  created_at timestamptz(3) not null default gapura.now(),
  updated_at timestamptz(3) not null default gapura.now(),
  -- Null: no further reading.
  next_read_at timestamptz(3),
  last_read_at timestamptz(3),
  -- Complete readings so far.
  read_count integer not null default 0,
  failures integer not null default 0,
  -- Of the reading under way: pages are numbered from 0, and a pass that finds a change is repeated.
  page integer not null default 0,
  pass integer not null default 0,
  pass_changes integer not null default 0,
  last_error text,
  primary key (source, day)
);

create index statement_window_due
on gapura.statement_window (next_read_at)
where next_read_at is not null;

-- A file that was imported; the same file again is found by its fingerprint.
create table gapura.statement_import (
  id uuid primary key,
  created_at timestamptz(3) not null default gapura.now(),
  bytes integer not null,
  lines_read integer not null,
  lines_new integer not null,
  lines_known integer not null,
  lines_refused integer not null,
  side text not null,
  format text not null,
  file_name text not null,
  sha256 text not null,
  -- Of the file, its format and its mapping.
  fingerprint text not null,
  imported_by text not null,
  -- What the file says of itself: account, balances, and whether they agree with its lines.
  summary jsonb not null default '{}',
  constraint statement_import_side_known check (side in ('gateway', 'bank')),
  -- Every line of the file is stored or refused, and none is both.
  constraint statement_import_lines_add_up check (
    lines_read = lines_new + lines_known + lines_refused
    and least(lines_new, lines_known, lines_refused) >= 0
  )
);

create unique index statement_import_fingerprint
on gapura.statement_import (fingerprint);

create index statement_import_list
on gapura.statement_import (created_at, id);

-- A line of a file that could not be stored, with the reason.
create table gapura.statement_refusal (
  import_id uuid not null references gapura.statement_import (id),
  line_number integer not null,
  reason text not null,
  content text not null,
  primary key (import_id, line_number)
);

-- Which column of a portal's export is which field; kept by name.
create table gapura.statement_mapping (
  name text primary key,
  created_at timestamptz(3) not null default gapura.now(),
  updated_at timestamptz(3) not null default gapura.now(),
  updated_by text not null,
  columns jsonb not null,
  constraint statement_mapping_name_length check (length(name) between 1 and 100)
);
