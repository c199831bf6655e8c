-- gapura: no transaction

-- One operation for each intent, for ever.
create unique index concurrently if not exists gateway_operation_intent
on gapura.gateway_operation (intent_owner, intent_key)
where intent_key is not null;

-- One refund for each approved request. A refund that fails gives its request up, so that another may
-- follow; should the gateway show it as made after all, that is recorded and not refused here.
create unique index concurrently if not exists gateway_refund_of_request
on gapura.gateway_refund (refund_request_id)
where refund_request_id is not null;

-- What waits for an answer of the gateway, for the alarm and the checker: hardly any row.
create index concurrently if not exists gateway_payment_deferred
on gapura.gateway_payment (deferred_since)
where deferred_since is not null;
