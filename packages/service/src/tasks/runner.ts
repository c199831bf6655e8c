// Runs work by the clock. graphile-worker runs the named tasks: their jobs are in our own
// PostgreSQL, and a crontab's tick is one job for all processes. What must happen more often than
// every minute, or in every process, is a timer.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Logger as QueueLogger,
  parseCronItems,
  runMigrations,
  type Job,
  type RunnerOptions as GraphileOptions,
} from 'graphile-worker'
import { errorName } from '../domain/error_name.ts'
import { hideSecrets } from '../domain/secret_shapes.ts'
import { NO_TELEMETRY } from '../domain/telemetry.ts'
import type { Context } from '../services/context.ts'
import type { ReadBudget } from '../services/sweeps/sweep_pages.ts'
import type { Retention } from '../services/sweeps/run_maintenance.ts'
import { jobsSchema } from '../store/maintenance/jobs.ts'
import { beatEach, dismiss, livenessTimers } from './liveness.ts'
import { keepQueue, type QueueOptions, type QueueState } from './queue.ts'
import type { Task, TaskWork } from './task.ts'
import { TASKS } from './task_list.ts'
import { sweepTimers } from './sweep_timers.ts'
import { startTimers, type Timer } from './timers.ts'

export interface RunnerOptions {
  budget: ReadBudget
  /** Jobs at the same time in this process. */
  concurrency_max?: number
  tasks?: readonly Task[]
  /** Beside the sweeps that every worker has. */
  timers?: readonly Timer[]
  /** What maintenance may drop; by default nothing. */
  retention?: Retention
  /** How long running jobs may take to end when the process stops; then they are released. */
  stop_within_ms?: number
  /** First pause before a queue that ended by itself is restarted. */
  restart_ms?: number
}

export interface Runner {
  /** Lets running jobs end, starts no other, and deregisters. May be repeated. */
  stop: () => Promise<void>
  state: () => RunnerState
}

export interface RunnerState {
  queue: QueueState
  /** Timers whose round does not end. */
  stuck: string[]
}

const CONCURRENCY_MAX = 5
const POLL_MS = 1_000
/** Longer than any call to the gateway, so that a running job can end. */
const STOP_WITHIN_MS = 25_000
const RESTART_MS_MIN = 1_000
const RESTART_MS_MAX = 30_000
/** Sweeps of many installations should not reach the gateway on the full minute (ADR 0014). */
const CRON_JITTER_MS_MAX = 5_000

/** Creates or updates the queue's own schema. Starting a runner does it too. */
export const migrateJobs = async ({ db, log }: Pick<Context, 'db' | 'log'>): Promise<void> => {
  await runMigrations({
    pgPool: db.pool,
    schema: jobsSchema(db),
    logger: queueLogger(log),
    noPreparedStatements: !db.prepared,
  })
}

/** Starts the queue, its crontab and the timers. Resolves once jobs are being taken. */
export async function startRunner(ctx: Context, options: RunnerOptions): Promise<Runner> {
  const { budget, retention = {}, timers = [], stop_within_ms = STOP_WITHIN_MS } = options
  const stopping = new AbortController()
  await migrateJobs(ctx)
  const work = { ctx, budget, aborted: stopping.signal }
  const queue = await keepQueue(queueOptions(ctx, options, work))
  const onRound = roundsOf(ctx)
  // A started runner has a heartbeat; if it cannot be stored yet, the timer repeats it.
  await beatEach(ctx, queue.pools()).catch((error: unknown) => onRound('beat', error))
  const sweeps = startTimers([...sweepTimers(work, retention), ...timers], onRound)
  const liveness = startTimers(livenessTimers(ctx, queue.pools), onRound)
  const end = async (): Promise<void> => {
    stopping.abort()
    // The heartbeat continues until the last job has ended, so that the pool is not taken for dead.
    await Promise.all([sweeps.stop(), queue.stop(stop_within_ms)])
    await liveness.stop()
  }
  let ended: Promise<void> | undefined
  return {
    stop: async () => {
      ended ??= end()
      await ended
    },
    state: () => ({ queue: queue.state(), stuck: [...sweeps.stuck(), ...liveness.stuck()] }),
  }
}

