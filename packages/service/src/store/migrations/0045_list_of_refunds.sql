-- gapura: no transaction

-- The refunds of all payments, newest first.
create index concurrently if not exists gateway_refund_created
on gapura.gateway_refund (created_at, id);
