import { begin } from '../world/transitions.ts'
import type { Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import type { Opening } from './opening.ts'
import { customOf, typeOf, type ChargeRequest } from './request.ts'

/** The origin of the transaction, and the URLs of its notifications. */
export interface Origin {
  origin: Transaction['origin']
  override_urls?: string[] | undefined
  append_urls?: string[]
  subscription_id?: string
  invoice_id?: string
  checkout_token?: string
}

/** Stores a new transaction and notifies the merchant of it. */
export function openTransaction(
  world: World,
  request: ChargeRequest,
  opening: Opening,
  origin: Origin,
): Transaction {
  const transaction_id = world.random.uuid()
  const transaction: Transaction = {
    transaction_id,
    order_id: request.order_id,
    payment_type: typeOf(request),
    channel: opening.channel,
    charged_amount: request.gross_amount,
    gross_amount: request.gross_amount,
    status: opening.status,
    fraud_status: opening.fraud_status,
    created_at: world.clock.now(),
    expires_at: opening.expires_at,
    settled_at: undefined,
    details: opening.details ?? {},
    instructions: opening.instructions?.(transaction_id) ?? {},
    custom: customOf(request.body),
    refunds: [],
    refund_keys: new Map(),
    refuse_next: new Set(),
    purse: {
      held: 0,
      captured: 0,
      settled: 0,
      refunded: 0,
      reversed: 0,
      charged_back: 0,
      fee: 0,
    },
    history: [],
    override_urls: undefined,
    append_urls: [],
    ...origin,
    ...(opening.card && { card: opening.card }),
    ...(opening.account_id !== undefined && { account_id: opening.account_id }),
    ...(opening.afterApproval !== undefined && { afterApproval: opening.afterApproval }),
    ...(opening.authorize_only !== undefined && { authorize_only: opening.authorize_only }),
  }
  world.transactions.add(transaction)
  if (opening.number !== undefined) world.transactions.giveNumber(opening.number, transaction)
  begin(world, transaction, origin.origin)
  return transaction
}
