import { claimDueChecks, type DueCheck } from '../../store/payment_checks.ts'
import { withTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { CHECK_LEASE_MS, checkPaymentStatus, type Checked } from './check_payment_status.ts'
import type { ReadBudget } from './read_budget.ts'

export interface SweepOptions {
  budget: ReadBudget
  /** Ends the sweep after the checks under way; what it claimed is due again after its lease. */
  aborted?: AbortSignal
}

/** How many payments a sweep asked about, by outcome. */
export type Swept = Record<Checked['outcome'], number>

/** So few at once that the last is asked long before its lease ends, however slow the gateway. */
const PAGE_MAX = 20
const PAGES_MAX = 50
const CHECKS_AT_ONCE_MAX = 5
/** Ends before the next minute's sweep begins, or sweeps would pile up and take every slot. */
const SWEEP_MS_MAX = 45_000

/**
 * Asks about every payment whose time has come. The rows are the queue: they are claimed page by
 * page, never twice at a time, and come back by themselves if this process dies.
 */
export async function checkPendingPayments(ctx: Context, options: SweepOptions): Promise<Swept> {
  const swept: Swept = { skipped: 0, moved: 0, unchanged: 0, not_found: 0, unreachable: 0 }
  const begun = performance.now()
  for (let page = 0; page < PAGES_MAX; page++) {
    if (performance.now() - begun > SWEEP_MS_MAX) break
    // While the breaker is open every answer is known beforehand; the payments stay due.
    if (!ctx.gateway.available || options.aborted?.aborted === true) break
    const due = await withTransaction(
      ctx.db,
      async (tx) => await claimDueChecks(tx, { limit: PAGE_MAX, lease_ms: CHECK_LEASE_MS }),
    )
    for (const { outcome } of await checkAll(ctx, due, options)) swept[outcome] += 1
    if (due.length < PAGE_MAX) break
  }
  return swept
}

/** Several side by side; one that breaks keeps no other waiting. */
export async function checkAll(
  ctx: Context,
  due: readonly Pick<DueCheck, 'order_id'>[],
  { budget, aborted }: SweepOptions,
): Promise<Checked[]> {
  const checked: Checked[] = []
  const waiting = due.values()
  const lane = async (): Promise<void> => {
    for (const { order_id } of waiting) {
      if (aborted?.aborted === true) return
      try {
        checked.push(await checkPaymentStatus(ctx, order_id, budget))
      } catch (error) {
        const name = error instanceof Error ? error.name : 'unknown'
        ctx.log.error({ order_id, error: name }, 'check')
      }
    }
  }
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE_MAX }, lane))
  return checked
}
