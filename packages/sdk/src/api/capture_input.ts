// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { AmountInput } from '../values.ts'

export interface CaptureInput {
  /** The amount to capture in whole rupiah; all that was authorized by default. */
  amount?: AmountInput
}
