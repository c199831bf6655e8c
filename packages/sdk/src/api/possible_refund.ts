// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Timestamp } from '../values.ts'

export interface PossibleRefund {
  /** Whether it is possible now. */
  allowed: boolean
  /** The error code that it would be refused with; null where it is possible. */
  refusal: string | null
  /** The same in words. */
  why_not: string | null
  /** The largest amount that can be refunded now. */
  refundable_amount: Money
  /** Whether a part can be refunded. */
  partial: boolean
  /** Until when the payment method allows a refund. */
  window_ends_at: Timestamp | null
}
