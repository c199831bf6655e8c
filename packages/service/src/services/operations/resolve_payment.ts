import { findPaymentById } from '../../store/payments.ts'
import { finishOperation } from '../../store/operations.ts'
import { withReadTransaction, withTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import type { DueOperation } from './due.ts'
import { resolveAction } from './resolve_action.ts'
import { resolveCharge } from './resolve_charge.ts'

/** Brings an operation on a payment as far as the gateway's word goes. */
export async function resolvePayment(ctx: Context, due: DueOperation): Promise<void> {
  const { kind, subject_id } = due.operation
  const payment = await withReadTransaction(
    ctx.db,
    async (tx) => await findPaymentById(tx, subject_id),
  )
  if (payment === undefined) {
    // Its charge was never written whole: nothing can have been sent.
    const reply = { error: 'duplicate_order' }
    await withTransaction(
      ctx.db,
      async (tx) => await finishOperation(tx, due.operation, { state: 'refused', reply }),
    )
    return
  }
  await (kind === 'charge' ? resolveCharge : resolveAction)(ctx, { ...due, payment })
}
