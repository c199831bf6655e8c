-- gapura: no transaction

-- The oldest open operation is found among the few rows of the resolver's index.
drop index concurrently if exists gapura.gateway_operation_oldest;
