// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { ObjectEventType, PaymentWhySource } from './unions.ts'

export interface ObjectEvent {
  id: Uuid
  type: ObjectEventType
  sequence: number
  previous_status: string | null
  source: PaymentWhySource
  notification_id: Uuid | null
  occurred_at: Timestamp
  waiting: string[]
}
