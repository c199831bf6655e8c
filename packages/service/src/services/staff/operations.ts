// Staff list operations, have an open one queried now, or end it.
import type { Caller } from '../../domain/caller.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import { isUnavailable } from '../../store/connection/errors.ts'
import { readClock } from '../../store/connection/settings.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import { claimOperation, type Claim } from '../../store/operations/claims.ts'
import { listOperations as listStored, findOperation } from '../../store/operations/rows.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import type { CheckoutRepresentation } from '../../domain/checkout_representation.ts'
import type { InvoiceRepresentation } from '../../domain/invoice_representation.ts'
import { heldOf, isLeased, releaseClaim, releaseLease } from '../operations/lease.ts'
import { endByStaff, orderFault } from '../operations/manual.ts'
import type { Held } from '../operations/operation_type.ts'
import { subjectOf } from '../operations/resolver.ts'
import type { PaymentRepresentation } from '../../domain/payment_representation.ts'
import { RequestProblem } from '../problem.ts'
import type { SubscriptionRepresentation } from '../../domain/subscription_representation.ts'
import { OPERATION_TYPES, resolveOne } from '../sweeps/resolve_operations.ts'
import { staffList } from './staff_list.ts'
import { parseHandOrder } from './staff_query.ts'

/** A page of operations: those still open, or all about one object. For staff. */
export const listOperations = staffList('operation.list', listStored)

/** As long as the resolver's: no other process takes it while the gateway is queried. */
const STAFF_LEASE_MS = 90_000

/** The operation after it, and the object it is about. */
export interface Resolved {
  operation: GatewayOperation
  payment?: PaymentRepresentation
  invoice?: InvoiceRepresentation
  subscription?: SubscriptionRepresentation
  checkout?: CheckoutRepresentation
}

/**
 * `look` has the resolver query the gateway now. `done` and `refused` end the operation: with what
 * the gateway shows or, if it shows nothing, by the staff member's decision, whose id and reason
 * are stored. Undefined if there is no such operation; an operation that has ended is refused.
 */
export async function resolveOperation(
  ctx: Context,
  caller: Caller,
  id: string,
  input: unknown,
): Promise<Resolved | undefined> {
  requireStaff(caller, 'staff:act')
  const order = parseHandOrder(input)
  const held = await take(ctx, caller, id, order)
  if (held === undefined) return undefined
  const by = { resolved_by: caller.owner_id, reason: order.reason }
  const { operation } = held
  const type = OPERATION_TYPES[operation.kind]
  try {
    if (order.outcome === 'look') await resolveOne(ctx, operation)
    else {
      const subject = await subjectOf(ctx, type, operation)
      await endByStaff(ctx, type, { held, subject }, { ...order, outcome: order.outcome, by })
    }
  } catch (error) {
    // The resolver, or a second try, need not wait for the lease to expire.
    await releaseLease(ctx, operation)
    throw error
  }
  return await withReadTransaction(ctx.db, async (tx) => await outcomeOf(tx, operation))
}

/** Begins a new attempt, which fences off the one before; never while that one is under way. */
async function take(
  ctx: Context,
  caller: Caller,
  id: string,
  { outcome, reason }: { outcome: string; reason: string },
): Promise<Held | undefined> {
  const { found, now } = await withReadTransaction(ctx.db, async (tx) => ({
    found: await findOperation(tx, id),
    now: await readClock(tx),
  }))
  if (found === undefined) return undefined
  if (found.due_at === null) throw orderFault('id', `it has ended: ${found.state}`)
  if (isLeased(found, now)) throw new RequestProblem('operation_in_progress')
  let taken: Claim | undefined
  const claimed = await withTransaction(ctx.db, async (tx) => {
    taken = await claimOperation(tx, found, STAFF_LEASE_MS)
    if (taken === undefined) return undefined
    // Written with the claim, before anything is done; the result is stored on the operation.
    await recordAudit(tx, ctx, caller, {
      action: 'operation.resolve',
      subject_kind: 'operation',
      subject_id: id,
      owner_id: found.owner_id,
      reason,
      detail: { outcome, kind: found.kind, about: `${found.subject_kind} ${found.subject_id}` },
    })
    return taken
  }).catch(async (error: unknown) => {
    // The claim may be stored all the same; without the staff member on record nothing is done.
    if (taken !== undefined && isUnavailable(error)) await releaseClaim(ctx, taken)
    throw error
  })
  if (claimed === undefined) throw new RequestProblem('operation_in_progress')
  return heldOf(claimed)
}

/** The operation and its object as they are now. */
async function outcomeOf(tx: Tx, { id, kind, subject_id }: GatewayOperation): Promise<Resolved> {
  const operation = await findOperation(tx, id)
  if (operation === undefined) throw new Error(`operation ${id} does not exist`)
  const { access } = OPERATION_TYPES[kind]
  const subject = await access.findById(tx, subject_id)
  if (subject === undefined) return { operation }
  return { operation, [access.subject_kind]: await access.represent(tx, subject) }
}
