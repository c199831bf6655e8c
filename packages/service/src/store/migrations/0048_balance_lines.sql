-- gapura: no transaction

-- The gateway's balance of each day, among all its lines.
create index concurrently if not exists statement_line_balance
on gapura.statement_line (day)
where kind = 'balance';
