create table gapura.gateway_alarm (
  id uuid primary key,
  subject_id uuid not null,
  opened_at timestamptz(3) not null default gapura.now(),
  closed_at timestamptz(3),
  -- Null where no owner is known, as with a notification for an unknown order.
  owner_id text,
  kind text not null,
  subject_kind text not null,
  detail text not null,
  closed_by text,
  note text,
  constraint gateway_alarm_kind_known check (
    kind in (
      'amount_mismatch', 'late_money', 'reversal', 'outcome_unknown', 'payer_instructions_lost',
      'unmatched_notification', 'duplicate_at_gateway', 'event_dead', 'refund_overdue',
      'active_at_gateway'
    )
  ),
  constraint gateway_alarm_subject_kind_known check (
    subject_kind in ('payment', 'invoice', 'subscription', 'notification', 'operation', 'event')
  ),
  -- Nobody closes an alarm without a name.
  constraint gateway_alarm_closed_by_somebody check ((closed_at is null) = (closed_by is null))
);

-- The same trouble seen again is the same alarm.
create unique index gateway_alarm_one_open
on gapura.gateway_alarm (kind, subject_id)
where closed_at is null;

create index gateway_alarm_open
on gapura.gateway_alarm (opened_at, id)
where closed_at is null;
