// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { AmountInput } from '../values.ts'

export interface CaptureInput {
  amount?: AmountInput
}
