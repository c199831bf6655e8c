// The common loop of every sweep over due rows. The rows are the queue: they are claimed page by
// page, by one process at a time, and are due again if this process dies.
import { setTimeout as sleep } from 'node:timers/promises'
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import type { Context, Logger } from '../context.ts'

export interface SweepOptions {
  budget: ReadBudget
  /** Ends the sweep after the running checks; what it claimed is due again after its lease. */
  aborted?: AbortSignal
}

export const CHECKS_AT_ONCE_MAX = 5
/** Few enough that the last is queried long before its lease ends, even if the gateway is slow. */
const PAGE_MAX = 20
const PAGES_MAX = 50
/** A sweep ends before the next one begins; otherwise sweeps would pile up and take every slot. */
const SWEEP_MS_MAX = 45_000

interface Sweep<Item, Outcome extends string> {
  claim: (tx: Tx, page: { limit: number; lease_ms: number; due_by: Date }) => Promise<Item[]>
  lease_ms: number
  check: (item: Item) => Promise<Outcome>
  /** The log fields that identify an item whose check failed. */
  name: (item: Item) => object
}

/** Checks everything due, several at the same time, and adds each outcome to the counts. */
export async function sweepPages<Item, Outcome extends string>(
  ctx: Context,
  { aborted }: SweepOptions,
  { claim, lease_ms, check, name }: Sweep<Item, Outcome>,
  counts: Record<Outcome, number>,
): Promise<Record<Outcome, number>> {
  const begun = performance.now()
  // Rows that become due during the sweep are left to the next one: a deferred report makes its
  // payment due at once, and one report a second would cause a query with every page.
  const due_by = await withTransaction(ctx.db, readClock)
  for (let page = 0; page < PAGES_MAX; page++) {
    if (performance.now() - begun > SWEEP_MS_MAX) break
    // While the breaker is open every query would fail; the rows stay due.
    if (!ctx.gateway.available || aborted?.aborted === true) break
    const due = await withTransaction(
      ctx.db,
      async (tx) => await claim(tx, { limit: PAGE_MAX, lease_ms, due_by }),
    )
    const options = { at_once: CHECKS_AT_ONCE_MAX, aborted, log: ctx.log, name }
    for (const outcome of await inParallel(due, check, options)) counts[outcome] += 1
    if (due.length < PAGE_MAX) break
  }
  return counts
}

interface Parallel<Item> {
  /** How many items are worked on at the same time. */
  at_once: number
  aborted?: AbortSignal | undefined
  log: Logger
  /** The log fields that identify an item whose work failed. */
  name: (item: Item) => object
}

/** Works on several items at the same time. A failure is logged and does not stop the others. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { at_once, aborted, log, name }: Parallel<Item>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.values()
  const worker = async (): Promise<void> => {
    for (const item of waiting) {
      if (aborted?.aborted === true) return
      try {
        results.push(await work(item))
      } catch (error) {
        log.error(
          { ...name(item), error: error instanceof Error ? error.name : 'unknown' },
          'check failed',
        )
      }
    }
  }
  await Promise.all(Array.from({ length: at_once }, worker))
  return results
}

/**
 * The rate limit that all background queries of this process share, so that payers' calls come
 * first.
 */
export interface ReadBudget {
  /** Resolves when the next query may be made. */
  take: () => Promise<void>
}

/** After a quiet time, queries of one second may be made at once. */
const BURST_MS = 1_000

/** This many queries a second, in the order they were requested. */
export function readBudget(per_second: number): ReadBudget {
  if (!(per_second > 0)) throw new RangeError(`must be a positive rate: ${per_second}`)
  const step_ms = 1_000 / per_second
  // When the bucket will be full again without further queries; each query moves it on by one step.
  let full_at = performance.now()
  return {
    take: async () => {
      const now = performance.now()
      full_at = Math.max(full_at, now) + step_ms
      const wait_ms = full_at - now - Math.max(BURST_MS, step_ms)
      if (wait_ms > 0) await sleep(wait_ms)
    },
  }
}

/** What one merchant's background queries may take of the gateway, whose limits are the merchant's. */
const READS_PER_SECOND = 5

/** The budget of this process: the cells of a merchant take equal shares of the rate (ADR 0039). */
export const cellReadBudget = (
  { cell }: Pick<Context, 'cell'>,
  per_second: number = READS_PER_SECOND,
): ReadBudget => readBudget(per_second / ((cell?.peers.length ?? 0) + 1))
