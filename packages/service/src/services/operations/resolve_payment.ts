import { findPaymentById } from '../../store/payments.ts'
import { withReadTransaction } from '../../store/transaction.ts'
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
  if (payment === undefined) return
  await (kind === 'charge' ? resolveCharge : resolveAction)(ctx, { ...due, payment })
}
