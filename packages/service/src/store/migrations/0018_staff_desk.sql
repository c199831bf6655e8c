-- What staff write down about an object for one another. No foreign key: an object lies in one of
-- several tables, and an alarm or a notification can be written about as well.
create table gapura.staff_note (
  id uuid primary key,
  subject_id uuid not null,
  created_at timestamptz(3) not null default gapura.now(),
  -- Whose the object is; null where no owner is known.
  owner_id text,
  author text not null,
  text text not null,
  constraint staff_note_author_named check (length(author) between 1 and 255),
  constraint staff_note_says_something check (length(text) between 1 and 2000)
);

create index staff_note_subject on gapura.staff_note (subject_id, created_at, id);

create trigger staff_note_append_only
before update or delete on gapura.staff_note
for each row execute function gapura.refuse_change();

create trigger staff_note_never_emptied
before truncate on gapura.staff_note
for each statement execute function gapura.refuse_change();

-- Who looks after an open alarm, so that two people do not.
alter table gapura.gateway_alarm add column taken_at timestamptz(3);
alter table gapura.gateway_alarm add column taken_by text;

-- All alarms there ever were about one object; few in a table that is small.
-- squawk-ignore require-concurrent-index-creation
create index gateway_alarm_subject on gapura.gateway_alarm (subject_id, opened_at, id);

-- Keys of all owners, newest first.
-- squawk-ignore require-concurrent-index-creation
create index api_key_created on gapura.api_key (created_at, id);

-- What staff look at first of the inbox: few among millions. On a partitioned table it cannot be
-- built beside the traffic; a month of a million rows is read in about a second, and what is refused
-- meanwhile the gateway brings again.
-- squawk-ignore require-concurrent-index-creation
create index gateway_notification_attention
on gapura.gateway_notification (received_at, id)
where effect in ('unmatched', 'mismatch', 'failed');
