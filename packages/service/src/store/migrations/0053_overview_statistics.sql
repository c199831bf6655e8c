-- How many groups the overview counts the payments in. Without it the planner takes each payment for
-- a group of its own, and reads them in one process instead of several. Written by analyze alone: no
-- row costs more. The expressions must equal those of the overview.
create statistics gapura.gateway_payment_results (ndistinct)
on payment_type, bank, store, refused,
  (date_part('epoch', paid_at - created_at)::integer),
  (
    case
      when transaction_status in ('deny', 'cancel', 'expire', 'failure')
        then array[transaction_status, status_code, status_message]
    end
  )
from gapura.gateway_payment;

-- Its part of the above.
drop statistics gapura.gateway_payment_took;
