-- An object a subscriber failed at waits here from the first failure on, not only once it is given
-- up: the cursor goes on, other objects do not wait for its retries, and the count of them outlives
-- the process. Null: nobody tries again before a person says so.
alter table gapura.dead_event add column retry_at timestamptz(3);

-- The subscriber's retries; the dead ones are not in it.
-- squawk-ignore require-concurrent-index-creation
create index dead_event_retry
on gapura.dead_event (subscriber, retry_at, object_id)
where retry_at is not null;

-- What waits for a person, longest first: many, where a subscriber is broken as a whole.
-- squawk-ignore require-concurrent-index-creation
create index dead_event_dead
on gapura.dead_event (subscriber, died_at, object_id)
where retry_at is null;
