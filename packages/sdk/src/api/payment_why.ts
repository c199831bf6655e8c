// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { PaymentWhyCode, PaymentWhySource } from './unions.ts'

export interface PaymentWhy {
  /** Why the payment is in its status. */
  code: PaymentWhyCode
  /** Where the latest transition came from. */
  source: PaymentWhySource | null
  /** When the latest transition was recorded. */
  occurred_at: Timestamp | null
  /** The notification or operation that proves it. */
  evidence_id: Uuid | null
  /** Why it happened, where that needs words. */
  reason: string | null
}
