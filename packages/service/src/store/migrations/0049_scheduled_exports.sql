-- The mail that staff get each day, week or month: an export is ready, with a link that takes
-- a sign-in. The period moves on in the transaction that records its mail, so each has one.
create table gapura.export_schedule (
  id uuid primary key,
  created_at timestamptz(3) not null default gapura.now(),
  -- When the mail of the period is due.
  due_at timestamptz(3) not null,
  -- One worker sends it until then; afterwards another may.
  leased_until timestamptz(3),
  sent_at timestamptz(3),
  -- The first day in Jakarta of the period whose mail is due next.
  period_from date not null,
  attempts integer not null default 0,
  name text not null,
  every text not null,
  format text not null,
  day_of text not null,
  language text not null,
  created_by text not null,
  recipients jsonb not null,
  -- Only what names no customer.
  filters jsonb not null default '{}'::jsonb,
  constraint export_schedule_every_known check (every in ('day', 'week', 'month')),
  constraint export_schedule_format_known check (format in ('csv', 'xlsx')),
  constraint export_schedule_day_of_known check (day_of in ('created', 'paid')),
  constraint export_schedule_language_known check (language in ('en', 'id')),
  constraint export_schedule_recipients_some check (jsonb_array_length(recipients) between 1 and 20)
);

create unique index export_schedule_name on gapura.export_schedule (name);
