// The clock's door. graphile-worker runs the named tasks: their jobs are in our own Postgres and a
// crontab's tick is one job however many processes there are. What must happen more often than
// every minute, or in every process, is a timer.
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Logger as QueueLogger,
  parseCronItems,
  run,
  runMigrations,
  type Job,
  type Runner as Queue,
  type RunnerOptions as QueueOptions,
  type WorkerEvents,
} from 'graphile-worker'
import type { Context } from '../services/context.ts'
import { matchUnmatched } from '../services/notifications/match_unmatched.ts'
import { resolveOperations } from '../services/operations/resolve_operations.ts'
import { keepHouse } from '../services/sweeps/keep_house.ts'
import type { ReadBudget } from '../services/sweeps/read_budget.ts'
import { jobsSchema } from '../store/jobs.ts'
import { dismiss, livenessTimers } from './liveness.ts'
import type { Task, TaskWork } from './task.ts'
import { TASKS } from './task_list.ts'
import { startTimers, type Timer } from './timers.ts'

export interface RunnerOptions {
  budget: ReadBudget
  /** Jobs at a time in this process. */
  concurrency_max?: number
  tasks?: readonly Task[]
}

export interface Runner {
  /** Lets running jobs end, begins no other, and says goodbye. */
  stop: () => Promise<void>
}

const CONCURRENCY_MAX = 5
const POLL_MS = 1_000
const RESOLVE_EVERY_MS = 5_000
const RESOLVE_MAX = 50
const SWEEP_EVERY_MS = 10_000
const HOUSE_EVERY_MS = 3_600_000
/** Sweeps of many installations should not meet at the gateway on the full minute (D-29). */
const CRON_JITTER_MS_MAX = 5_000

/** Makes or updates the queue's own schema. Starting a runner does it too. */
export const migrateJobs = async ({ db, log }: Context): Promise<void> => {
  await runMigrations({ pgPool: db.pool, schema: jobsSchema(db), logger: queueLogger(log) })
}

/** Starts the queue, its crontab and the timers. Resolves once jobs are being taken. */
export async function startRunner(
  ctx: Context,
  { budget, concurrency_max = CONCURRENCY_MAX, tasks = TASKS }: RunnerOptions,
): Promise<Runner> {
  const stopping = new AbortController()
  const work = { ctx, budget, aborted: stopping.signal }
  await migrateJobs(ctx)
  const { queue, pool } = await startQueue(ctx, { concurrency_max, tasks, work })
  const trouble = (name: string, error: unknown): void =>
    ctx.log.error({ timer: name, error: error instanceof Error ? error.name : 'unknown' }, 'timer')
  const sweeps = startTimers(sweepTimers(ctx, budget), trouble)
  const liveness = startTimers(livenessTimers(ctx, pool), trouble)
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([sweeps.stop(), queue.stop()])
      // The heart beats until the last job has ended: nobody may take it for dead.
      await liveness.stop()
      await dismiss(ctx, pool)
    },
  }
}

interface QueueWork {
  concurrency_max: number
  tasks: readonly Task[]
  work: TaskWork
}

/** The queue itself, and the name of its pool: what it locks its jobs with. */
async function startQueue(
  ctx: Context,
  { concurrency_max, tasks, work }: QueueWork,
): Promise<{ queue: Queue; pool: string }> {
  const events: WorkerEvents = new EventEmitter()
  const made = Promise.withResolvers<string>()
  events.on('pool:create', ({ workerPool }) => made.resolve(workerPool.id))
  const queue = await run({
    pgPool: ctx.db.pool,
    schema: jobsSchema(ctx.db),
    concurrency: concurrency_max,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: queueLogger(ctx.log),
    events,
    ...taskOptions(tasks, work),
  })
  // Heard here or it would end the process; stop() tells whoever stops it.
  queue.promise.catch((error: unknown) => {
    ctx.log.error({ error: error instanceof Error ? error.name : 'unknown' }, 'queue')
  })
  return { queue, pool: await made.promise }
}

const sweepTimers = (ctx: Context, budget: ReadBudget): Timer[] => [
  {
    name: 'resolve_operations',
    every_ms: RESOLVE_EVERY_MS,
    run: async () => await resolveOperations(ctx, RESOLVE_MAX),
  },
  {
    name: 'match_unmatched',
    every_ms: SWEEP_EVERY_MS,
    run: async () => await matchUnmatched(ctx, budget),
  },
  { name: 'keep_house', every_ms: HOUSE_EVERY_MS, run: async () => await keepHouse(ctx) },
]

function taskOptions(
  tasks: readonly Task[],
  work: TaskWork,
): Pick<QueueOptions, 'taskList' | 'parsedCronItems'> {
  const taskList = Object.fromEntries(
    tasks.map((task) => [
      task.name,
      async (payload: unknown, { job }: { job: Attempts }): Promise<void> => {
        if (isCron(payload)) await jitter(work.aborted)
        await attempt(task, work, { payload, last: job.attempts >= job.max_attempts })
      },
    ]),
  )
  const items = tasks.flatMap(({ name, schedule, attempts_max }) =>
    schedule === null
      ? []
      : // One waiting tick of a task is enough: a late one sees everything the earlier would.
        [{ task: name, match: schedule, options: { maxAttempts: attempts_max, jobKey: name } }],
  )
  return { taskList, parsedCronItems: parseCronItems(items) }
}

type Attempts = Pick<Job, 'attempts' | 'max_attempts'>

async function attempt(
  { run: perform, givenUp }: Task,
  work: TaskWork,
  { payload, last }: { payload: unknown; last: boolean },
): Promise<void> {
  try {
    await perform(work, payload)
  } catch (error) {
    if (last) await givenUp?.(work, payload)
    throw error
  }
}

const jitter = async (signal: AbortSignal): Promise<void> =>
  await sleep(Math.random() * CRON_JITTER_MS_MAX, undefined, { signal }).catch(() => undefined)

const isCron = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && '_cron' in payload

/** The queue speaks of every job; only what went wrong is worth our log. */
const queueLogger = ({ error, warn }: Context['log']): QueueLogger =>
  new QueueLogger((scope) => (level, message) => {
    const fields = { task: scope.taskIdentifier, job_id: scope.jobId }
    if (level === 'error') error(fields, message)
    else if (level === 'warning') warn(fields, message)
  })
