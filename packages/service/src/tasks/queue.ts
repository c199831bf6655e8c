// graphile-worker stops by itself when it cannot store that a job has ended, for which a lost
// connection is enough, and when any queue in the same database is migrated, even a host's own: its
// notification channel is shared by all schemas. A process without a queue looks alive and does
// nothing, so the queue is restarted, with growing pauses while that fails.
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  run,
  type Runner,
  type RunnerOptions,
  type Worker,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker'
import { isUnavailable, mayHaveRun } from '../store/connection/errors.ts'

export interface QueueOptions {
  queue: Omit<RunnerOptions, 'events' | 'noHandleSignals'>
  /** First pause before a stopped queue is restarted; it doubles from there. */
  restart_ms_min: number
  restart_ms_max: number
  onRestart: (error: unknown) => void
  /** A pool has released its last job. */
  onPoolEnd: (pool: string) => Promise<void>
}

export interface QueueState {
  running: boolean
  /** How long there has been no running queue; 0 while it runs. */
  down_ms: number
  /** Whether the only cause is that the database is away. */
  database_away: boolean
}

export interface KeptQueue {
  /** The pools that may hold jobs: the running one, and one that ended with jobs under way. */
  pools: () => string[]
  state: () => QueueState
  /** Starts no other job and waits for the running ones; what is not done in time is released. */
  stop: (within_ms: number) => Promise<void>
}

/** How long a stopped queue's running jobs are waited for before its successor starts. */
const ENDING_MS_MAX = 30_000
/** Releasing jobs needs the database, which may be the cause. */
const RELEASE_MS_MAX = 5_000

interface Begun {
  queue: Runner
  pool: WorkerPool
  /** It takes no more jobs, and the running ones have had their time. */
  over: Promise<void>
}

/** Starts the queue and keeps it running until it is stopped. Throws if it cannot start at all. */
export async function keepQueue(options: QueueOptions): Promise<KeptQueue> {
  const keeper = new Keeper(options)
  await keeper.start()
  const kept = keeper.keep()
  return {
    pools: () => [...keeper.pools.keys()],
    state: () => keeper.state(),
    stop: async (within_ms) => {
      await keeper.end(within_ms)
      await kept
      const gone = Promise.allSettled(keeper.pools.values())
      await Promise.race([gone, sleep(RELEASE_MS_MAX, undefined, UNREF)])
    },
  }
}

class Keeper {
  /** With the promise of its last job's end. */
  readonly pools = new Map<string, Promise<void>>()
  readonly #options: QueueOptions
  readonly #stopping = new AbortController()
  #current: Begun | undefined
  #down_since: number | null = null
  #error: unknown = null

  constructor(options: QueueOptions) {
    this.#options = options
  }

  state(): QueueState {
    const since = this.#down_since
    return {
      running: since === null,
      down_ms: since === null ? 0 : performance.now() - since,
      database_away: isUnavailable(this.#error),
    }
  }

  async start(): Promise<void> {
    const begun = await beginQueue(this.#options.queue, () => this.#fell())
    const { id } = begun.pool
    const gone = endOf(begun.queue).then(async () => await this.#options.onPoolEnd(id))
    this.pools.set(
      id,
      gone.finally(() => this.pools.delete(id)),
    )
    this.#current = begun
    this.#down_since = null
    this.#error = null
  }

  async keep(): Promise<void> {
    const { restart_ms_min, restart_ms_max, onRestart } = this.#options
    let pause_ms = restart_ms_min
    for (;;) {
      if (this.#error === null) await this.#current?.over
      this.#fell()
      if (this.#stops()) return
      onRestart(this.#error)
      await pause(pause_ms, this.#stopping.signal)
      if (this.#stops()) return
      try {
        await this.start()
        pause_ms = restart_ms_min
      } catch (error) {
        this.#error = error
        pause_ms = Math.min(pause_ms * 2, restart_ms_max)
      }
    }
  }

  async end(within_ms: number): Promise<void> {
    this.#stopping.abort()
    if (this.#current !== undefined) await endQueue(this.#current, within_ms)
  }

  #stops(): boolean {
    return this.#stopping.signal.aborted
  }

  #fell(): void {
    keepExitCode()
    if (!this.#stops()) this.#down_since ??= performance.now()
  }
}

async function beginQueue(options: QueueOptions['queue'], fell: () => void): Promise<Begun> {
  const events: WorkerEvents = new EventEmitter()
  // Wrapped in an object: a pool is itself a promise, of its end.
  const made = Promise.withResolvers<{ pool: WorkerPool }>()
  const ending = Promise.withResolvers<void>()
  events.on('pool:create', ({ workerPool }) => made.resolve({ pool: workerPool }))
  events.on('pool:gracefulShutdown', () => {
    fell()
    ending.resolve()
  })
  endIfBroken(events)
  const queue = await run({ ...options, events, noHandleSignals: true })
  const waited = ending.promise.then(async () => await sleep(ENDING_MS_MAX, undefined, UNREF))
  const { pool } = await made.promise
  return { queue, pool, over: Promise.race([endOf(queue), waited]) }
}

/**
 * Two faults leave a queue that lives and does not do its work, so it is stopped, and restarted like
 * any other that ends. It looks up its tasks once and keeps the result, even a failure. And a job
 * that was taken by a statement whose reply was lost counts as running in this pool for four hours;
 * it is released once the pool is gone. That waits until the database answers again, because a
 * restart that fails is followed by growing pauses.
 */
function endIfBroken(events: WorkerEvents): void {
  let works = false
  let lost = false
  let ended = false
  const end = (pool: WorkerPool, why: string): void => {
    if (ended) return
    ended = true
    // Not from inside its own look-up.
    setImmediate(() => {
      Promise.resolve(pool.gracefulShutdown(why)).catch(() => undefined)
    })
  }
  const answered = ({ worker: { workerPool } }: { worker: Worker }): void => {
    works = true
    if (lost) end(workerPool, 'it may hold a job without knowing it')
  }
  events.on('worker:getJob:empty', answered)
  events.on('job:start', answered)
  events.on('worker:getJob:error', ({ worker: { workerPool }, error }) => {
    if (!works) end(workerPool, 'its first look for jobs failed')
    lost ||= mayHaveRun(error)
  })
}

const MIGRATED_EXIT_CODE = 57

/** It would set the process's exit code, long after the queue was restarted. */
function keepExitCode(): void {
  if (process.exitCode === MIGRATED_EXIT_CODE) process.exitCode = undefined
}

/** A pause must not keep the process alive. */
const UNREF = { ref: false }

/** Resolves once the queue has ended, well or not: its own promise hides most of its failures. */
const endOf = async (queue: Runner): Promise<void> => await queue.promise.catch(() => undefined)

async function endQueue({ queue, pool }: Begun, within_ms: number): Promise<void> {
  // It refuses to be stopped twice, and once it has begun to end by itself.
  const ended = queue.stop().catch(async () => await endOf(queue))
  const late = sleep(within_ms, 'late', UNREF)
  if ((await Promise.race([ended, late])) !== 'late') return
  const released = Promise.resolve(pool.forcefulShutdown('the process stops')).catch(
    () => undefined,
  )
  await Promise.race([released, sleep(RELEASE_MS_MAX, undefined, UNREF)])
}

const pause = async (ms: number, signal: AbortSignal): Promise<void> =>
  await sleep(ms, undefined, { signal }).catch(() => undefined)
