import type { GatewayPayment } from '../../domain/payment.ts'
import type { OverdueOperation } from '../../store/operation_claims.ts'

/** An operation the resolver holds, with what it is about. */
export interface Due {
  payment: GatewayPayment
  operation: OverdueOperation
  /** Since anybody last did something about it, by the database's clock. */
  quiet_ms: number
  age_ms: number
}
