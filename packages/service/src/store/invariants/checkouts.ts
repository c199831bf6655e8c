// A page and the payments made on it. Each payment is one transaction of the gateway; one of them
// counts.
import type { Inquiry } from './invariant.ts'

export const CHECKOUTS: Inquiry = {
  invariants: [
    { id: 'I-40', promise: 'an order has one page that can be open, and no charge beside it' },
    { id: 'I-40a', promise: 'a checkout is completed exactly if a payment of it was paid' },
    { id: 'I-40b', promise: 'a second paid payment of a checkout has an alarm' },
    { id: 'I-40c', promise: 'a payment and its checkout name the same order and owner' },
    {
      id: 'I-40d',
      promise: 'a page that is open is asked about, and one that ended has no address',
    },
  ],
  sql: `
    select 'I-40', min(id::text), count(*) || ' pages of ' || order_id
    from gapura.gateway_checkout
    where status <> 'failure'
    group by order_id
    having count(*) > 1
    union all
    select 'I-40', payment.id::text, 'charged beside checkout ' || checkout.id
    from gapura.gateway_checkout as checkout
    join gapura.gateway_payment as payment
      on payment.order_id = checkout.order_id
      and not payment.refused
      and payment.checkout_id is distinct from checkout.id
    where checkout.status <> 'failure'
    union all
    select 'I-40a', checkout.id::text, checkout.status || ' with ' || count(payment.id) || ' paid'
    from gapura.gateway_checkout as checkout
    left join gapura.gateway_payment as payment
      on payment.checkout_id = checkout.id
      and payment.paid_at is not null
    group by checkout.id
    having (checkout.status = 'completed') <> (count(payment.id) > 0)
      or (checkout.status = 'completed' and not bool_or(payment.id = checkout.payment_id))
    union all
    select 'I-40b', payment.id::text, 'paid beside payment ' || checkout.payment_id
    from gapura.gateway_payment as payment
    join gapura.gateway_checkout as checkout on checkout.id = payment.checkout_id
    where payment.paid_at is not null
      and payment.id <> checkout.payment_id
      and not exists (
        select
        from gapura.gateway_alarm as alarm
        where alarm.subject_id = payment.id
          and alarm.kind = 'paid_twice'
      )
    union all
    select 'I-40c', payment.id::text, 'of checkout ' || payment.checkout_id
    from gapura.gateway_payment as payment
    left join gapura.gateway_checkout as checkout on checkout.id = payment.checkout_id
    where payment.checkout_id is not null
      and (
        checkout.id is null
        or checkout.order_id <> payment.order_id
        or checkout.owner_id <> payment.owner_id
        or payment.transaction_id is null
      )
    union all
    select 'I-40d', id::text, status
    from gapura.gateway_checkout
    where (status = 'open' and next_check_at is null)
      or (status <> 'open' and num_nonnulls(token, redirect_url) > 0)`,
}
