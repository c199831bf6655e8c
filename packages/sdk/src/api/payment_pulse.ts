// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'

export interface PaymentPulse {
  /** The id of the payment. */
  id: Uuid
  /** Grows by one with every transition. */
  version: number
  /** When the payment last changed. */
  updated_at: Timestamp
  /** When its refund requests last changed. */
  refund_requests_at: Timestamp | null
}
