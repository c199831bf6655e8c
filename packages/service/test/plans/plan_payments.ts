// The payments of the plan tests, with the rows that lists and queues read.

const OWNERS = 10_000

/** A UUID of version 7 for row n at a time, the same on every run. */
export const id = (kind: string, at: string): string => `
  (lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
    || '7' || substr(md5('${kind}' || n), 1, 3) || '8' || substr(md5('${kind}' || n), 4, 15))::uuid`

// Payments in order of time over two years.
export const at = (n: string): string =>
  `(timestamptz '2026-11-01' - (($1::bigint - ${n}) * (interval '730 days' / $1::bigint)))`
export const AT = at('n')

export const PAYMENTS = `
  insert into gapura.gateway_payment (
    id, owner_id, order_id, transaction_id, payment_type, gross_amount, transaction_status, refused,
    fraud_status, customer_email, va_number, bill_key, payment_code, expiry_time, next_check_at,
    subscription_id, invoice_id, authorized_amount, captured_amount, booked_received, created_at, updated_at,
    paid_at, metadata, customer_first_name, status_code
  )
  select
    ${id('payment', AT)},
    'owner-' || floor(${OWNERS} * power(owner_luck, 3)),
    'order-' || case when status_luck < 0.01 then n - 1 else n end,
    md5('transaction' || n)::uuid::text,
    payment_type,
    amount,
    transaction_status,
    status_luck < 0.01,
    case when payment_type = 'credit_card' then 'accept' end,
    'Customer' || floor($1::bigint / 5 * power(mail_luck, 2)) || '@Example.com',
    case when payment_type = 'bank_transfer' then (810000000000 + n)::text end,
    case when payment_type = 'echannel' then (990000000000 + n)::text end,
    case when payment_type = 'cstore' then (250000000000 + n)::text end,
    ${AT} + interval '1 day',
    case
      when transaction_status in ('pending', 'authorize')
        then gapura.now() + (status_luck - 0.012) * interval '7 days'
    end,
    case
      when payment_type = 'credit_card' and mail_luck < 0.05
        then (select id from gapura.gateway_subscription order by id offset n % 100 limit 1)
    end,
    case when mail_luck > 0.99 then invoice.id end,
    case when transaction_status = 'settlement' then amount else 0 end,
    case when transaction_status = 'settlement' then amount else 0 end,
    case when transaction_status = 'settlement' then amount else 0 end,
    ${AT},
    ${AT},
    case when transaction_status = 'settlement' then ${AT} + owner_luck * interval '1 hour' end,
    '{"cart": "a few words of metadata"}',
    'Budi',
    '200'
  from (
    select
      n,
      random() as owner_luck,
      random() as mail_luck,
      status_luck,
      (array[10000, 25000, 50000, 50000, 50000, 100000, 1000 * (1 + floor(random() * 5000))])
        [1 + floor(random() * 7)::integer]::numeric as amount,
      (array['bank_transfer', 'bank_transfer', 'bank_transfer', 'gopay', 'gopay', 'qris', 'qris',
        'qris', 'credit_card', 'credit_card', 'credit_card', 'shopeepay', 'dana', 'ovo', 'cstore',
        'cstore', 'echannel', 'kredivo', 'akulaku', 'bank_transfer'])
        [1 + floor(random() * 20)::integer] as payment_type,
      case
        when status_luck < 0.01 then 'failure'
        when status_luck < 0.06 then 'pending'
        when status_luck < 0.061 then 'authorize'
        when status_luck < 0.0615 then 'chargeback'
        when status_luck < 0.07 then 'refund'
        when status_luck < 0.2 then 'expire'
        when status_luck < 0.22 then 'deny'
        else 'settlement'
      end as transaction_status
    from (
      select n, random() as status_luck
      from generate_series($2::bigint, $3::bigint) as n
    ) as lucky
  ) as drawn
  left join gapura.gateway_invoice as invoice on invoice.invoice_number = 'INV-' || n % 1000
  on conflict do nothing`

const CHUNK_OF_PAYMENTS = `created_at between ${at('$2::bigint')} - interval '1 second'
  and ${at('$3::bigint')} + interval '1 second'`

/** As the trigger would do it row by row, in a tenth of the time. */
export const STATES = [
  `insert into gapura.gateway_payment_state
     (id, created_at, expiry_time, paid_at, next_check_at, owner_id, payment_type,
      transaction_status, captured_amount)
   select id, created_at, expiry_time, paid_at, next_check_at, owner_id, payment_type,
     transaction_status, captured_amount
   from gapura.gateway_payment
   where ${CHUNK_OF_PAYMENTS}
   on conflict do nothing`,
  `insert into gapura.gateway_payment_term (kind, term, created_at, payment_id)
   select kind, term, created_at, id
   from gapura.gateway_payment
   cross join lateral (values ('transaction_id', transaction_id), ('va_number', va_number),
     ('bill_key', bill_key), ('payment_code', payment_code)) as given (kind, term)
   where term is not null and ${CHUNK_OF_PAYMENTS}
   on conflict do nothing`,
]

export const triggers = (verb: 'disable' | 'enable'): string =>
  `alter table gapura.gateway_payment ${verb} trigger gateway_payment_state_begins,
     ${verb} trigger gateway_payment_terms_begin`
