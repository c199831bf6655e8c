import { claimDueChecks, resumeDeferred, type DueCheck } from '../../store/payments/checks.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { CHECK_LEASE_MS, checkPaymentStatus, type Checked } from './check_payment_status.ts'
import { inParallel } from './in_parallel.ts'
import { CHECKS_AT_ONCE_MAX, sweepPages, type SweepOptions } from './sweep_pages.ts'

/** How many payments a sweep queried, by outcome. */
export type Swept = Record<Checked['outcome'], number>

/** Queries the gateway about every payment that is due. */
export const checkPendingPayments = async (ctx: Context, options: SweepOptions): Promise<Swept> => {
  await withTransaction(ctx.db, resumeDeferred)
  return await sweepPages<DueCheck, keyof Swept>(
    ctx,
    options,
    {
      claim: claimDueChecks,
      lease_ms: CHECK_LEASE_MS,
      check: async (due) => (await checkPaymentStatus(ctx, due, options.budget)).outcome,
      name: ({ order_id }) => ({ order_id }),
    },
    { skipped: 0, moved: 0, unchanged: 0, not_found: 0, unreachable: 0 },
  )
}

/** Several at the same time. */
export async function checkAll(
  ctx: Context,
  due: readonly Pick<DueCheck, 'id' | 'order_id'>[],
  { budget, aborted }: SweepOptions,
): Promise<Checked[]> {
  return await inParallel(due, async (one) => await checkPaymentStatus(ctx, one, budget), {
    at_once: CHECKS_AT_ONCE_MAX,
    aborted,
    log: ctx.log,
    name: ({ order_id }) => ({ order_id }),
  })
}
