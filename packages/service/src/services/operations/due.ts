import type { GatewayPayment } from '../../domain/payment.ts'
import type { GatewayOperation } from '../../domain/operation.ts'

/** An operation the resolver holds, with what it is about. */
export interface Due {
  payment: GatewayPayment
  operation: GatewayOperation
  /** Since it was last sent, by the database's clock. */
  quiet_ms: number
  age_ms: number
}
