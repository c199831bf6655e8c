-- gapura: no transaction
-- Money received by the day it came, without a look at the rows themselves.
create index concurrently if not exists gateway_payment_paid
on gapura.gateway_payment (paid_at, payment_type, captured_amount)
where paid_at is not null;

-- Money paid back, likewise.
create index concurrently if not exists gateway_refund_succeeded
on gapura.gateway_refund (created_at, amount)
where status = 'succeeded';
