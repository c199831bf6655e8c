import type { Context } from '../services/context.ts'
import type { ReadBudget } from '../services/sweeps/read_budget.ts'

/** What every task works with, besides its payload. */
export interface TaskWork {
  ctx: Context
  /** Shared by everything in this process that asks the gateway unasked. */
  budget: ReadBudget
  /** The process is about to stop: begin nothing new. */
  aborted: AbortSignal
}

/** One of the named tasks. Callable as it is; the runner only says when. */
export interface Task {
  name: string
  run: (work: TaskWork, payload: unknown) => Promise<unknown>
  /** Called when the last attempt has failed. */
  givenUp?: (work: TaskWork, payload: unknown) => Promise<void>
  /** A crontab's five fields, or null: only when somebody asks for it. */
  schedule: string | null
  attempts_max: number
}
