// When a call is retried, and after how long. Clock and random numbers are parameters.

const FIRST_DELAY_MS = 500
const DELAY_MS_MAX = 8_000

/** What a proxy or an overloaded server answers with before, or instead of, the service. */
const PASSING = new Set([429, 502, 503, 504])

/** Whether a reply that is not the service's own is worth another try. */
export const isPassing = (status: number): boolean => PASSING.has(status)

/**
 * The pause before the next try: doubling, with jitter so that many clients do not come back at
 * once, and never before the server asked for.
 */
export function delayBefore(retry: number, chance: number, retry_after_ms = 0): number {
  const whole = Math.min(FIRST_DELAY_MS * 2 ** (retry - 1), DELAY_MS_MAX)
  const jittered = whole * (0.5 + chance / 2)
  return retry_after_ms > 0 ? retry_after_ms + (jittered - whole / 2) : jittered
}

/** `Retry-After` in milliseconds: seconds or a date. Nothing where it says neither. */
export function retryAfterMs(header: string | null, now_ms: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now_ms)
}
