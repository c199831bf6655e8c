// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'

export interface ReleasedEvent {
  subscriber: string
  object_kind: 'payment' | 'invoice' | 'subscription'
  object_id: Uuid
  owner_id: string
  event_id: Uuid
  sequence: number
  attempts: number
  error: string
  retry_at: Timestamp | null
  died_at: Timestamp
}
