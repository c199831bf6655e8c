import { setTimeout as sleep } from 'node:timers/promises'
import { adminHandlerOf } from './admin.ts'
import { cached } from './cached.ts'
import type { Parts } from './compose.ts'
import { healthOf } from './health.ts'
import { readDatabase, readProcess, readWorker } from './metrics/readings.ts'
import type { Readings } from './metrics/registry.ts'
import type { RunningWorker } from './worker.ts'

/** However often and by however many it is scraped, the database is asked every so often. */
const READ_EVERY_MS = 10_000
/** A scraper gives up after ten seconds, and would then have no metric at all. */
const READ_WITHIN_MS = 5_000

/** What an operator sees of one service in this process. */
export function operate(parts: Parts) {
  const { ctx, registry } = parts
  let worker: RunningWorker | undefined
  let stopping = false
  const database = cached(async (): Promise<Readings> => {
    const read = readDatabase(ctx).catch(() => undefined)
    // The metrics of the process matter most when the database is unavailable.
    const late = sleep(READ_WITHIN_MS, undefined, { ref: false })
    const readings = await Promise.race([read, late])
    const up = readings === undefined ? 0 : 1
    return { ...readings, gapura_database_up: [{ labels: {}, value: up }] }
  }, READ_EVERY_MS)
  const metrics = async (): Promise<string> =>
    registry.write({ ...(await database()), ...readProcess(ctx), ...readWorker(worker) })
  const { health, liveness } = healthOf(parts, () => worker)
  return {
    health,
    metrics,
    adminHandler: adminHandlerOf({ health, liveness, metrics, stopping: () => stopping }),
    /** Includes this worker in health and metrics. */
    runs: (started: RunningWorker): RunningWorker => {
      worker = started
      const stop = async (): Promise<void> => {
        // A worker that was stopped on purpose does not make the process unhealthy.
        if (worker === started) worker = undefined
        await started.stop()
      }
      return { ...started, stop }
    },
    /** Reports the process as not ready from now on. */
    stops: (): void => {
      stopping = true
    },
  }
}
