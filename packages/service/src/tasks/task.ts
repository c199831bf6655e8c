import type { Context } from '../services/context.ts'
import type { ReadBudget } from '../services/sweeps/sweep_pages.ts'

/** What every task works with, besides its payload. */
export interface TaskWork {
  ctx: Context
  /** Shared by all background queries of this process. */
  budget: ReadBudget
  /** The process is about to stop: start nothing new. */
  aborted: AbortSignal
}

/** One of the named tasks. It can be called directly; the runner only decides when. */
export interface Task {
  name: string
  run: (work: TaskWork, payload: unknown) => Promise<unknown>
  /** Called when the last attempt has failed. */
  givenUp?: (work: TaskWork, payload: unknown) => Promise<void>
  /** A crontab's five fields, or null: only on request. */
  schedule: string | null
  attempts_max: number
}
