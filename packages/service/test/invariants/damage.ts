// One way to break each promise, done to an otherwise correct database as a bug, a manual statement
// in psql or a bad restore would do it.

export interface Damage {
  /** The promises that must be reported broken; others may be as well. */
  breaks: string
  by: string
  sql: string
}

const ONE = (status: string): string =>
  `(select id from gapura.gateway_payment where transaction_status = '${status}' order by id limit 1)`

const UNCHECKED = `
  alter table gapura.gateway_payment
    drop constraint gateway_payment_refunds_within_captured,
    drop constraint gateway_payment_captured_within_authorized,
    drop constraint gateway_payment_authorized_within_gross;`

const UNGUARDED = 'alter table gapura.gateway_transition disable trigger all;'

const payment = (set: string, status = 'settlement'): string =>
  `${UNCHECKED} update gapura.gateway_payment set ${set} where id = ${ONE(status)}`

const step = (set: string, version: number): string => `${UNGUARDED}
  update gapura.gateway_transition set ${set}
  where version = ${version} and object_id = ${ONE('settlement')}`

const event = (verb: string, status: string, sequence: number): string =>
  `${verb} where object_id = ${ONE(status)} and sequence = ${sequence}`

export const DAMAGES: readonly Damage[] = [
  {
    breaks: 'I-01',
    by: 'more refunded than captured',
    sql: payment('refunded_amount = captured_amount + 1'),
  },
  {
    breaks: 'I-01a',
    by: 'a refunded amount without a refund',
    sql: payment('refunded_amount = captured_amount'),
  },
  {
    breaks: 'I-01a',
    by: 'a refund row lost',
    sql: `update gapura.gateway_operation set refund_id = null
          where subject_id = ${ONE('refund')};
          delete from gapura.gateway_refund where payment_id = ${ONE('refund')}`,
  },
  {
    breaks: 'I-01b',
    by: 'a reservation without a refund',
    sql: payment('refund_reserved_amount = 1'),
  },
  {
    breaks: 'I-02',
    by: 'captured above authorized',
    sql: payment('authorized_amount = captured_amount - 1'),
  },
  {
    breaks: 'I-02',
    by: 'authorized above the amount',
    sql: payment('authorized_amount = gross_amount + 1'),
  },
  {
    breaks: 'I-02a',
    by: 'a wallet captured in part',
    sql: payment('captured_amount = gross_amount - 1'),
  },
  {
    breaks: 'I-03',
    by: 'a dropped unique index',
    sql: 'drop index gapura.gateway_payment_order_id',
  },
  {
    breaks: 'I-03',
    by: 'a unique index that is not valid',
    sql: `update pg_catalog.pg_index set indisvalid = false
          where indexrelid = to_regclass('gapura.gateway_operation_one_open')`,
  },
  {
    breaks: 'I-06',
    by: 'a dropped check',
    sql: 'alter table gapura.gateway_payment drop constraint gateway_payment_refunds_within_captured',
  },
  {
    breaks: 'I-07',
    by: 'an item changed afterwards',
    sql: `update gapura.gateway_payment_item set price = price + 1 where payment_id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-08',
    by: 'another amount reported, without an alarm',
    sql: `update gapura.gateway_notification set effect = 'mismatch'
          where effect = 'duplicate' and payment_id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-11',
    by: 'a transition back from settled',
    sql: step("from_status = 'settlement', to_status = 'pending'", 3),
  },
  {
    breaks: 'I-11',
    by: 'a transition that needs a look, on a report alone',
    sql: step("from_status = 'expire', to_status = 'settlement'", 3),
  },
  {
    breaks: 'I-11a',
    by: 'money after the end that is not marked as late',
    sql: step("from_status = 'cancel', to_status = 'settlement', source = 'sweep'", 3),
  },
  {
    breaks: 'I-11a',
    by: 'a refunded payment that is settled again',
    sql: step("from_status = 'refund', to_status = 'settlement', source = 'sweep'", 3),
  },
  { breaks: 'I-12', by: 'a history that can be changed', sql: UNGUARDED },
  {
    breaks: 'I-13',
    by: 'a transition that is missing',
    sql: `${UNGUARDED} delete from gapura.gateway_transition
          where version = 2 and object_id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-13',
    by: 'a transition that does not begin where the last one ended',
    sql: step("from_status = 'authorize'", 3),
  },
  {
    breaks: 'I-13',
    by: 'a status set without a transition',
    sql: payment("transaction_status = 'settlement', paid_at = gapura.now()", 'pending'),
  },
  {
    breaks: 'I-13',
    by: 'a version raised without a transition',
    sql: payment('version = version + 1'),
  },
  { breaks: 'I-14', by: 'settled without a time of payment', sql: payment('paid_at = null') },
  {
    breaks: 'I-14a',
    by: 'paid while it is pending',
    sql: payment('paid_at = gapura.now()', 'pending'),
  },
  { breaks: 'I-14b', by: 'paid with nothing captured', sql: payment('captured_amount = 0') },
  {
    breaks: 'I-16',
    by: 'a pending payment without a next status check',
    sql: payment('next_check_at = null', 'pending'),
  },
  {
    breaks: 'I-16c',
    by: 'a state that lags behind its payment',
    sql: `update gapura.gateway_payment_state set transaction_status = 'pending'
          where id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-16c',
    by: 'a step while the triggers were off',
    sql: `alter table gapura.gateway_payment disable trigger gateway_payment_state_changes;
          update gapura.gateway_payment set next_check_at = next_check_at + interval '1 minute'
          where id = ${ONE('pending')}`,
  },
  {
    breaks: 'I-16c',
    by: 'a payment without its state',
    sql: `delete from gapura.gateway_payment_state where id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-16d',
    by: 'a search term lost',
    sql: `delete from gapura.gateway_payment_term
          where kind = 'transaction_id' and payment_id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-16a',
    by: 'an operation open for two days without an alarm',
    sql: `update gapura.gateway_operation
          set state = 'unknown', due_at = gapura.now(), created_at = gapura.now() - interval '2 days'
          where subject_id = ${ONE('pending')}`,
  },
  {
    breaks: 'I-16b',
    by: 'an open charge that is never due',
    sql: payment("transaction_status = 'initiated'", 'pending'),
  },
  {
    breaks: 'I-21',
    by: 'a charge without an operation',
    sql: `delete from gapura.gateway_operation where subject_id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-23',
    by: 'a gap in the events',
    sql: event('delete from gapura.gateway_event', 'refund', 2),
  },
  {
    breaks: 'I-23',
    by: 'the last event lost',
    sql: event('delete from gapura.gateway_event', 'settlement', 2),
  },
  {
    breaks: 'I-23a',
    by: 'an expiry published as another signal',
    sql: event("update gapura.gateway_event set type = 'payment_failed'", 'expire', 2),
  },
  {
    breaks: 'I-23a',
    by: 'captured and refunded in one step, without an event',
    sql: `${UNGUARDED}
      delete from gapura.gateway_transition where version = 3 and object_id = ${ONE('refund')};
      update gapura.gateway_transition set version = 3, from_status = 'pending'
      where version = 4 and object_id = ${ONE('refund')};
      delete from gapura.gateway_event where sequence > 1 and object_id = ${ONE('refund')};
      update gapura.gateway_payment set version = 3, event_sequence = 1 where id = ${ONE('refund')}`,
  },
  {
    breaks: 'I-23b',
    by: 'a payment received without an event',
    sql: event("update gapura.gateway_event set type = 'payment_received'", 'settlement', 2),
  },
  {
    breaks: 'I-23b',
    by: 'payment_settled published twice',
    sql: event("update gapura.gateway_event set type = 'payment_settled'", 'settlement', 1),
  },
  {
    breaks: 'I-26',
    by: 'an applied notification lost',
    sql: `delete from gapura.gateway_notification
          where effect = 'applied' and payment_id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-26',
    by: 'a duplicate applied as well',
    sql: `update gapura.gateway_notification set effect = 'applied'
          where effect = 'duplicate' and payment_id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-28',
    by: 'an operation that succeeded and kept no reply for its intent',
    sql: `update gapura.gateway_operation
          set intent_owner = owner_id, intent_key = 'unanswered', intent_fingerprint = 'f',
              state = 'succeeded', due_at = null, updated_at = gapura.now()
          where subject_id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-26',
    by: 'a transition to another status than its notification reported',
    sql: `update gapura.gateway_notification set transaction_status = 'pending'
          where effect = 'applied' and payment_id = ${ONE('settlement')}
            and transaction_status = 'settlement'`,
  },
  {
    breaks: 'I-04',
    by: 'a refund that no operation made',
    sql: `update gapura.gateway_operation set refund_id = null
          where id = (select id from gapura.gateway_operation where refund_id is not null limit 1)`,
  },
  {
    breaks: 'I-39',
    by: 'a report deferred for four hours without an alarm',
    sql: `update gapura.gateway_payment
          set deferred_since = gapura.now() - interval '4 hours' where id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-39b',
    by: 'a notification that matches nothing for two days without an alarm',
    sql: `insert into gapura.gateway_notification
            (id, received_at, order_id, transaction_status, effect, verified_with, raw_payload)
          values (gen_random_uuid(), gapura.now() - interval '2 days', 'foreign', 'settlement',
            'unmatched', 'current', '{}')`,
  },
  {
    breaks: 'I-39a',
    by: 'settled money in review that is not asked about',
    sql: `update gapura.gateway_payment
          set fraud_status = 'challenge', next_check_at = null where id = ${ONE('settlement')}`,
  },
  {
    breaks: 'I-05',
    by: 'a refund of two staff members without an approved request',
    sql: `update gapura.gateway_refund
          set approved_by = 'dewi'
          where id = (select id from gapura.gateway_refund where status <> 'failed' limit 1)`,
  },
  {
    breaks: 'I-05a',
    by: 'a refund outside the gateway that one person recorded',
    sql: `alter table gapura.gateway_refund drop constraint gateway_refund_outside_shown;
          update gapura.gateway_refund set source = 'outside'
          where id = (select id from gapura.gateway_refund where status = 'succeeded' limit 1)`,
  },
]
