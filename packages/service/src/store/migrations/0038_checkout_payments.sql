-- gapura: no transaction

-- A payment made on a page is keyed by the gateway's transaction, so a second report of it finds the
-- first. Also the list of a page's payments.
create unique index concurrently if not exists gateway_payment_attempt
on gapura.gateway_payment (checkout_id, cycle_transaction_id)
where checkout_id is not null;
