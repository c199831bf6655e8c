import type { Caller } from '../../domain/caller.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { GatewayTransition } from '../../domain/transition.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { listObjectEvents, listTransitions, type ObjectEvent } from '../../store/events/history.ts'
import { findCheckout } from '../../store/checkouts/rows.ts'
import { findInvoice } from '../../store/invoices/rows.ts'
import { listNotifications, type NotificationSummary } from '../../store/notifications/lists.ts'
import { listOperations } from '../../store/operations/rows.ts'
import { findPayment } from '../../store/payments/rows.ts'
import { lastRequestAt } from '../../store/refunds/requests.ts'
import { PAGE_SIZE_MAX } from '../../store/sql/lists.ts'
import { findSubscription } from '../../store/subscriptions/rows.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'

/** Why an object is in its state: every transition, and its latest operations and events. */
export interface ObjectHistory {
  transitions: GatewayTransition[]
  operations: GatewayOperation[]
  events: ObjectEvent[]
}

/** The history of any object, oldest first. */
async function historyWithin(tx: Tx, id: string): Promise<ObjectHistory> {
  const latest = { cursor: null, page_size: PAGE_SIZE_MAX }
  const operations = await listOperations(tx, { subject_id: id }, latest)
  return {
    transitions: await listTransitions(tx, id),
    operations: operations.results.reverse(),
    events: await listObjectEvents(tx, id),
  }
}

const FINDERS = { invoice: findInvoice, subscription: findSubscription, checkout: findCheckout }

/**
 * The history of an invoice, a subscription or a checkout, for staff. Undefined if there is none of that id.
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

/** For a payment, its notifications too. */
export interface PaymentHistory extends ObjectHistory {
  notifications: NotificationSummary[]
}

/** The history of a payment for staff, oldest first. Undefined if there is no such payment. */
export async function readPaymentHistory(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<PaymentHistory | undefined> {
  requireStaff(caller, 'staff:read')
  const read = await withReadTransaction(ctx.db, async (tx) => {
    const payment = await findPayment(tx, caller, id)
    return payment && { payment, history: await readHistoryWithin(tx, payment) }
  })
  if (read !== undefined) await recordRead(ctx, caller, 'payment.history', read.payment)
  return read?.history
}

/** The same as it is in this transaction. */
export async function readHistoryWithin(
  tx: Tx,
  { id, order_id }: Pick<GatewayPayment, 'id' | 'order_id'>,
): Promise<PaymentHistory> {
  const latest = { cursor: null, page_size: PAGE_SIZE_MAX }
  // By order id, which has an index; notifications of a refused payment with the same id are left
  // out.
  const received = await listNotifications(tx, { order_id }, latest)
  const notifications = received.results.filter(({ payment_id }) => payment_id === id).reverse()
  return { ...(await historyWithin(tx, id)), notifications }
}

/**
 * Shows whether a payment has changed: only a growing number and times. Undefined if there is none.
 */
export async function readPaymentPulse(ctx: Context, caller: Caller, id: string) {
  requireStaff(caller, 'staff:read')
  return await withReadTransaction(ctx.db, async (tx) => {
    const payment = await findPayment(tx, caller, id)
    if (payment === undefined) return undefined
    const { version, updated_at } = payment
    return { id, version, updated_at, refund_requests_at: await lastRequestAt(tx, id) }
  })
}
