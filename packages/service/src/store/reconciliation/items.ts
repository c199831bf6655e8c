// Exceptions as staff see them, the actions about them, and payouts with what is inside.
import type { Money } from '../../domain/money.ts'
import type {
  ACTION_STATES,
  Cause,
  HOLIDAY_CERTAINTIES,
  ITEM_KINDS,
  ItemState,
  MATCH_KEYS,
  ReconciliationAction,
} from '../../domain/reconciliation.ts'
import type { Tx } from '../connection/transaction.ts'
import { postedOn } from '../ledger/postings.ts'
import { conditionsOf, pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'
import { IS_OPEN } from './compared.ts'

export interface ReconciliationItem {
  id: string
  created_at: Date
  updated_at: Date
  payment_id: string | null
  gateway_line_id: string | null
  bank_line_id: string | null
  payout_id: string | null
  action_id: string | null
  day: string
  due_on: string | null
  kind: (typeof ITEM_KINDS)[number]
  state: ItemState
  cause: Cause | ''
  matched_by: (typeof MATCH_KEYS)[number]
  source: string
  reference: string | null
  order_id: string | null
  ours: Money | null
  theirs: Money | null
  received: Money | null
  fee: Money | null
  expected_fee: Money | null
  effect: Money
  booked_fee: Money
  booked_vat: Money
  booked_adjustment: Money
  booked_sent: Money
  booked_arrived: Money
  /** Of the payment it is about. */
  owner_id: string | null
}

const ITEM_COLUMNS = `
  id, created_at, updated_at, payment_id, gateway_line_id, bank_line_id, payout_id, action_id, day,
  due_on, kind, state, cause, matched_by, source, reference, order_id, ours, theirs, received, fee,
  expected_fee, effect, booked_fee, booked_vat, booked_adjustment, booked_sent, booked_arrived,
  (select owner_id from gapura.gateway_payment where gateway_payment.id = payment_id) as owner_id`

export interface ExceptionFilters {
  /** Open ones, or also those that were decided. */
  open: boolean
  cause?: string
  kind?: string
  day?: string
  payment_id?: string
  overdue_on?: string
}

const FILTERS = [
  ['cause', 'cause = ?'],
  ['kind', 'kind = ?'],
  ['day', 'day = ?::date'],
  ['payment_id', 'payment_id = ?::uuid'],
  ['overdue_on', 'due_on < ?::date'],
] as const

/** A page of exceptions, newest first. */
export async function listExceptions(
  tx: Tx,
  { open, ...filters }: ExceptionFilters,
  request: PageRequest,
): Promise<Page<ReconciliationItem>> {
  const table = open
    ? `(select * from gapura.reconciliation_item where state in ${IS_OPEN}) as item`
    : `(select * from gapura.reconciliation_item where cause <> '') as item`
  const source = { table, columns: ITEM_COLUMNS, conditions: conditionsOf(FILTERS, filters) }
  const { text, values } = pageStatement(source, request)
  return pageOf(
    await tx.query<ReconciliationItem & Record<string, unknown>>(text, values, { prepare: false }),
    request,
  )
}

export async function findItem(tx: Tx, id: string): Promise<ReconciliationItem | undefined> {
  const [item] = await tx.query<ReconciliationItem & Record<string, unknown>>(
    `select ${ITEM_COLUMNS} from gapura.reconciliation_item where id = $1`,
    [id],
  )
  return item
}

/** Locks an item until the end of the transaction. */
export async function lockItem(tx: Tx, id: string): Promise<ReconciliationItem | undefined> {
  const [item] = await tx.query<ReconciliationItem & Record<string, unknown>>(
    `select ${ITEM_COLUMNS} from gapura.reconciliation_item where id = $1 for no key update`,
    [id],
  )
  return item
}

/** A page of payouts, newest first. */
export async function listPayouts(tx: Tx, request: PageRequest): Promise<Page<ReconciliationItem>> {
  const table = `(select * from gapura.reconciliation_item where kind = 'payout') as item`
  const { text, values } = pageStatement({ table, columns: ITEM_COLUMNS, conditions: [] }, request)
  return pageOf(
    await tx.query<ReconciliationItem & Record<string, unknown>>(text, values, { prepare: false }),
    request,
  )
}

export interface StoredAction {
  id: string
  item_id: string
  created_at: Date
  decided_at: Date | null
  undone_at: Date | null
  action: ReconciliationAction
  state: (typeof ACTION_STATES)[number]
  amount: Money
  source: string | null
  destination: string | null
  reason: string
  requested_by: string
  decided_by: string | null
  undone_by: string | null
  undo_reason: string | null
  former_state: ItemState
  former_cause: Cause
  former_effect: Money
}

const ACTION_COLUMNS = `
  id, item_id, created_at, decided_at, undone_at, action, state, amount, source, destination, reason,
  requested_by, decided_by, undone_by, undo_reason, former_state, former_cause, former_effect`

/** What was done about an item, oldest first. */
export const listActions = async (tx: Tx, item_id: string): Promise<StoredAction[]> =>
  await tx.query<StoredAction & Record<string, unknown>>(
    `select ${ACTION_COLUMNS}
     from gapura.reconciliation_action
     where item_id = $1
     order by created_at, id
     limit 100`,
    [item_id],
  )

export async function lockAction(tx: Tx, id: string): Promise<StoredAction | undefined> {
  const [action] = await tx.query<StoredAction & Record<string, unknown>>(
    `select ${ACTION_COLUMNS} from gapura.reconciliation_action where id = $1 for no key update`,
    [id],
  )
  return action
}

export type NewAction = Pick<
  StoredAction,
  | 'id'
  | 'item_id'
  | 'action'
  | 'state'
  | 'amount'
  | 'source'
  | 'destination'
  | 'reason'
  | 'requested_by'
  | 'former_state'
  | 'former_cause'
  | 'former_effect'
>

/** Stores an action, and on the locked item that it has one. */
export async function insertAction(tx: Tx, action: NewAction): Promise<StoredAction> {
  const [made] = await tx.query<StoredAction & Record<string, unknown>>(
    `with marked as (
       update gapura.reconciliation_item
       set action_id = $1, updated_at = gapura.now()
       where id = $2
     )
     insert into gapura.reconciliation_action
       (id, item_id, action, state, amount, source, destination, reason, requested_by,
        former_state, former_cause, former_effect)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     returning ${ACTION_COLUMNS}`,
    [
      action.id,
      action.item_id,
      action.action,
      action.state,
      action.amount,
      action.source,
      action.destination,
      action.reason,
      action.requested_by,
      action.former_state,
      action.former_cause,
      action.former_effect,
    ],
  )
  if (made === undefined) throw new Error('the action was not written')
  return made
}

/** Marks a held action as done by a second person. */
export async function approveAction(
  tx: Tx,
  id: string,
  decided_by: string,
): Promise<StoredAction | undefined> {
  const [done] = await tx.query<StoredAction & Record<string, unknown>>(
    `update gapura.reconciliation_action
     set state = 'done', decided_by = $2, decided_at = gapura.now()
     where id = $1
     returning ${ACTION_COLUMNS}`,
    [id, decided_by],
  )
  return done
}

/** Resolves the item of an action that is done. What is booked explains the day by itself. */
export async function resolveItem(tx: Tx, { item_id, source }: StoredAction): Promise<void> {
  await tx.query(
    `update gapura.reconciliation_item
     set state = 'resolved', due_on = null, updated_at = gapura.now(),
         effect = case when $2 then 0 else effect end
     where id = $1`,
    [item_id, source !== null],
  )
}

/** Undoes an action: the item is open again, and is compared again. */
export async function undoAction(
  tx: Tx,
  id: string,
  { undone_by, reason, due_on }: { undone_by: string; reason: string; due_on: string },
): Promise<StoredAction | undefined> {
  const [undone] = await tx.query<StoredAction & Record<string, unknown>>(
    `with undone as (
       update gapura.reconciliation_action
       set state = 'undone', undone_by = $2, undo_reason = $3, undone_at = gapura.now()
       where id = $1
       returning ${ACTION_COLUMNS}
     ), reopened as (
       update gapura.reconciliation_item as item
       set state = undone.former_state, cause = undone.former_cause, effect = undone.former_effect,
           action_id = null, payment_version = null, due_on = $4::date, updated_at = gapura.now()
       from undone
       where item.id = undone.item_id
     )
     select ${ACTION_COLUMNS} from undone`,
    [id, undone_by, reason, due_on],
  )
  return undone
}

/** Posts an action, or its undoing the other way round, on the day of its item. */
export async function postAction(
  tx: Tx,
  { id, item_id, source, destination, amount }: StoredAction,
  undo: boolean,
): Promise<void> {
  if (source === null || destination === null || amount === 0n) return
  await tx.query(
    `insert into gapura.ledger_posting
       (object_kind, object_id, payment_id, version, kind, source, destination, amount,
        occurred_at, booked_at, booked_on)
     select 'matching', $1, null, case when $6 then 2 else 1 end,
       case when $6 then 'decision_undone' else 'decided' end, $3, $4, $5,
       moment.at, gapura.now(), ${postedOn('moment.at')}
     from gapura.reconciliation_item as item
     cross join lateral (
       select least(item.day::timestamp at time zone 'Asia/Jakarta', gapura.now()) as at
     ) as moment
     where item.id = $2
     on conflict do nothing`,
    undo
      ? [id, item_id, destination, source, amount, true]
      : [id, item_id, source, destination, amount, false],
  )
}

/** A payment, refund or chargeback that the gateway's report has inside a payout. */
export interface InsidePayout {
  line_id: string
  kind: 'payment' | 'refund' | 'chargeback'
  order_id: string | null
  amount: Money
  fee: Money | null
  payment_id: string | null
  state: ItemState | null
  cause: Cause | '' | null
}

const REPORT = `
  from gapura.statement_line as line
  where line.side = 'gateway'
    and line.kind in ('payment', 'refund', 'chargeback')
    and line.reference = any($1)`

/** The lines of the gateway's reports that name a payout by one of these references. */
export const listInside = async (
  tx: Tx,
  references: readonly string[],
  limit: number,
): Promise<InsidePayout[]> =>
  await tx.query<InsidePayout & Record<string, unknown>>(
    `select line.id as line_id, line.kind, line.order_id, line.amount, line.fee,
       payment.id as payment_id, item.state, item.cause
     from (select line.id, line.kind, line.order_id, line.amount, line.fee, line.created_at ${REPORT}
       order by line.created_at, line.id limit $2) as line
     left join gapura.gateway_payment as payment
       on payment.order_id = line.order_id and not payment.refused
     left join gapura.reconciliation_item as item on item.id = payment.id
     order by line.created_at, line.id`,
    [references, limit],
  )

/** How many lines name a payout, and what they add up to after fees. */
export async function sumInside(
  tx: Tx,
  references: readonly string[],
): Promise<{ lines: number; expected: string | null }> {
  const [row] = await tx.query<{ lines: number; expected: string | null }>(
    `select count(*)::integer as lines,
       sum(case when line.kind = 'payment' then line.amount - coalesce(line.fee, 0)
         else -abs(line.amount) end)::numeric(20, 2)::text as expected
     ${REPORT}`,
    [references],
  )
  return row ?? { lines: 0, expected: null }
}

/** The references that name a payout: that of its line, and the gateway's own id. */
export async function referencesOf(tx: Tx, line_id: string): Promise<string[]> {
  const [row] = await tx.query<{ reference: string | null; own: string }>(
    `select reference, split_part(line_key, ':', 2) as own
     from gapura.statement_line
     where id = $1`,
    [line_id],
  )
  return [row?.reference, row?.own].filter((text): text is string => (text ?? '') !== '')
}

/** Open exceptions by cause, and how many of them are overdue. */
export const countExceptions = async (
  tx: Tx,
  today: string,
): Promise<{ cause: Cause; count: number; overdue: number; amount: string }[]> =>
  await tx.query<{ cause: Cause; count: number; overdue: number; amount: string }>(
    `select cause, count(*)::integer as count,
       count(*) filter (where due_on < $1::date)::integer as overdue,
       sum(abs(effect))::numeric(20, 2)::text as amount
     from gapura.reconciliation_item
     where state in ${IS_OPEN}
     group by cause
     order by cause`,
    [today],
  )

export interface BankHoliday {
  day: string
  updated_at: Date
  closed: boolean
  name: string
  certainty: (typeof HOLIDAY_CERTAINTIES)[number]
  updated_by: string
}

const HOLIDAY_COLUMNS = 'day, updated_at, closed, name, certainty, updated_by'

/** The whole calendar: some forty rows a year. */
export const listHolidays = async (tx: Tx): Promise<BankHoliday[]> =>
  await tx.query<BankHoliday & Record<string, unknown>>(
    `select ${HOLIDAY_COLUMNS} from gapura.bank_holiday order by day`,
  )

/** Says whether banks are closed on a day. */
export async function setHoliday(
  tx: Tx,
  { day, closed, name, updated_by }: Pick<BankHoliday, 'day' | 'closed' | 'name' | 'updated_by'>,
): Promise<BankHoliday> {
  const [set] = await tx.query<BankHoliday & Record<string, unknown>>(
    `insert into gapura.bank_holiday (day, closed, name, certainty, updated_by)
     values ($1, $2, $3, 'merchant', $4)
     on conflict (day) do update
     set closed = excluded.closed,
         name = excluded.name,
         certainty = excluded.certainty,
         updated_by = excluded.updated_by,
         updated_at = gapura.now()
     returning ${HOLIDAY_COLUMNS}`,
    [day, closed, name, updated_by],
  )
  if (set === undefined) throw new Error('the day was not written')
  return set
}
