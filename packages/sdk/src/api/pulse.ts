// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp } from '../values.ts'

export interface Pulse {
  last_notification_at: Timestamp | null
  last_payment_at: Timestamp | null
  open_alarms: number
  held_refunds: number
}
