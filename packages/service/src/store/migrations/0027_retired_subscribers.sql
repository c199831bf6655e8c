-- The signals that a subscriber wants, so that others do not count as waiting for it; null until a
-- process of this release registers it. A retired subscriber counts nowhere and holds nothing back.
alter table gapura.event_subscriber add column signals text[];

alter table gapura.event_subscriber add column retired_at timestamptz(3);
