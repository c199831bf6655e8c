// Ways to break the ledger, as those of damage.ts.
import type { Damage } from './damage.ts'

const ONE = `(select id from gapura.gateway_payment where transaction_status = 'settlement' order by id limit 1)`
const UNGUARDED = 'alter table gapura.ledger_posting disable trigger all;'
const posting = (set: string): string =>
  `${UNGUARDED} update gapura.ledger_posting set ${set} where payment_id = ${ONE}`

/** A further posting of a payment that is as it should be. */
const further = (values: string): string => `
  insert into gapura.ledger_posting (object_id, payment_id, occurred_at, booked_at, booked_on,
    version, object_kind, kind, source, destination, amount)
  select id, id, gapura.now(), gapura.now(), (gapura.now() at time zone 'Asia/Jakarta')::date, 9,
    'payment', ${values}
  from gapura.gateway_payment
  where id = ${ONE}`

export const LEDGER_DAMAGES: readonly Damage[] = [
  { breaks: 'I-42', by: 'a posting of another amount', sql: posting('amount = amount + 1') },
  {
    breaks: 'I-42',
    by: 'a posting from another owner',
    sql: posting("source = 'sales:somebody'"),
  },
  { breaks: 'I-42', by: 'a posting to another account', sql: posting("destination = 'bank:bca'") },
  {
    breaks: 'I-42',
    by: 'a refund that never was',
    sql: further(`'refunded', 'gateway:pending', 'refunds:' || owner_id, 1`),
  },
  {
    breaks: 'I-42',
    by: 'a posting lost',
    sql: `${UNGUARDED} delete from gapura.ledger_posting where payment_id = ${ONE}`,
  },
  {
    breaks: 'I-42',
    by: 'a posting of no payment',
    sql: posting('payment_id = gen_random_uuid()'),
  },
  {
    breaks: 'I-42a',
    by: 'a payment that was paid and never booked',
    sql: `${UNGUARDED} delete from gapura.ledger_posting where payment_id = ${ONE};
          update gapura.gateway_payment set booked_received = 0 where id = ${ONE}`,
  },
  {
    breaks: 'I-42a',
    by: 'a chargeback that was not booked',
    sql: `update gapura.gateway_payment set transaction_status = 'chargeback' where id = ${ONE}`,
  },
  {
    breaks: 'I-42b',
    by: 'a posting in a closed day',
    sql: posting('amount = amount + 1'),
  },
  {
    breaks: 'I-42b',
    by: 'a total that was changed',
    sql: `alter table gapura.ledger_total disable trigger all;
          update gapura.ledger_total set debit = debit + 1 where account = 'gateway:pending'`,
  },
  {
    breaks: 'I-42c',
    by: 'the day of UTC instead of that of Jakarta',
    sql: posting('booked_on = booked_on - 1'),
  },
  {
    breaks: 'I-42c',
    by: 'a posting on a later day although its own was open',
    sql: posting('booked_on = booked_on + 5'),
  },
  {
    breaks: 'I-42d',
    by: 'late money in suspense without an alarm',
    sql: posting("source = 'suspense:late'"),
  },
  {
    breaks: 'I-43',
    by: 'a fee that was matched and not posted',
    sql: `insert into gapura.reconciliation_item (id, day, kind, state, booked_fee)
          values (gen_random_uuid(), '2026-01-31', 'payment', 'matched', 4000)`,
  },
  {
    breaks: 'I-43',
    by: 'a decision that is done and not posted',
    sql: `insert into gapura.reconciliation_action
            (id, item_id, action, state, amount, source, destination, reason, requested_by,
             former_state, former_cause, former_effect)
          values (gen_random_uuid(), gen_random_uuid(), 'write_off', 'done', 1000, 'adjustment',
            'gateway:pending', 'x', 'dewi', 'mismatched', 'amount_differs', 0)`,
  },
  {
    breaks: 'I-12',
    by: 'a ledger that can be changed',
    sql: 'alter table gapura.ledger_posting disable trigger all',
  },
]
