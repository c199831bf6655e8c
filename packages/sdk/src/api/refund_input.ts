// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { AmountInput } from '../values.ts'

export interface RefundInput {
  /** The amount to refund in whole rupiah. */
  amount: AmountInput
  /** Why it is refunded; the gateway stores it too. Up to 255 characters. */
  reason?: string
  /** Whether to send the refund to the payment provider at once. */
  direct?: boolean
}
