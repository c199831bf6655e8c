-- gapura: no transaction

-- Lines that replaced an earlier version. Few are, so that to see that a line is the newest one costs
-- no look into the index of all of them.
create index concurrently if not exists statement_line_newer
on gapura.statement_line (source, line_key, version)
where version > 1;
