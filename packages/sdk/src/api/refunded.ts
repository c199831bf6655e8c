// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Payment } from './payment.ts'
import type { Refund } from './refund.ts'

export interface Refunded {
  payment: Payment
  refund: Refund
}
