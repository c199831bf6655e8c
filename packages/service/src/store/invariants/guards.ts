// The database's own guards. A rule that an index or a check enforces needs the index or check to
// exist.
import type { Inquiry } from './invariant.ts'

const UNIQUE = [
  'gateway_payment_order_id',
  'gateway_payment_cycle',
  'gateway_payment_attempt',
  'gateway_checkout_order_id',
  'gateway_refund_payment_key',
  'gateway_refund_own_key',
  'gateway_operation_one_open',
  'gateway_operation_intent',
  'gateway_refund_of_request',
  'gateway_transition_pkey',
  'gateway_invoice_order_id',
  'gateway_invoice_gateway_id',
  'gateway_subscription_gateway_name',
  'gateway_subscription_gateway_id',
  'gateway_alarm_one_open',
  'operation_reply_pkey',
  'ledger_posting_pkey',
] as const

const CHECKS = [
  'gateway_payment_amounts_not_negative',
  'gateway_payment_refunds_within_captured',
  'gateway_payment_captured_within_authorized',
  'gateway_payment_authorized_within_gross',
  'gateway_operation_open_is_due',
  'gateway_checkout_completed_by_payment',
  'gateway_checkout_page_while_open',
  'ledger_posting_amount_positive',
  'ledger_posting_two_accounts',
] as const

const TRIGGERS = [
  'gateway_transition_append_only',
  'gateway_transition_never_emptied',
  'ledger_posting_append_only',
  'ledger_posting_never_emptied',
  'ledger_total_append_only',
] as const

const rows = (names: readonly string[]): string => names.map((name) => `('${name}')`).join(', ')

const SCHEMA = `(select oid from pg_catalog.pg_namespace where nspname = rtrim('gapura.', '.'))`

export const GUARDS: Inquiry = {
  invariants: [
    { id: 'I-03', promise: 'the unique indexes that forbid doubles are there and valid' },
    { id: 'I-06', promise: 'the checks that hold amounts in their bounds are there and valid' },
    { id: 'I-12', promise: 'the history and the ledger refuse to be changed' },
    { id: 'I-29', promise: 'the server keeps what it acknowledges' },
  ],
  sql: `
    select 'I-03', wanted.name, 'no valid unique index'
    from (values ${rows(UNIQUE)}) as wanted (name)
    where not exists (
      select
      from pg_catalog.pg_class as index
      join pg_catalog.pg_index as kept on kept.indexrelid = index.oid
      where index.relnamespace = ${SCHEMA}
        and index.relname = wanted.name
        and kept.indisunique
        and kept.indisvalid
    )
    union all
    select 'I-06', wanted.name, 'no valid check'
    from (values ${rows(CHECKS)}) as wanted (name)
    where not exists (
      select
      from pg_catalog.pg_constraint as kept
      where kept.connamespace = ${SCHEMA}
        and kept.conname = wanted.name
        and kept.convalidated
    )
    union all
    select 'I-12', wanted.name, 'no enabled trigger'
    from (values ${rows(TRIGGERS)}) as wanted (name)
    where not exists (
      select
      from pg_catalog.pg_trigger as kept
      where kept.tgrelid in (
          to_regclass('gapura.gateway_transition'),
          to_regclass('gapura.ledger_posting'),
          to_regclass('gapura.ledger_total')
        )
        and kept.tgname = wanted.name
        and kept.tgenabled in ('O', 'A')
    )
    union all
    select 'I-29', setting.name, setting.value
    from (
      values
        ('fsync', current_setting('fsync')),
        ('full_page_writes', current_setting('full_page_writes'))
    ) as setting (name, value)
    where setting.value = 'off'`,
}
