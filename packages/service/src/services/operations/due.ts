import type { GatewayPayment } from '../../domain/payment.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { ByHand } from './by_hand.ts'

/** An operation the resolver holds. */
export interface DueOperation {
  operation: GatewayOperation
  /** Since it was last sent, by the database's clock. */
  quiet_ms: number
  age_ms: number
}

/** The same, with the payment it is about. */
export interface Due extends DueOperation {
  payment: GatewayPayment
}

/** An operation that was claimed this moment, with its ages. */
export function dueOf(operation: GatewayOperation): DueOperation {
  const now = operation.updated_at.getTime()
  return {
    operation,
    quiet_ms: now - operation.sent_at.getTime(),
    age_ms: now - operation.created_at.getTime(),
  }
}

/** What a person says of an operation. */
export interface HandOrder {
  outcome: 'done' | 'refused'
  /** Where she found a charge that cannot be looked up by its order id. */
  transaction_id?: string
  /** Where she found an invoice or a subscription, which cannot be looked up at all. */
  gateway_id?: string
  by: ByHand
}
