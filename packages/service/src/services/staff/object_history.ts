import type { Caller } from '../../domain/caller.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayTransition } from '../../domain/transition.ts'
import { listObjectEvents, listTransitions, type ObjectEvent } from '../../store/events/history.ts'
import { findInvoice } from '../../store/invoices/rows.ts'
import { PAGE_SIZE_MAX } from '../../store/sql/lists.ts'
import { listOperations } from '../../store/operations/rows.ts'
import { findSubscription } from '../../store/subscriptions/rows.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { requireStaff } from '../access/staff_caller.ts'

/** Why an object is in its state: every transition, and its latest operations and events. */
export interface ObjectHistory {
  transitions: GatewayTransition[]
  operations: GatewayOperation[]
  events: ObjectEvent[]
}

/** The history of any object, oldest first. */
export async function historyWithin(tx: Tx, id: string): Promise<ObjectHistory> {
  const latest = { cursor: null, page_size: PAGE_SIZE_MAX }
  const operations = await listOperations(tx, { subject_id: id }, latest)
  return {
    transitions: await listTransitions(tx, id),
    operations: operations.results.reverse(),
    events: await listObjectEvents(tx, id),
  }
}

const FINDERS = { invoice: findInvoice, subscription: findSubscription }

/**
 * The history of an invoice or a subscription, for staff. Undefined if there is none of that id.
 */
export async function readObjectHistory(
  ctx: Context,
  caller: Caller,
  { kind, id }: { kind: keyof typeof FINDERS; id: string },
): Promise<ObjectHistory | undefined> {
  requireStaff(caller, 'staff:read')
  const read = await withReadTransaction(ctx.db, async (tx) => {
    const found = await FINDERS[kind](tx, caller, id)
    return found && { found, history: await historyWithin(tx, id) }
  })
  if (read !== undefined) await recordRead(ctx, caller, `${kind}.history`, read.found)
  return read?.history
}
