// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp } from '../values.ts'

export interface Pulse {
  /** When the latest webhook notification was received. */
  last_notification_at: Timestamp | null
  /** When the latest payment was created. */
  last_payment_at: Timestamp | null
  /** How many alarms are open. */
  open_alarms: number
  /** How many refunds wait for a second staff member. */
  held_refunds: number
}
