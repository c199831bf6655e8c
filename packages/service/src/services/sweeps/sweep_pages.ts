// How every sweep over due rows goes. The rows are the queue: they are claimed page by page, never
// twice at a time, and come back by themselves if this process dies.
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { inParallel } from './in_parallel.ts'
import type { ReadBudget } from './read_budget.ts'

export interface SweepOptions {
  budget: ReadBudget
  /** Ends the sweep after the checks under way; what it claimed is due again after its lease. */
  aborted?: AbortSignal
}

export const CHECKS_AT_ONCE_MAX = 5
/** So few at once that the last is asked long before its lease ends, however slow the gateway. */
const PAGE_MAX = 20
const PAGES_MAX = 50
/** Ends before the next one begins, or sweeps would pile up and take every slot. */
const SWEEP_MS_MAX = 45_000

interface Sweep<Item, Outcome extends string> {
  claim: (tx: Tx, page: { limit: number; lease_ms: number; due_by: Date }) => Promise<Item[]>
  lease_ms: number
  check: (item: Item) => Promise<Outcome>
  /** What the log calls one whose check broke. */
  name: (item: Item) => object
}

/** Checks everything due, several side by side, and adds what came of each to the counts. */
export async function sweepPages<Item, Outcome extends string>(
  ctx: Context,
  { aborted }: SweepOptions,
  { claim, lease_ms, check, name }: Sweep<Item, Outcome>,
  counts: Record<Outcome, number>,
): Promise<Record<Outcome, number>> {
  const begun = performance.now()
  // What is reported while we ask is for the next sweep: a report that is not believed makes its
  // payment due at once, and one a second would have us ask with every page.
  const due_by = await withTransaction(ctx.db, readClock)
  for (let page = 0; page < PAGES_MAX; page++) {
    if (performance.now() - begun > SWEEP_MS_MAX) break
    // While the breaker is open every answer is known beforehand; the rows stay due.
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
