import { checkPaymentsNow, listStalePayments } from '../../store/payments/checks.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { checkAll } from './check_pending_payments.ts'
import type { SweepOptions } from './sweep_pages.ts'

const STALE_PAGE_MAX = 50

/**
 * Queries pending payments that are past their expiry and not about to be checked. The gateway
 * decides whether they expired, never our clock (I-15). Returns how many changed.
 */
export async function expireStalePayments(ctx: Context, options: SweepOptions): Promise<number> {
  if (!ctx.gateway.available) return 0
  const stale = await withReadTransaction(
    ctx.db,
    async (tx) => await listStalePayments(tx, STALE_PAGE_MAX),
  )
  if (stale.length === 0) return 0
  await withTransaction(ctx.db, async (tx) => {
    // In the order of their ids, as every batch that locks payments.
    for (const { id } of stale.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      await checkPaymentsNow(tx, [id])
    }
  })
  const checked = await checkAll(ctx, stale, options)
  return checked.filter(({ outcome }) => outcome === 'moved').length
}
