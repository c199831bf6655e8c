// Reports carry the payment id that was sent with the charge. A report with this id finds its
// payment even if the charge was given up and another payment has the order id now.
import type { GatewayPayment } from '../../domain/payment.ts'
import { isObject } from '../../gateway/json.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import { lockRefusedPayments } from '../../store/payments/locks.ts'
import type { Tx } from '../../store/connection/transaction.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Marked = Pick<TransactionReply, 'metadata' | 'order_id'>

/** The payment id that a report carries, if it can be one of ours. */
export function markIn({ metadata }: Marked): string | undefined {
  const mark = isObject(metadata) ? metadata['gapura_payment_id'] : undefined
  return typeof mark === 'string' && UUID.test(mark) ? mark : undefined
}

/**
 * Locks the refused payments that these reports are about, by their ids. Most reports name the
 * payment that was found by its order id and need no query.
 */
export async function lockMarked(
  tx: Tx,
  reports: readonly Marked[],
  known: ReadonlyMap<string, GatewayPayment>,
): Promise<Map<string, GatewayPayment>> {
  const orders = new Map<string, string>()
  for (const report of reports) {
    const mark = markIn(report)
    const { order_id } = report
    if (mark === undefined || typeof order_id !== 'string') continue
    if (known.get(order_id)?.id !== mark) orders.set(mark, order_id)
  }
  if (orders.size === 0) return new Map()
  const refused = await lockRefusedPayments(tx, [...orders.keys()])
  // An order id is signed, the payment id is not: both must name the same payment.
  const ours = refused.filter(({ id, order_id }) => orders.get(id) === order_id)
  return new Map(ours.map((payment) => [payment.id, payment]))
}
