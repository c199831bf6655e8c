-- gapura: no transaction

call gapura.fill_payment_state();

-- A cycle is a payment keyed by the gateway's transaction, so a second report of it finds the
-- first. Also the list of a subscription's cycles.
create unique index concurrently if not exists gateway_payment_cycle_transaction
on gapura.gateway_payment (subscription_id, cycle_transaction_id)
where subscription_id is not null;

drop index concurrently if exists gapura.gateway_payment_cycle;

-- These are indexes of gateway_payment_state and gateway_payment_term now.
drop index concurrently if exists gapura.gateway_payment_owner_status;
drop index concurrently if exists gapura.gateway_payment_status;
drop index concurrently if exists gapura.gateway_payment_next_check;
drop index concurrently if exists gapura.gateway_payment_stale;
drop index concurrently if exists gapura.gateway_payment_paid;
drop index concurrently if exists gapura.gateway_payment_transaction_id;
drop index concurrently if exists gapura.gateway_payment_va_number;
drop index concurrently if exists gapura.gateway_payment_bill_key;
drop index concurrently if exists gapura.gateway_payment_payment_code;

-- Old replies are found by the ids of their operations, which begin with the time.
drop index concurrently if exists gapura.operation_reply_finished;
