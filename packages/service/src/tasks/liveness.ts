// A killed worker's jobs stay locked in the queue for up to four hours. Each pool has a row and a
// heartbeat; any process that finds an old heartbeat releases the pool's jobs. A pool that was only
// paused may then run a job a second time, which every task allows.
import { hostname } from 'node:os'
import type { Context } from '../services/context.ts'
import {
  beatWorker,
  forgetWorker,
  jobsSchema,
  listDeadLockHolders,
  listStaleWorkers,
  removeWorker,
  unlockJobs,
} from '../store/maintenance/jobs.ts'
import { withTransaction } from '../store/connection/transaction.ts'
import type { Timer } from './timers.ts'

const BEAT_EVERY_MS = 5_000
/**
 * Three missed heartbeats. With the search for dead pools and the queue's own poll a job runs again
 * within 21 s, which leaves an overloaded machine nine of the 30 that are promised.
 */
const STALE_AFTER_MS = 15_000

/** Stores the heartbeat of a pool, by the database's clock. */
export const beat = async (ctx: Context, id: string): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    await beatWorker(tx, { id, description: `${hostname()} ${process.pid}` })
  })
}

/** The same for each of them. */
export const beatEach = async (ctx: Context, ids: readonly string[]): Promise<void> => {
  for (const id of ids) await beat(ctx, id)
}

/** Deregisters the pools after the last job has ended. */
export const dismiss = async (ctx: Context, id: string): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => await removeWorker(tx, id))
}

/**
 * Releases the jobs of pools without a recent heartbeat, and returns those pools. May run
 * concurrently.
 */
export const freeDeadWorkers = async (
  ctx: Context,
  stale_after_ms = STALE_AFTER_MS,
): Promise<string[]> =>
  await withTransaction(ctx.db, async (tx) => {
    const schema = jobsSchema(ctx.db)
    const dead = await listDeadLockHolders(tx, schema, stale_after_ms)
    if (dead.length > 0) {
      await unlockJobs(tx, schema, dead)
      ctx.log.warn({ workers: dead }, 'jobs of dead workers released')
    }
    for (const worker of await listStaleWorkers(tx, stale_after_ms)) await forgetWorker(tx, worker)
    return dead
  })

export const livenessTimers = (ctx: Context, pools: () => readonly string[]): Timer[] => [
  {
    name: 'beat',
    every_ms: BEAT_EVERY_MS,
    run: async () => await beatEach(ctx, pools()),
  },
  { name: 'free_dead_workers', every_ms: BEAT_EVERY_MS, run: () => freeDeadWorkers(ctx) },
]
