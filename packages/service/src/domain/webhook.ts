// Outgoing webhooks (webhooks.md): how long an endpoint is tried, and what an attempt came to.

export const ENDPOINT_STATES = ['enabled', 'paused', 'disabled'] as const
export type EndpointState = (typeof ENDPOINT_STATES)[number]

export const DELIVERY_OUTCOMES = ['delivered', 'failed'] as const

/** What failed. The first four without an answer; `status` is any answer that is no success. */
export const DELIVERY_ERRORS = [
  'address_refused',
  'dns',
  'connection',
  'tls',
  'timeout',
  'redirect',
  'status',
] as const
export type DeliveryError = (typeof DELIVERY_ERRORS)[number]

/** One attempt to be made. */
export interface Posted {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** What came of it. */
export interface Attempted {
  /** Undefined if it was delivered. */
  error?: DeliveryError
  status: number | null
  /** The beginning of the response. */
  response: string
  duration_ms: number
  /** From `Retry-After`; 0 without one. */
  retry_after_ms: number
}

/** The type of the event that a test sends; no object has it. */
export const TEST_EVENT = 'webhook_test'

/** Kept of a response. */
export const RESPONSE_LENGTH_MAX = 2_048

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** The times between twelve attempts: three days and three hours in total. */
export const RETRY_PLAN_MS: readonly number[] = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
  14 * HOUR,
  14 * HOUR,
  19.5 * HOUR,
]

/** Of each time of the plan, up or down, so that a receiver is not hit by all at the same moment. */
const JITTER = 0.2
const RETRY_AFTER_MS_MAX = 24 * HOUR

/**
 * When the next attempt is made after this many; undefined after the last. `Retry-After` can only
 * make it later. `chance` is from 0 to 1.
 */
export function nextAttemptIn(
  attempts: number,
  retry_after_ms: number,
  chance: number,
): number | undefined {
  const planned = RETRY_PLAN_MS[attempts - 1]
  if (planned === undefined) return undefined
  const jittered = planned * (1 + JITTER * (2 * chance - 1))
  return Math.round(Math.max(jittered, Math.min(retry_after_ms, RETRY_AFTER_MS_MAX)))
}

/** After nothing but failures for so long an endpoint is disabled. */
export const FAILING_MS_MAX = 5 * 24 * HOUR

/** Answers that ask for less: the whole endpoint rests. */
const SLOW_DOWN: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** So many failures in a row make it rest, too. */
const FAILURES_IN_A_ROW = 5
const REST_MS_MIN = 5 * SECOND
const REST_MS_MAX = 5 * MINUTE

export const isSlowDown = (status: number | null): boolean =>
  status !== null && SLOW_DOWN.has(status)

/** How long an endpoint gets nothing after a failure; 0 if the others may go on. */
export function restAfter(status: number | null, in_a_row: number, retry_after_ms: number): number {
  if (!isSlowDown(status) && in_a_row < FAILURES_IN_A_ROW) return 0
  const doubled = REST_MS_MIN * 2 ** Math.min(in_a_row, 10)
  return Math.max(Math.min(doubled, REST_MS_MAX), Math.min(retry_after_ms, RETRY_AFTER_MS_MAX))
}

/** The name of an endpoint among the subscribers of the outbox. */
export const ENDPOINT_PREFIX = 'webhook.'
export const subscriberOf = (endpoint_id: string): string => `${ENDPOINT_PREFIX}${endpoint_id}`
