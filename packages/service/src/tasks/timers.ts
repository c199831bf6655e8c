import { setTimeout as sleep } from 'node:timers/promises'

/** Repeated work in every process, more frequent than a crontab allows. */
export interface Timer {
  name: string
  every_ms: number
  run: () => Promise<unknown>
}

export interface Timers {
  stop: () => Promise<void>
  /** The timers whose current round takes too long. */
  stuck: () => string[]
}

/** A tenth earlier or later, so that processes started together spread out. */
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
        // The next round is the retry; a failure never ends a timer.
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
