// Exceptions as staff see them, the actions about them, and payouts with what is inside.
import type { Money } from '../../domain/money.ts'
import type { Cause, ITEM_KINDS, ItemState, MATCH_KEYS } from '../../domain/reconciliation.ts'
import type { Tx } from '../connection/transaction.ts'
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
