// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Payment } from './payment.ts'

export interface StatusChecked {
  /** The payment after the check. */
  payment: Payment
  /** The gateway's reply, without its secrets. */
  gateway_response: unknown
}
