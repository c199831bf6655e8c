// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'

export interface ReleasedEvent {
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
  /** When it last failed. */
  died_at: Timestamp
}
