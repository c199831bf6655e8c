// What a move to another cell does with each table (ADR 0040). A test fails for a table that is missing
// here, and for one with rows of owners that is not moved.

/** A table whose rows go with their owner. */
export interface MovedTable {
  name: string
  key: readonly string[]
  /** For tables without an owner: the table that has it, and the column that leads to its id. */
  through?: readonly [table: string, column: string]
  /**
   * Columns that make work due, and their values in the new cell until the switch: no worker there
   * may act on a copy.
   */
  held?: Readonly<Record<string, string>>
  /** The condition on rows with such columns; by default that one of them differs. */
  live?: string
  /** Columns that belong to the cell and not to the row, and their values in the new cell. */
  arrives?: Readonly<Record<string, string>>
  /** Rows are added and never changed. */
  appended?: boolean
  /** Few rows that would act by themselves: copied while the owner is frozen, and not before. */
  late?: boolean
  /** Its rows stay in the old cell, too. */
  stays?: boolean
}

const OBJECT = { key: ['id'], arrives: { event_xid: 'null' } } as const

/** In an order in which every row follows those that it refers to. */
export const MOVED: readonly MovedTable[] = [
  { ...OBJECT, name: 'gateway_subscription', held: { next_check_at: 'null' } },
  {
    ...OBJECT,
    name: 'gateway_invoice',
    held: {
      next_check_at: 'null',
      due_date: `case when status = 'pending' then 'infinity' else due_date end`,
    },
  },
  { name: 'gateway_invoice_item', key: ['id'] },
  { ...OBJECT, name: 'gateway_checkout', held: { next_check_at: 'null' } },
  {
    ...OBJECT,
    name: 'gateway_payment',
    held: {
      next_check_at: 'null',
      expiry_time: `case when transaction_status = 'pending' then null else expiry_time end`,
    },
  },
  { name: 'gateway_payment_item', key: ['payment_id', 'position'] },
  { name: 'gateway_refund', key: ['id'] },
  { name: 'refund_request', key: ['id'] },
  { name: 'refund_request_repeat', key: ['requested_by', 'key'] },
  {
    name: 'gateway_operation',
    key: ['id'],
    held: {
      due_at: `case when state in ('started', 'unknown') then 'infinity' else due_at end`,
    },
    // Found by the index of open operations: there is none by owner.
    live: `state in ('started', 'unknown')`,
  },
  {
    name: 'operation_reply',
    key: ['operation_id'],
    through: ['gateway_operation', 'operation_id'],
  },
  { name: 'gateway_transition', key: ['object_id', 'version'], appended: true },
  {
    name: 'gateway_event',
    key: ['object_id', 'sequence', 'occurred_at'],
    // Before every event of the new cell: they were delivered where they happened.
    arrives: { xid: `'1'::xid8` },
  },
  { name: 'gateway_notification', key: ['id', 'received_at'] },
  { name: 'gateway_alarm', key: ['id'] },
  { name: 'staff_note', key: ['id'] },
  { name: 'webhook_delivery', key: ['id', 'created_at'] },
  // Stays, so that the old cell knows whose a key is and answers 421.
  { name: 'api_key', key: ['id'], late: true, stays: true },
  {
    name: 'webhook_endpoint',
    key: ['id'],
    late: true,
    held: { state: `case when state = 'enabled' then 'paused' else state end` },
  },
  {
    name: 'event_subscriber',
    key: ['name'],
    late: true,
    arrives: {
      cursor_xid: 'pg_snapshot_xmin(pg_current_snapshot())',
      cursor_object_id: `'00000000-0000-0000-0000-000000000000'`,
      cursor_sequence: '0',
      // A relay of the old cell may take its lease until the end.
      lease_token: '0',
      lease_holder: 'null',
      lease_until: 'null',
    },
  },
  { name: 'webhook_resend', key: ['id'], through: ['webhook_endpoint', 'endpoint_id'], late: true },
  { name: 'dead_event', key: ['subscriber', 'object_id'], late: true },
]

/** What is not copied row by row, and why. */
export const NOT_MOVED: Readonly<Record<string, readonly string[]>> = {
  'triggers and gapura.fill_search make it from the moved rows': [
    'gateway_payment_state',
    'gateway_payment_term',
    'search_entry',
  ],
  'copied after the switch, and kept in the old cell': [
    'audit_sealed',
    'audit_unsealed',
    'ledger_posting',
  ],
  'written only by processes of an earlier release, and purged after a day': ['idempotency_key'],
  'of the merchant; an owner with such rows is not moved': [
    'reconciliation_action',
    'reconciliation_item',
  ],
  'of the cell': [
    'audit_anchor',
    'audit_head',
    'bank_holiday',
    'export_schedule',
    'fee_rate',
    'ledger_closing',
    'ledger_total',
    'migration',
    'owner_move',
    'owner_move_change',
    'reconciliation_progress',
    'reconciliation_proof',
    'search_progress',
    'setting',
    'staff_challenge',
    'staff_passkey',
    'staff_person',
    'staff_role',
    'staff_session',
    'statement_import',
    'statement_line',
    'statement_mapping',
    'statement_refusal',
    'statement_window',
    'worker',
  ],
}

/** The condition on the rows of the owner $1. */
export const ofOwner = ({ name, through }: MovedTable): string => {
  if (through === undefined) return `${name}.owner_id = $1`
  const [table, column] = through
  return `exists (
    select from gapura.${table} as parent
    where parent.id = ${name}.${column}
      and parent.owner_id = $1
  )`
}
