// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'

export interface PaymentPulse {
  id: Uuid
  version: number
  updated_at: Timestamp
  refund_requests_at: Timestamp | null
}
