import { parseMoney } from '../../domain/money.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { listOpenOperations } from '../../store/operations/rows.ts'
import { wasAmountAt } from '../../store/subscriptions/cycles.ts'
import type { Tx } from '../../store/connection/transaction.ts'

/**
 * Whether a cycle charged an expected amount: the current one, the previous one if the cycle is
 * from before the change, or the one of an update that has no answer yet.
 */
export async function isExpected(
  tx: Tx,
  { id, amount }: GatewaySubscription,
  { gross_amount, transaction_time, created_at }: GatewayPayment,
): Promise<boolean> {
  if (gross_amount === amount) return true
  const at = transaction_time ?? created_at
  if (await wasAmountAt(tx, { id, amount: gross_amount, at })) return true
  const open = await listOpenOperations(tx, id)
  return open.some(
    ({ kind, request }) =>
      kind === 'update_subscription' && parseMoney(request['amount']) === gross_amount,
  )
}
