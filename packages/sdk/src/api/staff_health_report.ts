// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp } from '../values.ts'
import type { BreakerState } from './breaker_state.ts'
import type { OpenAlarms } from './open_alarms.ts'
import type { SubscriberLag } from './subscriber_lag.ts'
import type { Waiting } from './waiting.ts'
import type { WorkerPulse } from './worker_pulse.ts'

export interface StaffHealthReport {
  now: Timestamp
  last_notification_at: Timestamp | null
  last_payment_at: Timestamp | null
  breaker: BreakerState
  operations: Waiting
  overdue: Waiting
  checks: Waiting
  jobs: Waiting | null
  alarms: OpenAlarms[]
  subscribers: SubscriberLag[]
  workers: WorkerPulse[]
}
