import { parseMoney } from '../../domain/money.ts'
import { isCycleOf, parseCycleOrderId } from '../../domain/order_id.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { factsOf } from '../../gateway/facts.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import { findSubscriptionById } from '../../store/subscriptions/rows.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import type { LinkedTo } from './linked_to.ts'

/**
 * The subscription a payment is a cycle of: its signed order id begins with the name that we
 * generated, so a report is proof enough (ADR 0012). The charged amount is a fact, even if
 * unexpected.
 */
export async function linkSubscription(
  tx: Tx,
  payload: TransactionReply,
): Promise<LinkedTo | undefined> {
  const { order_id } = payload
  const id = parseCycleOrderId(order_id ?? '')
  const subscription = id === undefined ? undefined : await findSubscriptionById(tx, id)
  if (subscription === undefined || !isCycleOf(order_id ?? '', subscription.gateway_name)) {
    return undefined
  }
  const gross_amount = amountOf(subscription, payload)
  return gross_amount === undefined ? undefined : linkedTo(subscription, gross_amount)
}

/** Ours, if only a fee that the payer bears was added; `applyFacts` confirms that. */
function amountOf({ amount }: GatewaySubscription, payload: TransactionReply) {
  const charged = parseMoney(payload.gross_amount)
  if (charged === undefined || charged <= 0n) return undefined
  const fee = factsOf(payload)?.imposed_fee ?? 0n
  return charged === amount + fee ? amount : charged
}

const linkedTo = (subscription: GatewaySubscription, gross_amount: bigint): LinkedTo => ({
  owner_id: subscription.owner_id,
  invoice_id: null,
  subscription_id: subscription.id,
  gross_amount,
  customer_first_name: subscription.customer_first_name,
  customer_last_name: subscription.customer_last_name,
  customer_email: subscription.customer_email,
  customer_phone: subscription.customer_phone,
  metadata: subscription.metadata,
})
