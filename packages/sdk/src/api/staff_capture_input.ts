// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { AmountInput } from '../values.ts'

export interface StaffCaptureInput {
  /** The amount to capture in whole rupiah; all that was authorized by default. */
  amount?: AmountInput
  /** Why it is done; it is stored in the audit. Up to 255 characters. */
  reason?: string
}
