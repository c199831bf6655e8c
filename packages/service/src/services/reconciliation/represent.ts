// Exceptions and actions as staff see them.
import type { Caller } from '../../domain/caller.ts'
import { formatMoney, type Money } from '../../domain/money.ts'
import { actionsFor, CAUSES, OPEN_STATES } from '../../domain/reconciliation.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import { listActions, type StoredAction } from '../../store/reconciliation/actions.ts'
import { findItem, type ReconciliationItem } from '../../store/reconciliation/items.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'

const moneyOf = (amount: Money | null): string | null =>
  amount === null ? null : formatMoney(amount)

/** An exception as staff see it. */
export function representItem({
  action_id,
  booked_fee,
  booked_vat,
  booked_adjustment,
  booked_sent: _sent,
  booked_arrived: _arrived,
  ...item
}: ReconciliationItem) {
  const { cause, state } = item
  const open = OPEN_STATES.some((one) => one === state)
  const actions = cause === '' || !open || action_id !== null ? [] : [...actionsFor(cause)]
  return {
    ...item,
    cause: cause === '' ? null : cause,
    ours: moneyOf(item.ours),
    theirs: moneyOf(item.theirs),
    received: moneyOf(item.received),
    fee: moneyOf(item.fee),
    expected_fee: moneyOf(item.expected_fee),
    effect: formatMoney(item.effect),
    booked_fee: formatMoney(booked_fee),
    booked_vat: formatMoney(booked_vat),
    booked_adjustment: formatMoney(booked_adjustment),
    waits_for_second_person: open && action_id !== null,
    proposed_action: cause === '' || actions.length === 0 ? null : CAUSES[cause].proposed,
    actions,
  }
}

export const representAction = ({
  former_state: _state,
  former_cause: _cause,
  former_effect: _effect,
  amount,
  ...action
}: StoredAction) => ({ ...action, amount: formatMoney(amount) })

export async function represent(tx: Tx, item: ReconciliationItem) {
  const actions = await listActions(tx, item.id)
  return { ...representItem(item), history: actions.map(representAction) }
}

/** An exception with everything that was done about it. For staff. */
export async function readException(ctx: Context, caller: Caller, id: string) {
  requireStaff(caller, 'staff:read')
  return await withTransaction(ctx.db, async (tx) => {
    const item = await findItem(tx, id)
    if (item === undefined) return undefined
    const about = { subject_kind: 'reconciliation', subject_id: id, owner_id: item.owner_id }
    await recordAudit(tx, ctx, caller, { action: 'reconciliation.read', ...about })
    return await represent(tx, item)
  })
}
