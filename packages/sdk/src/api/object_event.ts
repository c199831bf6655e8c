// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { ObjectEventType, PaymentWhySource } from './unions.ts'

export interface ObjectEvent {
  /** The id of the event. */
  id: Uuid
  /** The signal of the event. */
  type: ObjectEventType
  /** The number of the event among the events of its object, from 1. */
  sequence: number
  /** The status before the event. */
  previous_status: string | null
  /** Where the change came from. */
  source: PaymentWhySource
  /** The notification that caused the event. */
  notification_id: Uuid | null
  /** When the event happened. */
  occurred_at: Timestamp
  /** Subscribers that have not received it yet. */
  waiting: string[]
}
