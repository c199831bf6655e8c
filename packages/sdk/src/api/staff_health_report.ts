// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp } from '../values.ts'
import type { BreakerState } from './breaker_state.ts'
import type { OpenAlarms } from './open_alarms.ts'
import type { SubscriberLag } from './subscriber_lag.ts'
import type { Waiting } from './waiting.ts'
import type { WorkerPulse } from './worker_pulse.ts'

export interface StaffHealthReport {
  /** The time in the database. */
  now: Timestamp
  /** When the latest webhook notification was received. */
  last_notification_at: Timestamp | null
  /** When the latest payment was created. */
  last_payment_at: Timestamp | null
  /** The circuit breaker of this process. */
  breaker: BreakerState
  /** Operations without a known outcome. */
  operations: Waiting
  /** Payments still pending past their expiry time. */
  overdue: Waiting
  /** Payments whose check at the gateway is due. */
  checks: Waiting
  /** Background jobs that are due; null where no worker has run yet. */
  jobs: Waiting | null
  /** Open alarms by kind. */
  alarms: OpenAlarms[]
  /** How far each subscriber is behind. */
  subscribers: SubscriberLag[]
  /** The worker processes, the latest report first. */
  workers: WorkerPulse[]
}
