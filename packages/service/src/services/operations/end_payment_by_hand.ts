import { findPaymentById } from '../../store/payments.ts'
import { withReadTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { isActionKind } from '../payments/operation_calls.ts'
import type { DueOperation, HandOrder } from './due.ts'
import { endActionByHand } from './end_action_by_hand.ts'
import { endChargeByHand } from './end_charge_by_hand.ts'

/** Ends an operation on a payment in a person's name. */
export async function endPaymentByHand(
  ctx: Context,
  { operation, ...due }: DueOperation,
  order: HandOrder,
): Promise<void> {
  const { kind, subject_id } = operation
  const payment = await withReadTransaction(
    ctx.db,
    async (tx) => await findPaymentById(tx, subject_id),
  )
  if (payment === undefined) throw new Error(`payment ${subject_id} is gone`)
  if (kind === 'charge') await endChargeByHand(ctx, { ...due, operation, payment }, order)
  else if (isActionKind(kind)) {
    await endActionByHand(ctx, { ...due, payment, operation: { ...operation, kind } }, order)
  }
}