function queueOptions(
  ctx: Context,
  { concurrency_max = CONCURRENCY_MAX, tasks = TASKS, restart_ms }: RunnerOptions,
  work: TaskWork,
): QueueOptions {
  return {
    queue: {
      pgPool: ctx.db.pool,
      schema: jobsSchema(ctx.db),
      concurrency: concurrency_max,
      pollInterval: POLL_MS,
      logger: queueLogger(ctx.log),
      noPreparedStatements: !ctx.db.prepared,
      // Without batching, a job whose end cannot be stored is an unhandled rejection, which ends
      // the whole process, a host's too. With batching it ends the queue, which is restarted.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      ...taskOptions(tasks, work),
    },
    restart_ms_min: restart_ms ?? RESTART_MS_MIN,
    restart_ms_max: RESTART_MS_MAX,
    onRestart: (error) => {
      ctx.telemetry?.record({ kind: 'queue_restart' })
      ctx.log.error({ error: errorName(error) }, 'the queue ended by itself and is restarted')
    },
    onPoolEnd: async (pool) => {
      // Without deregistration its heartbeat expires, and other processes release its jobs.
      await dismiss(ctx, pool).catch((error: unknown) =>
        ctx.log.warn({ error: errorName(error) }, 'worker deregistration failed'),
      )
    },
  }
}

const roundsOf =
  ({ log, telemetry }: Context) =>
  (timer: string, error?: unknown): void => {
    telemetry?.record({ kind: 'timer', timer, outcome: error === undefined ? 'done' : 'failed' })
    if (error !== undefined) log.error({ timer, error: errorName(error) }, 'timer failed')
  }

function taskOptions(
  tasks: readonly Task[],
  work: TaskWork,
): Pick<GraphileOptions, 'taskList' | 'parsedCronItems'> {
  const taskList = Object.fromEntries(
    tasks.map((task) => [
      task.name,
      async (payload: unknown, { job }: { job: Taken }): Promise<void> => {
        if (isCron(payload)) await jitter(work.aborted)
        await watched(task, work, { payload, job })
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

type Taken = Pick<Job, 'id' | 'attempts' | 'max_attempts'>

interface Attempt {
  payload: unknown
  job: Taken
}

/** One attempt as a trace step of its own; its log lines carry the job's id. */
async function watched(task: Task, work: TaskWork, attempt: Attempt): Promise<void> {
  const { telemetry = NO_TELEMETRY } = work.ctx
  const { name } = task
  const { id, attempts, max_attempts } = attempt.job
  const began = performance.now()
  const step = {
    name: `task ${name}`,
    kind: 'consumer',
    attributes: { 'gapura.task': name, 'gapura.attempt': attempts },
    marks: { job_id: id },
  } as const
  const count = (outcome: 'done' | 'failed' | 'given_up'): void =>
    telemetry.record({ kind: 'job', task: name, outcome, duration_ms: performance.now() - began })
  try {
    await telemetry.trace(step, async () => await perform(task, work, attempt))
    count('done')
  } catch (error) {
    count(attempts >= max_attempts ? 'given_up' : 'failed')
    throw error
  }
}

async function perform(
  { run, givenUp }: Task,
  work: TaskWork,
  { payload, job }: Attempt,
): Promise<void> {
  try {
    await run(work, payload)
  } catch (error) {
    if (job.attempts >= job.max_attempts) await givenUp?.(work, payload)
    throw fitForQueue(error)
  }
}

/** The queue stores the message in its table; a driver's message may quote the failed value. */
function fitForQueue(error: unknown): unknown {
  if (!(error instanceof Error) || hideSecrets(error.message) === error.message) return error
  return new Error(hideSecrets(error.message))
}

const jitter = async (signal: AbortSignal): Promise<void> =>
  await sleep(Math.random() * CRON_JITTER_MS_MAX, undefined, { signal }).catch(() => undefined)

const isCron = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && '_cron' in payload

/** The queue logs every job; only failures are logged here. */
const queueLogger = ({ error, warn }: Context['log']): QueueLogger =>
  new QueueLogger((scope) => (level, text) => {
    const message = hideSecrets(text)
    const fields = { task: scope.taskIdentifier, job_id: scope.jobId }
    if (level === 'error') error(fields, message)
    else if (level === 'warning') warn(fields, message)
  })
