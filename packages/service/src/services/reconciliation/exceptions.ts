// The work queue of finance: exceptions, what staff do about them, and how it is undone.
import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import { GATEWAY_PENDING } from '../../domain/ledger.ts'
import { formatMoney, type Money } from '../../domain/money.ts'
import {
  actionsFor,
  ADJUSTMENT_ACCOUNT,
  EXCEPTION_DAYS,
  FEE_ACCOUNT,
  OPEN_STATES,
  RECONCILIATION_ACTIONS,
  TRANSIT_ACCOUNT,
  type Cause,
  type ReconciliationAction,
} from '../../domain/reconciliation.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import { findPaymentById } from '../../store/payments/rows.ts'
import {
  approveAction,
  insertAction,
  lockAction,
  postAction,
  resolveItem,
  undoAction,
  type StoredAction,
} from '../../store/reconciliation/actions.ts'
import { findItem, lockItem, type ReconciliationItem } from '../../store/reconciliation/items.ts'
import { readCalendar } from '../../store/reconciliation/progress.ts'
import { newId } from '../../store/sql/values.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { refreshPayment } from '../payments/check_status.ts'
import { adoptOrder } from '../staff/adopt_order.ts'
import { parseReason } from '../staff/staff_query.ts'
import { keptTextParser, refuseFaults } from '../validation.ts'
import { represent, representAction } from './represent.ts'
import { reconcile } from './run.ts'

export const ACTION_INPUT = Type.Object(
  {
    action: Type.Enum([...RECONCILIATION_ACTIONS], {
      description:
        '`refresh`: query the gateway; `adopt`: import the order; `post_fee`, `write_off`: post the difference; `accept`: post nothing.',
    }),
    reason: Type.String({
      minLength: 3,
      maxLength: 255,
      pattern: '\\S',
      examples: ['the contract of March has this fee'],
      description: 'Why it is done; it is stored permanently.',
    }),
    owner_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'For `adopt`: the owner that the payment is to belong to.',
      }),
    ),
  },
  { additionalProperties: false },
)

const parseAction = keptTextParser(ACTION_INPUT)

/**
 * Acts on an open exception. Above the limit it waits for a second person. Undefined if there is no such
 * exception.
 */
export async function actOnException(ctx: Context, caller: Caller, id: string, input: unknown) {
  requireStaff(caller, 'staff:act')
  const given = parseAction(input)
  const found = await withReadTransaction(ctx.db, async (tx) => await findItem(tx, id))
  if (found === undefined) return undefined
  checkAction(found, given.action)
  if (given.action === 'refresh' || given.action === 'adopt') {
    await askGateway(ctx, caller, found, given)
  } else {
    await withTransaction(ctx.db, async (tx) => await decide(tx, ctx, caller, { id, ...given }))
  }
  return await withReadTransaction(ctx.db, async (tx) => {
    const item = await findItem(tx, id)
    return item && (await represent(tx, item))
  })
}

type Given = ReturnType<typeof parseAction>

const refuse = (field: string, message: string): void => refuseFaults([{ field, message }])

function checkAction(item: ReconciliationItem, action: ReconciliationAction): Cause {
  const { cause, state, action_id } = item
  if (cause === '' || !OPEN_STATES.some((one) => one === state)) {
    throw gatewayError('invalid_request', {
      errors: [{ field: 'action', message: 'the exception is not open any more' }],
    })
  }
  if (action_id !== null) refuse('action', 'an action about it waits for a second person')
  const possible = actionsFor(cause)
  if (!possible.includes(action)) refuse('action', `must be one of ${possible.join(', ')}`)
  return cause
}

/** What the gateway answers is applied as any report; the comparison is made again afterwards. */
async function askGateway(
  ctx: Context,
  caller: Caller,
  item: ReconciliationItem,
  { action, reason, owner_id }: Given,
): Promise<void> {
  if (action === 'adopt') {
    if (owner_id === undefined) refuse('owner_id', 'is required to import an order')
    await adoptOrder(ctx, caller, { order_id: item.order_id ?? '', owner_id, reason })
  } else {
    const { payment_id } = item
    const payment =
      payment_id === null
        ? undefined
        : await withReadTransaction(ctx.db, async (tx) => await findPaymentById(tx, payment_id))
    if (payment === undefined) refuse('action', 'there is no payment to refresh')
    else await refreshPayment(ctx, payment, 'staff')
  }
  await withTransaction(ctx.db, async (tx) => {
    await recordAudit(tx, ctx, caller, {
      action: action === 'adopt' ? 'reconciliation.adopt' : 'reconciliation.refresh',
      subject_kind: 'reconciliation',
      subject_id: item.id,
      owner_id: item.owner_id,
      reason,
      detail: { cause: item.cause, order_id: item.order_id },
    })
  })
  await reconcile(ctx)
}

