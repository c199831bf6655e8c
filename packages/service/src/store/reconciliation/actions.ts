// What staff did about exceptions: stored, posted, and undone by the opposite posting.
import type { Money } from '../../domain/money.ts'
import type {
  ACTION_STATES,
  Cause,
  ItemState,
  ReconciliationAction,
} from '../../domain/reconciliation.ts'
import type { Tx } from '../connection/transaction.ts'
import { postedOn } from '../ledger/postings.ts'

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
