import { setTimeout as sleep } from 'node:timers/promises'

/** What all questions of this process to the gateway share, so that sweeps leave room for payers. */
export interface ReadBudget {
  /** Resolves when the next question may be asked. */
  take: () => Promise<void>
}

/** A second's worth may be asked at once after a quiet time. */
const BURST_MS = 1_000

/** So many reads a second, in the order they were asked for. */
export function readBudget(per_second: number): ReadBudget {
  if (!(per_second > 0)) throw new RangeError(`not a rate: ${per_second}`)
  const step_ms = 1_000 / per_second
  // When the bucket will be full again if nobody asks; everyone who asks moves it on by one step.
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
