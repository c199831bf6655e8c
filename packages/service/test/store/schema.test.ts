import { describe, expect, test } from 'vitest'
import { ALARM_KINDS, ALARM_SUBJECT_KINDS } from '../../src/domain/alarm.ts'
import { ACTOR_KINDS } from '../../src/domain/audit.ts'
import {
  ACTION_STATES,
  HOLIDAY_CERTAINTIES,
  ITEM_KINDS,
  ITEM_STATES,
} from '../../src/domain/reconciliation.ts'
import { REFUND_REQUEST_STATES } from '../../src/domain/refund_request.ts'
import { SCOPES } from '../../src/domain/caller.ts'
import {
  EXPORT_DAYS_OF,
  EXPORT_FORMATS,
  EXPORT_LANGUAGES,
  EXPORT_PERIODS,
} from '../../src/domain/export_schedule.ts'
import { FEE_BEARERS, RATE_ORIGINS } from '../../src/domain/fees.ts'
import { CHECKOUT_STATUSES } from '../../src/domain/checkout.ts'
import { STATEMENT_KINDS, STATEMENT_SIDES } from '../../src/domain/statement.ts'
import { INVOICE_STATUSES } from '../../src/domain/invoice.ts'
import { NOTIFICATION_EFFECTS } from '../../src/domain/notification.ts'
import { OPERATION_KINDS, OPERATION_STATES } from '../../src/domain/operation.ts'
import { API_FAMILIES, REFUND_SOURCES, REFUND_STATUSES } from '../../src/domain/payment.ts'
import { FRAUD_STATUSES, PAYMENT_STATUSES } from '../../src/domain/payment_status.ts'
import { PAYMENT_TYPES, SUBSCRIPTION_PAYMENT_TYPES } from '../../src/domain/payment_type.ts'
import { FENCES, MOVE_DIRECTIONS, MOVE_STEPS } from '../../src/domain/owner_move.ts'
import { OPERATOR_EVENTS } from '../../src/domain/operator_event.ts'
import { SIGN_IN_METHODS } from '../../src/domain/staff.ts'
import { OBJECT_KINDS, SIGNALS, SOURCES } from '../../src/domain/signals.ts'
import {
  INTERVAL_UNITS,
  RETRY_INTERVAL_UNITS,
  SUBSCRIPTION_STATUSES,
} from '../../src/domain/subscription.ts'
import { DELIVERY_OUTCOMES, ENDPOINT_STATES } from '../../src/domain/webhook.ts'
import { ENVIRONMENTS } from '../../src/store/connection/settings.ts'
import { addPayment } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

/** Every CHECK on an enumeration, and the domain's list it must equal. */
const WORDS: Record<string, readonly string[]> = {
  setting_environment_known: ENVIRONMENTS,
  owner_move_direction_known: MOVE_DIRECTIONS,
  owner_move_step_known: MOVE_STEPS,
  owner_move_fence_known: FENCES,
  gateway_payment_api_family_known: API_FAMILIES,
  gateway_payment_payment_type_known: PAYMENT_TYPES,
  gateway_payment_transaction_status_known: PAYMENT_STATUSES,
  gateway_payment_fraud_status_known: FRAUD_STATUSES,
  gateway_refund_status_known: REFUND_STATUSES,
  gateway_refund_source_known: REFUND_SOURCES,
  gateway_operation_kind_known: OPERATION_KINDS,
  gateway_operation_subject_kind_known: OBJECT_KINDS,
  gateway_operation_state_known: OPERATION_STATES,
  gateway_notification_effect_known: NOTIFICATION_EFFECTS,
  gateway_transition_object_kind_known: OBJECT_KINDS,
  gateway_transition_source_known: SOURCES,
  gateway_transition_payment_status_known: ['payment', ...PAYMENT_STATUSES],
  gateway_transition_invoice_status_known: ['invoice', ...INVOICE_STATUSES],
  gateway_transition_subscription_status_known: ['subscription', ...SUBSCRIPTION_STATUSES],
  gateway_transition_checkout_status_known: ['checkout', ...CHECKOUT_STATUSES],
  gateway_event_object_kind_known: [...OBJECT_KINDS, 'operator'],
  gateway_event_type_known: [...SIGNALS, ...OPERATOR_EVENTS],
  gateway_event_source_known: SOURCES,
  dead_event_object_kind_known: [...OBJECT_KINDS, 'operator'],
  gateway_invoice_status_known: INVOICE_STATUSES,
  gateway_checkout_status_known: CHECKOUT_STATUSES,
  gateway_subscription_status_known: SUBSCRIPTION_STATUSES,
  gateway_subscription_payment_type_known: SUBSCRIPTION_PAYMENT_TYPES,
  gateway_subscription_interval_unit_known: INTERVAL_UNITS,
  gateway_subscription_retry_interval_unit_known: RETRY_INTERVAL_UNITS,
  gateway_alarm_kind_known: ALARM_KINDS,
  gateway_alarm_subject_kind_known: ALARM_SUBJECT_KINDS,
  api_key_scopes_known: SCOPES,
  staff_role_scopes_known: SCOPES,
  staff_session_method_known: SIGN_IN_METHODS,
  reconciliation_item_kind_known: ITEM_KINDS,
  reconciliation_item_state_known: ITEM_STATES,
  reconciliation_action_state_known: ACTION_STATES,
  bank_holiday_certainty_known: HOLIDAY_CERTAINTIES,
  export_schedule_every_known: EXPORT_PERIODS,
  export_schedule_format_known: EXPORT_FORMATS,
  export_schedule_day_of_known: EXPORT_DAYS_OF,
  export_schedule_language_known: EXPORT_LANGUAGES,
  fee_rate_borne_by_known: FEE_BEARERS,
  fee_rate_origin_known: RATE_ORIGINS,
  refund_request_state_known: REFUND_REQUEST_STATES,
  search_entry_object_kind_known: OBJECT_KINDS,
  audit_unsealed_actor_kind_known: ACTOR_KINDS,
  webhook_endpoint_state_known: ENDPOINT_STATES,
  webhook_delivery_outcome_known: DELIVERY_OUTCOMES,
  statement_line_side_known: STATEMENT_SIDES,
  statement_line_kind_known: STATEMENT_KINDS,
  statement_import_side_known: STATEMENT_SIDES,
}

