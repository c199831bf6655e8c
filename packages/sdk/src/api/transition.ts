// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { PaymentWhySource } from './unions.ts'

export interface Transition {
  /** What kind of object changed. */
  object_kind: 'payment' | 'invoice' | 'subscription'
  /** The object that changed. */
  object_id: Uuid
  /** The owner of the object. */
  owner_id: string
  /** The version of the object after the transition. */
  version: number
  /** The status before; null for the first. */
  from_status: string | null
  /** The status after. */
  to_status: string
  /** Where the change came from. */
  source: PaymentWhySource
  /** The notification or operation that proves the transition. */
  evidence_id: Uuid | null
  /** Why it happened, where that needs words. */
  reason: string | null
  /** When the transition was recorded. */
  occurred_at: Timestamp
}
