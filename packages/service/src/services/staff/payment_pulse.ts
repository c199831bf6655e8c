import type { Caller } from '../../domain/caller.ts'
import { findPayment } from '../../store/payments/rows.ts'
import { lastRequestAt } from '../../store/refunds/requests.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { requireStaff } from '../access/staff_caller.ts'

/**
 * Shows whether a payment has changed: only a growing number and times. Undefined if there is none.
 */
export async function readPaymentPulse(ctx: Context, caller: Caller, id: string) {
  requireStaff(caller, 'staff:read')
  return await withReadTransaction(ctx.db, async (tx) => {
    const payment = await findPayment(tx, caller, id)
    if (payment === undefined) return undefined
    const { version, updated_at } = payment
    return { id, version, updated_at, refund_requests_at: await lastRequestAt(tx, id) }
  })
}
