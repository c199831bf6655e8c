// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Timestamp } from '../values.ts'

export interface PossibleRefund {
  allowed: boolean
  refusal: string | null
  why_not: string | null
  refundable_amount: Money
  partial: boolean
  window_ends_at: Timestamp | null
}
