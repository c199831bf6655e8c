// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { PaymentWhyCode, PaymentWhySource } from './unions.ts'

export interface PaymentWhy {
  code: PaymentWhyCode
  /** Which door a fact came in by. */
  source: PaymentWhySource | null
  occurred_at: Timestamp | null
  evidence_id: Uuid | null
  reason: string | null
}
