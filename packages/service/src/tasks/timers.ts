import { setTimeout as sleep } from 'node:timers/promises'

/** Something done again and again, in every process, more often than a crontab can say. */
export interface Timer {
  name: string
  every_ms: number
  run: () => Promise<unknown>
}

/** A tenth earlier or later, so that processes started together do not stay together. */
const JITTER = 0.1

/** Runs each timer at once and then at its interval, never twice at a time, until stopped. */
export function startTimers(
  timers: readonly Timer[],
  onTrouble: (name: string, error: unknown) => void,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = async ({ name, every_ms, run }: Timer): Promise<void> => {
    while (!signal.aborted) {
      try {
        await run()
      } catch (error) {
        // The next round is the retry; a timer never ends for a fault.
        onTrouble(name, error)
      }
      const wait_ms = every_ms * (1 + JITTER * (2 * Math.random() - 1))
      await sleep(wait_ms, undefined, { signal }).catch(() => undefined)
    }
  }
  const loops = timers.map(loop)
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
