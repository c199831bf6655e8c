// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { PaymentType } from './unions.ts'

export interface MethodFigures {
  /** The payment method. */
  payment_type: PaymentType
  /** How many payments were created. */
  created: number
  /** How many of them were paid. */
  paid: number
  /** How many are neither paid nor ended yet. */
  open: number
  /** Half of the payers took no longer than this, in seconds; null where none paid. */
  median_s: number | null
  /** Nine of ten payers took no longer than this, in seconds; null where none paid. */
  slow_s: number | null
}
