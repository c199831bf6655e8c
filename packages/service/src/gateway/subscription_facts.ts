import { parseMoney, type Money } from '../domain/money.ts'
import { parseGatewayTime } from '../domain/time.ts'
import type { SubscriptionReply } from './wire/subscriptions.ts'

/** What the gateway reports about a subscription, in our terms and types. Never its token. */
export interface SubscriptionFacts {
  gateway_id: string
  name: string
  /** Null for an unknown status: then there is no transition. */
  status: 'active' | 'inactive' | null
  amount: Money | null
  interval: number | null
  start_time: Date | null
  next_execution_at: Date | null
  retry: { interval: number | null; unit: string | null; max: number | null }
  /** Its successful charges, oldest first. */
  transaction_ids: readonly string[]
}

export function subscriptionFacts(reply: SubscriptionReply): SubscriptionFacts {
  const { schedule, retry_schedule: retry } = reply
  return {
    gateway_id: reply.id,
    name: reply.name,
    status: reply.status === 'active' || reply.status === 'inactive' ? reply.status : null,
    amount: parseMoney(reply.amount) ?? null,
    interval: wholeOf(schedule?.interval),
    start_time: parseGatewayTime(schedule?.start_time) ?? null,
    next_execution_at: parseGatewayTime(schedule?.next_execution_at) ?? null,
    retry: {
      interval: wholeOf(retry?.interval),
      unit: retry?.interval_unit ?? null,
      max: wholeOf(retry?.max_interval),
    },
    transaction_ids: reply.transaction_ids ?? [],
  }
}

/** A number the gateway also writes as text. */
function wholeOf(value: string | number | null | undefined): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}
