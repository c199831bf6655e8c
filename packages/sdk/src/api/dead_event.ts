// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { ObjectEventType } from './unions.ts'

export interface DeadEvent {
  subscriber: string
  object_kind: 'payment' | 'invoice' | 'subscription'
  object_id: Uuid
  owner_id: string
  event_id: Uuid
  sequence: number
  attempts: number
  error: string
  retry_at: Timestamp | null
  id: Uuid
  type: ObjectEventType
  created_at: Timestamp
}
