// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Payment } from './payment.ts'
import type { Refund } from './refund.ts'

export interface Refunded {
  /** The payment after the refund. */
  payment: Payment
  /** The refund that was made. */
  refund: Refund
}
