import { setTimeout as sleep } from 'node:timers/promises'

/** Something done again and again, in every process, more often than a crontab can say. */
export interface Timer {
  name: string
  every_ms: number
  run: () => Promise<unknown>
}

export interface Timers {
  stop: () => Promise<void>
  /** Those at the same round for longer than anything may take. */
  stuck: () => string[]
}

/** A tenth earlier or later, so that processes started together do not stay together. */
const JITTER = 0.1

/** Every call to the gateway and every statement ends in seconds; a round of them in minutes. */
const ROUND_MS_MAX = 10 * 60_000

/** Runs each timer at once and then at its interval, never twice at a time, until stopped. */
export function startTimers(
  timers: readonly Timer[],
  onRound: (name: string, error?: unknown) => void,
): Timers {
  const stopping = new AbortController()
  const { signal } = stopping
  const begun = new Map<string, number>()
  const loop = async ({ name, every_ms, run }: Timer): Promise<void> => {
    while (!signal.aborted) {
      begun.set(name, performance.now())
      try {
        await run()
        onRound(name)
      } catch (error) {
        // The next round is the retry; a timer never ends for a fault.
        onRound(name, error)
      }
      begun.delete(name)
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
    stuck: () =>
      [...begun].filter(([, at]) => performance.now() - at > ROUND_MS_MAX).map(([name]) => name),
  }
}
