import { setTimeout as sleep } from 'node:timers/promises'
import { hideSecrets } from '../domain/secret_shapes.ts'
import { MIGRATE, storeFault } from '../store/connection/errors.ts'
import { behindOf, newestMigration } from '../store/schema/fitness.ts'
import { measureEventTrouble } from '../store/maintenance/gauges.ts'
import { readFitness, type Fitness } from '../store/connection/settings.ts'
import { withReadTransaction } from '../store/connection/transaction.ts'
import { cached } from './cached.ts'
import type { Parts } from './compose.ts'
import type { RunningWorker } from './worker.ts'

export interface Health {
  /** False: only a restart helps. */
  live: boolean
  /** False: send no requests here now. An outage of the gateway does not make it so. */
  ready: boolean
  /**
   * `ok`, or what is wrong, for each thing that was looked at. `events` names subscribers whose
   * handlers fail; it does not make the process unready, which could not help.
   */
  checks: Readonly<Record<string, string>>
}

const OK = 'ok'
/** Probes within this time share one database query. */
const KEEP_MS = 1_000
/** Shorter than the time-out of a probe, so that the probe receives an answer. */
const DATABASE_WITHIN_MS = 3_000
/** A queue that cannot restart for this long while the database is up needs a new process. */
const QUEUE_DOWN_MS_MAX = 60_000
/** A page of the slowest handlers allowed takes half of it. */
const RELAY_TURN_MS_MAX = 15 * 60_000

export interface HealthParts {
  health: () => Promise<Health>
  /** The part without queries: whether a restart would help must not wait for the database. */
  liveness: () => Omit<Health, 'ready'>
}

/** How this process is. `worker` is the one it runs, if it runs one. */
export function healthOf(parts: Parts, worker: () => RunningWorker | undefined): HealthParts {
  const newest = cached(newestMigration, Number.POSITIVE_INFINITY)
  const database = cached(async () => await databaseFault(parts, newest), KEEP_MS)
  const events = cached(async () => await eventFault(parts), KEEP_MS)
  return {
    health: async () => {
      const faults = { database: await database(), ...workerFaults(worker()) }
      const ready = Object.values(faults).every((fault) => fault === null)
      const failing = faults.database === null ? { events: await events() } : {}
      return { live: isLive(worker()), ready, checks: checksOf({ ...faults, ...failing }) }
    },
    liveness: () => ({ live: isLive(worker()), checks: checksOf(workerFaults(worker())) }),
  }
}

const checksOf = (faults: Readonly<Record<string, string | null>>): Health['checks'] =>
  Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, fault ?? OK]))

async function databaseFault(parts: Parts, newest: () => Promise<number>): Promise<string | null> {
  const asked = askDatabase(parts, newest).catch((error: unknown) => faultOf(parts, error))
  const late = sleep(DATABASE_WITHIN_MS, `no answer within ${DATABASE_WITHIN_MS} ms`, {
    ref: false,
  })
  return await Promise.race([asked, late])
}

async function askDatabase(
  { ctx, ready, environment }: Parts,
  newest: () => Promise<number>,
): Promise<string | null> {
  // Claims the environment the first time; afterwards it costs nothing.
  await ready()
  const fitness = await withReadTransaction(ctx.db, readFitness)
  if (fitness === undefined) return 'has no settings'
  return unfitFor(fitness, { environment, newest: await newest() })
}

/** The subscribers that fail at events, in any process; the errors are in the log and the list. */
async function eventFault({ ctx }: Parts): Promise<string | null> {
  const late = sleep(DATABASE_WITHIN_MS, undefined, { ref: false })
  const measured = withReadTransaction(ctx.db, measureEventTrouble).catch(() => undefined)
  const troubles = await Promise.race([measured, late])
  if (troubles === undefined) return 'unknown'
  const named = troubles.map(
    ({ subscriber, dead, failing }) => `${subscriber}: ${dead} dead, ${failing} retried`,
  )
  return named.length === 0 ? null : `failing: ${named.join('; ')}`
}

function unfitFor(
  { version, environment }: Fitness,
  needed: { environment: string; newest: number },
): string | null {
  const behind = behindOf(version, needed.newest)
  if (behind !== null) return `${behind}. ${MIGRATE}`
  return environment === needed.environment ? null : `does not belong to ${needed.environment}`
}

function faultOf({ ctx }: Parts, error: unknown): string {
  const fault = storeFault(error, ctx.db.schema)
  return fault === undefined ? 'failed' : hideSecrets(fault.message)
}

function workerFaults(worker: RunningWorker | undefined): Record<string, string | null> {
  if (worker === undefined) return {}
  const { queue, stuck } = worker.state()
  const still = stillRelays(worker)
  return {
    queue: queue.running ? null : `down for ${Math.round(queue.down_ms / 1_000)} s`,
    timers: stuck.length === 0 ? null : `stuck: ${stuck.join(', ')}`,
    relays: still.length === 0 ? null : `stuck: ${still.join(', ')}`,
  }
}

const stillRelays = (worker: RunningWorker): string[] =>
  worker.stats().flatMap(({ name, turn_ms }) => (turn_ms > RELAY_TURN_MS_MAX ? name : []))

/** The database's absence is no reason: a new process would miss it as well. */
function isLive(worker: RunningWorker | undefined): boolean {
  if (worker === undefined) return true
  const { queue, stuck } = worker.state()
  const lost = queue.down_ms > QUEUE_DOWN_MS_MAX && !queue.database_away
  return !lost && stuck.length === 0 && stillRelays(worker).length === 0
}
