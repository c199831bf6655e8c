// The invariants of a row of gateway_payment and its refunds. All rules are checked in one scan of
// the table: at a million rows each further scan would cost as much as all of them.
import { PAYMENT_TYPE, PAYMENT_TYPES } from '../../domain/payment_type.ts'
import type { Inquiry, Invariant } from './invariant.ts'

interface RowRule extends Invariant {
  /**
   * True for a row that breaks it. `payment` is the row, `state` its row in gateway_payment_state,
   * `booked` the sums of its refunds.
   */
  broken: string
}

const CAPTURED_IN_PARTS = PAYMENT_TYPES.filter((type) => PAYMENT_TYPE[type].separate_capture)
  .map((type) => `'${type}'`)
  .join(', ')

const UNFINISHED = `('initiated', 'pending', 'authorize')`

/** Every column of gateway_payment_state. */
const STATE_COLUMNS = [
  'id',
  'created_at',
  'expiry_time',
  'paid_at',
  'next_check_at',
  'owner_id',
  'payment_type',
  'transaction_status',
  'captured_amount',
] as const

const RULES: readonly RowRule[] = [
  {
    id: 'I-01',
    promise: 'what is refunded or reserved never exceeds what was captured',
    broken: 'payment.refunded_amount + payment.refund_reserved_amount > payment.captured_amount',
  },
  {
    id: 'I-01a',
    promise: 'the refunded amount is the sum of the refunds that succeeded',
    broken: 'payment.refunded_amount <> coalesce(booked.succeeded, 0)',
  },
  {
    id: 'I-01b',
    promise: 'the reserved amount is the sum of the refunds that are open',
    broken: 'payment.refund_reserved_amount <> coalesce(booked.pending, 0)',
  },
  {
    id: 'I-02',
    promise: 'captured is within authorized, and authorized within the amount charged',
    broken: `payment.captured_amount > payment.authorized_amount
      or payment.authorized_amount > payment.gross_amount`,
  },
  {
    id: 'I-02a',
    promise: 'whatever is not a card is captured whole or not at all',
    broken: `payment.payment_type not in (${CAPTURED_IN_PARTS})
      and payment.captured_amount not in (0, payment.gross_amount)`,
  },
  {
    id: 'I-14',
    promise: 'captured or settled money with no fraud review in its way is known as paid',
    broken: `payment.transaction_status in ('capture', 'settlement')
      and coalesce(payment.fraud_status, 'accept') = 'accept'
      and payment.paid_at is null`,
  },
  {
    id: 'I-14a',
    promise: 'nothing is known as paid before it was captured',
    broken: `payment.paid_at is not null and payment.transaction_status in ${UNFINISHED}`,
  },
  {
    id: 'I-14b',
    promise: 'money is captured wherever a payment is known as paid',
    broken: 'payment.paid_at is not null and payment.captured_amount = 0',
  },
  {
    id: 'I-16',
    promise: 'a payment that has not ended has a planned check',
    broken: `payment.transaction_status in ('pending', 'authorize', 'capture')
      and payment.next_check_at is null`,
  },
  {
    id: 'I-16c',
    promise: 'lists, queues and figures read the same state as the payment has',
    broken: `case
      when payment.transaction_status = 'initiated'
        and num_nonnulls(payment.next_check_at, payment.subscription_id, payment.invoice_id) = 0
        then state.id is not null
      else (${STATE_COLUMNS.map((column) => `state.${column}`).join(', ')}) is distinct from
        (${STATE_COLUMNS.map((column) => `payment.${column}`).join(', ')})
    end`,
  },
]

/** One statement for all the rules. */
export const PAYMENT_ROWS: Inquiry = {
  invariants: RULES,
  sql: `
    select rule.id, payment.id::text, concat_ws(' ', payment.transaction_status, payment.order_id)
    from gapura.gateway_payment as payment
    left join (
      select
        payment_id,
        sum(amount) filter (where status = 'succeeded') as succeeded,
        sum(amount) filter (where status = 'pending') as pending
      from gapura.gateway_refund
      group by payment_id
    ) as booked on booked.payment_id = payment.id
    left join gapura.gateway_payment_state as state on state.id = payment.id
    cross join lateral (
      values ${RULES.map(({ id, broken }) => `('${id}', ${broken})`).join(',\n        ')}
    ) as rule (id, broken)
    where (${RULES.map(({ broken }) => `(${broken})`).join(' or ')})
      and rule.broken`,
}

/** The numbers a payment is searched by. */
export const SEARCH_TERMS: Inquiry = {
  invariants: [{ id: 'I-16d', promise: 'a payment is found by every number the gateway gave it' }],
  sql: `
    select 'I-16d', payment.id::text, given.kind
    from gapura.gateway_payment as payment
    cross join lateral (
      values
        ('transaction_id', payment.transaction_id),
        ('va_number', payment.va_number),
        ('bill_key', payment.bill_key),
        ('payment_code', payment.payment_code)
    ) as given (kind, term)
    where given.term is not null
      and not exists (
        select
        from gapura.gateway_payment_term as kept
        where kept.kind = given.kind
          and kept.term = given.term
          and kept.created_at = payment.created_at
          and kept.payment_id = payment.id
      )`,
}
