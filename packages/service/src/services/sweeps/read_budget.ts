import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The rate limit that all background queries of this process share, so that payers' calls come
 * first.
 */
export interface ReadBudget {
  /** Resolves when the next query may be made. */
  take: () => Promise<void>
}

/** After a quiet time, queries of one second may be made at once. */
const BURST_MS = 1_000

/** This many queries a second, in the order they were requested. */
export function readBudget(per_second: number): ReadBudget {
  if (!(per_second > 0)) throw new RangeError(`must be a positive rate: ${per_second}`)
  const step_ms = 1_000 / per_second
  // When the bucket will be full again without further queries; each query moves it on by one step.
  let full_at = performance.now()
  return {
    take: async () => {
      const now = performance.now()
      full_at = Math.max(full_at, now) + step_ms
      const wait_ms = full_at - now - Math.max(BURST_MS, step_ms)
      if (wait_ms > 0) await sleep(wait_ms)
    },
  }
}
