-- When the gateway was last queried about an exception without being asked to by staff.
alter table gapura.reconciliation_item add column refreshed_at timestamptz(3);
