-- The name that `gapura verify` of either release looks for (I-03).
alter index gapura.gateway_payment_cycle_transaction rename to gateway_payment_cycle;