test('every CHECK on an enumeration equals the domain’s list, and every such CHECK is named here', async () => {
  const found = await here.sql(
    `select distinct conname::text as name, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where connamespace = $1::regnamespace
       and contype = 'c'
       and conname like '%\\_known'`,
    [here.db.schema],
  )
  const words = Object.fromEntries(
    found.map(({ name, definition }) => [
      name,
      [...String(definition).matchAll(/'([^']*)'::text/g)].map((match) => match[1] ?? '').sort(),
    ]),
  )
  expect(words).toEqual(
    Object.fromEntries(Object.entries(WORDS).map(([name, list]) => [name, [...list].sort()])),
  )
})

describe('amounts of a payment', () => {
  const change = async (set: string) => {
    const { id } = await here.do(async (tx) => await addPayment(tx))
    await here.sql(`update gapura.gateway_payment set ${set} where id = $1`, [id])
  }
  const PAID = 'authorized_amount = 10000, captured_amount = 10000'

  test.each([
    [PAID],
    [`${PAID}, refunded_amount = 10000`],
    [`${PAID}, refund_reserved_amount = 4000, refunded_amount = 6000`],
    ['authorized_amount = 10000, captured_amount = 4000'],
  ])('allows %s', async (set) => {
    await expect(change(set)).resolves.toBeUndefined()
  })

  test.each([
    [
      `${PAID}, refund_reserved_amount = 4000, refunded_amount = 6000.01`,
      'refunds_within_captured',
    ],
    [`${PAID}, refund_reserved_amount = 10000.01`, 'refunds_within_captured'],
    ['refunded_amount = 0.01', 'refunds_within_captured'],
    ['captured_amount = 1', 'captured_within_authorized'],
    ['authorized_amount = 10000.01', 'authorized_within_gross'],
    [`${PAID}, refunded_amount = -1, refund_reserved_amount = 1`, 'amounts_not_negative'],
    ['gross_amount = 0', 'gross_positive'],
    ['gross_amount = 10000000000000', 'numeric field overflow'],
  ])('refuses %s', async (set, constraint) => {
    await expect(change(set)).rejects.toThrow(constraint)
  })
})

describe('every table', () => {
  /** What belongs to no owner: the service's own tables. */
  const OWNERLESS = [
    'audit_anchor',
    'audit_head',
    'bank_holiday',
    // Of staff, over every owner's payments.
    'export_schedule',
    'fee_rate',
    // Its owner is named by the payment.
    'gateway_payment_term',
    // Its owner is named by the payment.
    'ledger_closing',
    'ledger_posting',
    'ledger_total',
    'migration',
    // Its owner is named by the operation.
    'operation_reply',
    // What was compared is the merchant's; the owner is named by the payment.
    'reconciliation_action',
    'reconciliation_item',
    'reconciliation_progress',
    'reconciliation_proof',
    'search_progress',
    'setting',
    // Staff belong to the merchant, not to an owner.
    'staff_challenge',
    'staff_passkey',
    'staff_person',
    'staff_role',
    'staff_session',
    // What the gateway and the bank say is the merchant's, not an owner's.
    'statement_import',
    'statement_line',
    'statement_mapping',
    'statement_refusal',
    'statement_window',
    // Of the endpoint it names, for seconds.
    'webhook_resend',
    'worker',
  ]

  test('names the owner of its rows, except for the service’s own tables', async () => {
    const tables = await here.sql(
      `select relname::text as name
       from pg_class
       where relnamespace = $1::regnamespace
         and relkind in ('r', 'p')
         and not exists (
           select from pg_attribute where attrelid = pg_class.oid and attname = 'owner_id'
         )
       order by 1`,
      [here.db.schema],
    )
    expect(tables.map(({ name }) => name)).toEqual(OWNERLESS)
  })

  test('stores times to the millisecond, the precision of a Date', async () => {
    const times = await here.sql(
      `select table_name, column_name
       from information_schema.columns
       where table_schema = $1
         and data_type = 'timestamp with time zone'
         and datetime_precision <> 3
         and table_name <> 'migration'`,
      [here.db.schema],
    )
    expect(times).toEqual([])
  })

  test('that is partitioned is referenced by no foreign key', async () => {
    const references = await here.sql(
      `select conname
       from pg_constraint
       join pg_class on pg_class.oid = confrelid
       where connamespace = $1::regnamespace
         and relkind = 'p'`,
      [here.db.schema],
    )
    expect(references).toEqual([])
  })

  test('stores amounts in numeric(15,2)', async () => {
    const amounts = await here.sql(
      `select distinct numeric_precision as precision, numeric_scale as scale
       from information_schema.columns
       where table_schema = $1
         and data_type = 'numeric'
         -- Sums of a day.
         and table_name not in ('ledger_total', 'reconciliation_proof')`,
      [here.db.schema],
    )
    expect(amounts).toEqual([{ precision: 15, scale: 2 }])
  })
})
