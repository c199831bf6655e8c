// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Payment } from './payment.ts'

export interface StatusChecked {
  payment: Payment
  gateway_response: unknown
}
