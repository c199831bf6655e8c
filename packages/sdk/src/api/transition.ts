// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { PaymentWhySource } from './unions.ts'

export interface Transition {
  object_kind: 'payment' | 'invoice' | 'subscription'
  object_id: Uuid
  owner_id: string
  version: number
  from_status: string | null
  to_status: string
  source: PaymentWhySource
  evidence_id: Uuid | null
  reason: string | null
  occurred_at: Timestamp
}
