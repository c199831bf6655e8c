// A killed worker's jobs stay locked for up to four hours in the queue itself. Each pool has a row
// and a heartbeat; whoever finds one still for too long frees what it held. A pool that only slept
// may then run a job a second time, which every task is made for.
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
 * Three beats missed. With the look for dead ones and the queue's own poll a job runs again within
 * 21 s, which leaves a machine that is short of processors nine of the 30 that are promised.
 */
const STALE_AFTER_MS = 15_000

/** "This pool is alive", by the database's clock. */
export const beat = async (ctx: Context, id: string): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    await beatWorker(tx, { id, description: `${hostname()} ${process.pid}` })
  })
}

/** The same of each of them. */
export const beatEach = async (ctx: Context, ids: readonly string[]): Promise<void> => {
  for (const id of ids) await beat(ctx, id)
}

/** Says goodbye after the last job has ended. */
export const dismiss = async (ctx: Context, id: string): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => await removeWorker(tx, id))
}

/** Frees the jobs of pools whose heart stands still, and returns those pools. May overlap. */
export const freeDeadWorkers = async (
  ctx: Context,
  stale_after_ms = STALE_AFTER_MS,
): Promise<string[]> =>
  await withTransaction(ctx.db, async (tx) => {
    const schema = jobsSchema(ctx.db)
    const dead = await listDeadLockHolders(tx, schema, stale_after_ms)
    if (dead.length > 0) {
      await unlockJobs(tx, schema, dead)
      ctx.log.warn({ workers: dead }, 'freed the jobs of dead workers')
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
