import { MINUTE_MS } from '../wire/times.ts'
import type { Random } from '../world/random.ts'

/** The wait before each retry, before it is shifted (gateway-protocol.md#notification-retries). */
const RETRY_WAITS_MS = [2, 10, 30, 90, 210].map((minutes) => minutes * MINUTE_MS)

const RETRIES_BY_STATUS: Record<number, number> = {
  301: 0,
  302: 0,
  303: 0,
  400: 2,
  404: 2,
  500: 1,
  503: 4,
}

const RETRIES_MAX = RETRY_WAITS_MS.length

/** Number of retries after a reply of this code; undefined means no reply. */
export function retriesFor(http_status: number | undefined): number {
  if (http_status === undefined) return RETRIES_MAX
  if (http_status >= 200 && http_status < 300) return 0
  return RETRIES_BY_STATUS[http_status] ?? RETRIES_MAX
}

// The first retry has been seen after 33 s instead of 120 s, so the shift is taken as ± 72.5 %.
const SHIFT = 0.725

/** The seeded wait before the retry that follows the given number of retries. */
export function waitBeforeRetry(retries_made: number, random: Random): number {
  const wait = RETRY_WAITS_MS[retries_made] ?? 0
  return Math.round(wait * (1 - SHIFT + 2 * SHIFT * random.fraction()))
}
