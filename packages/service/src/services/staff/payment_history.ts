import type { Caller } from '../../domain/caller.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { PAGE_SIZE_MAX } from '../../store/sql/lists.ts'
import { listNotifications, type NotificationSummary } from '../../store/notifications/lists.ts'
import { findPayment } from '../../store/payments/rows.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { historyWithin, type ObjectHistory } from './object_history.ts'

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
