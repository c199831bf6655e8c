import type { Money } from './money.ts'
import type { Metadata } from './payment.ts'
import type { SubscriptionPaymentType } from './payment_type.ts'

/** The gateway knows `active` and `inactive`; the others are ours and outlive a sync (ADR 0012). */
export const SUBSCRIPTION_STATUSES = [
  'initiated',
  'failure',
  'active',
  'inactive',
  'disabled',
  'cancelled',
] as const

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

export const INTERVAL_UNITS = ['day', 'week', 'month'] as const

export type IntervalUnit = (typeof INTERVAL_UNITS)[number]

export const RETRY_INTERVAL_UNITS = ['minute', 'hour', 'day'] as const

export type RetryIntervalUnit = (typeof RETRY_INTERVAL_UNITS)[number]

/** No token: it is sent on creation, and read again from the gateway where an update needs it. */
export interface GatewaySubscription {
  id: string
  owner_id: string
  gateway_subscription_id: string | null
  name: string
  /** Minted for the gateway; the beginning of every cycle's order id. */
  gateway_name: string
  payment_type: SubscriptionPaymentType
  amount: Money
  currency: string
  interval: number
  interval_unit: IntervalUnit
  /** How many cycles there are to be; null is until somebody ends it. */
  max_interval: number | null
  /** How many cycles were paid, as our own record of their payments has it. */
  current_interval: number
  last_payment_id: string | null
  start_time: Date | null
  next_execution_at: Date | null
  retry_interval: number | null
  retry_interval_unit: RetryIntervalUnit | null
  retry_max_interval: number | null
  status: SubscriptionStatus
  customer_first_name: string | null
  customer_last_name: string | null
  customer_email: string | null
  customer_phone: string | null
  metadata: Metadata
  version: number
  next_check_at: Date | null
  created_at: Date
  updated_at: Date
}

type Timed = Pick<GatewaySubscription, 'status' | 'next_execution_at'>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** A cycle's notification is given this long before the gateway is asked for it. */
const AFTER_CYCLE_MS = 5 * MINUTE_MS
/** A cycle that is due and not done may be retried up to three times. */
const UNTIL_CYCLE_MS = 30 * MINUTE_MS
/** What was changed on the gateway's own pages is noticed within this. */
const DRIFT_MS = 12 * HOUR_MS
/** Retries that were waiting still run after a disable, and news may be late. */
const QUIET_AFTER_MS = 7 * DAY_MS

/** When to ask the gateway about a subscription next; null when nothing more can come of it. */
export function nextSubscriptionCheck(
  { status, next_execution_at }: Timed,
  now: Date,
): Date | null {
  const at = now.getTime()
  const cycle = next_execution_at?.getTime() ?? null
  switch (status) {
    case 'initiated':
    case 'failure':
      return null
    case 'active': {
      if (cycle === null) return new Date(at + DRIFT_MS)
      const after = cycle + AFTER_CYCLE_MS
      return new Date(Math.min(after > at ? after : at + UNTIL_CYCLE_MS, at + DRIFT_MS))
    }
    case 'inactive':
    case 'disabled':
    case 'cancelled':
      return cycle !== null && at < cycle + QUIET_AFTER_MS ? new Date(at + DAY_MS) : null
  }
}