/** From which account to which, so that the ledger says what the gateway's balance does. */
function postingOf(item: ReconciliationItem, action: ReconciliationAction) {
  const between = (account: string, gains: string, amount: Money) => {
    const size = amount < 0n ? -amount : amount
    return amount < 0n
      ? { source: account, destination: gains, amount: size }
      : { source: gains, destination: account, amount: size }
  }
  const none = { source: null, destination: null, amount: sizeOf(item) }
  if (action === 'post_fee') return between(GATEWAY_PENDING, FEE_ACCOUNT, -(item.fee ?? 0n))
  if (action !== 'write_off') return none
  if (item.kind === 'payout') {
    const rest = (item.theirs ?? 0n) - (item.received ?? 0n)
    return rest === 0n ? none : between(TRANSIT_ACCOUNT, ADJUSTMENT_ACCOUNT, -rest)
  }
  if (item.kind === 'bank') {
    return between('bank:merchant', ADJUSTMENT_ACCOUNT, item.received ?? 0n)
  }
  return item.effect === 0n ? none : between(GATEWAY_PENDING, ADJUSTMENT_ACCOUNT, item.effect)
}

/** What is at stake: the limit of one person counts by it. */
function sizeOf({ effect, theirs, ours, received }: ReconciliationItem): Money {
  const sizes = [
    effect,
    (theirs ?? 0n) - (ours ?? 0n),
    received === null ? 0n : (theirs ?? received) - received,
  ]
  return sizes.map((size) => (size < 0n ? -size : size)).reduce((a, b) => (a > b ? a : b), 0n)
}

async function decide(
  tx: Tx,
  ctx: Context,
  caller: Caller,
  { id, action, reason }: Given & { id: string },
): Promise<void> {
  const item = await lockItem(tx, id)
  if (item === undefined) return
  const cause = checkAction(item, action)
  const posting = postingOf(item, action)
  const limit = ctx.reconciliation?.second_person_above
  const held = limit !== undefined && posting.amount > limit
  const made = await insertAction(tx, {
    id: newId(),
    item_id: id,
    action,
    state: held ? 'held' : 'done',
    ...posting,
    reason,
    requested_by: caller.owner_id,
    former_state: item.state,
    former_cause: cause,
    former_effect: item.effect,
  })
  if (!held) await carryOut(tx, made)
  await audit(tx, ctx, caller, { ...made, what: held ? 'request' : 'act' })
}

async function carryOut(tx: Tx, action: StoredAction): Promise<void> {
  await postAction(tx, action, false)
  await resolveItem(tx, action)
}

type Audited = StoredAction & { what: 'act' | 'request' | 'approve' | 'undo' }

async function audit(
  tx: Tx,
  ctx: Context,
  caller: Caller,
  { id, item_id, action, amount, former_cause, reason, what }: Audited,
): Promise<void> {
  await recordAudit(tx, ctx, caller, {
    action: `reconciliation.${what}`,
    subject_kind: 'reconciliation',
    subject_id: item_id,
    reason,
    detail: { action_id: id, action, amount: formatMoney(amount), cause: former_cause },
  })
}

/** Approves an action that waits for a second person, who must not be the first. May be repeated. */
export async function approveReconciliation(
  ctx: Context,
  caller: Caller,
  id: string,
  input: unknown,
) {
  requireStaff(caller, 'staff:act')
  const { reason } = parseReason(input)
  return await withTransaction(ctx.db, async (tx) => {
    const held = await lockAction(tx, id)
    if (held === undefined || held.state === 'done') return held && representAction(held)
    if (held.state === 'undone') refuse('action', 'it was withdrawn')
    if (held.requested_by === caller.owner_id) throw gatewayError('second_person_needed')
    const done = (await approveAction(tx, id, caller.owner_id)) ?? held
    await carryOut(tx, done)
    await audit(tx, ctx, caller, { ...done, reason, what: 'approve' })
    return representAction(done)
  })
}

/** Undoes an action, or withdraws one that waits: the exception is open again. May be repeated. */
export async function undoReconciliation(ctx: Context, caller: Caller, id: string, input: unknown) {
  requireStaff(caller, 'staff:act')
  const { reason } = parseReason(input)
  return await withTransaction(ctx.db, async (tx) => {
    const action = await lockAction(tx, id)
    if (action === undefined || action.state === 'undone') {
      return action && representAction(action)
    }
    await lockItem(tx, action.item_id)
    if (action.state === 'done') await postAction(tx, action, true)
    const { due_on } = await readCalendar(tx, EXCEPTION_DAYS)
    const undone = await undoAction(tx, id, { undone_by: caller.owner_id, reason, due_on })
    await audit(tx, ctx, caller, { ...action, reason, what: 'undo' })
    return representAction(undone ?? action)
  })
}
