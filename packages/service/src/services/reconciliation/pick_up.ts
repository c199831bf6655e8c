// What only the gateway has of our payments is picked up without staff: a payment whose webhook was lost,
// a refund made on the portal. Where no payment is here, staff decide.
import { GatewayError } from '../../domain/errors.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import { findPaymentById } from '../../store/payments/rows.ts'
import { claimFound, releaseFound, type FoundItem } from '../../store/reconciliation/found.ts'
import type { Context } from '../context.ts'
import { refreshPayment } from '../payments/check_status.ts'
import { sweepPages, type SweepOptions } from '../sweeps/sweep_pages.ts'
import { reconcile, type Reconciled } from './run.ts'

/** How many exceptions the gateway was queried about, by outcome. */
type PickedUp = Record<'changed' | 'unchanged' | 'unreachable', number>

/** An exception that stays open is asked about again after a day. */
const AGAIN_MS = 24 * 3_600_000

/**
 * Queries the gateway about the payments of exceptions that its answer can end. The answer is applied
 * as any report is; the next comparison judges it. What cannot be applied stays open for staff.
 */
export const pickUpFound = async (ctx: Context, options: SweepOptions): Promise<PickedUp> =>
  await sweepPages<FoundItem, keyof PickedUp>(
    ctx,
    options,
    {
      claim: claimFound,
      lease_ms: AGAIN_MS,
      check: async (item) => await check(ctx, item, options),
      name: ({ id }) => ({ reconciliation_item_id: id }),
    },
    { changed: 0, unchanged: 0, unreachable: 0 },
  )

async function check(
  ctx: Context,
  { id, payment_id }: FoundItem,
  { budget }: SweepOptions,
): Promise<keyof PickedUp> {
  const payment = await withReadTransaction(
    ctx.db,
    async (tx) => await findPaymentById(tx, payment_id),
  )
  if (payment === undefined) return 'unchanged'
  await budget.take()
  try {
    await refreshPayment(ctx, payment, 'sweep')
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    if (error.definite) return 'unchanged'
    await withTransaction(ctx.db, async (tx) => await releaseFound(tx, id))
    return 'unreachable'
  }
  const after = await withReadTransaction(
    ctx.db,
    async (tx) => await findPaymentById(tx, payment_id),
  )
  return after?.version === payment.version ? 'unchanged' : 'changed'
}

/** Compares, picks up what was found, and compares what that changed. */
export async function reconcileAndPickUp(
  ctx: Context,
  options: SweepOptions,
): Promise<Reconciled & { picked_up: number }> {
  const first = await reconcile(ctx, options.aborted)
  if (first.busy) return { ...first, picked_up: 0 }
  const { changed } = await pickUpFound(ctx, options)
  const last = changed === 0 ? first : await reconcile(ctx, options.aborted)
  return { ...last, lines: first.lines, picked_up: changed }
}
