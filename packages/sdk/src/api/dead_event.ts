// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { ObjectEventType } from './unions.ts'

export interface DeadEvent {
  /** The subscriber that failed. */
  subscriber: string
  /** What kind of object the event is about. */
  object_kind: 'payment' | 'invoice' | 'subscription'
  /** The object the event is about; its later events wait. */
  object_id: Uuid
  /** The owner of the object. */
  owner_id: string
  /** The id of the event. */
  event_id: Uuid
  /** The number of the event among the events of its object, from 1. */
  sequence: number
  /** How often the event was delivered in vain. */
  attempts: number
  /** What the subscriber failed with the last time. */
  error: string
  /** When it is delivered again; null: it waits for a staff member. */
  retry_at: Timestamp | null
  /** The id of the entry: one subscriber and one object. */
  id: Uuid
  /** The signal of the event. */
  type: ObjectEventType
  /** When it last failed. */
  created_at: Timestamp
}
