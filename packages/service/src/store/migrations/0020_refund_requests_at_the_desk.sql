-- What waits for a second person, and all that was ever asked about one payment: the pages of staff
-- ask for both. Few rows in a table that is small.
-- squawk-ignore require-concurrent-index-creation
create index refund_request_held on gapura.refund_request (created_at, id) where state = 'held';

-- squawk-ignore require-concurrent-index-creation
create index refund_request_payment on gapura.refund_request (payment_id, created_at, id);
