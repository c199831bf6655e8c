import type { Caller } from '../../domain/caller.ts'
import { findPayment, listPaymentItems } from '../../store/payments/rows.ts'
import { listRefunds } from '../../store/refunds/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import {
  representPayment,
  type PaymentParts,
  type PaymentRepresentation,
} from './representation.ts'

/** What the caller of this function has read already. */
export interface KnownParts extends Partial<Pick<PaymentParts, 'items' | 'refunds'>> {
  now?: Date
}

/** The full form of a payment as it is in this transaction. */
export async function representWithin(
  tx: Tx,
  payment: GatewayPayment,
  known: KnownParts = {},
): Promise<PaymentRepresentation> {
  const [items, refunds, now] = await Promise.all([
    known.items ?? listPaymentItems(tx, payment.id),
    known.refunds ?? listRefunds(tx, payment.id),
    known.now ?? readClock(tx),
  ])
  return representPayment({ payment, items, refunds }, now)
}

/** A payment of the caller; undefined if it is missing or another owner's. */
export async function readPayment(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<PaymentRepresentation | undefined> {
  const read = await withReadTransaction(ctx.db, async (tx) => {
    const payment = await findPayment(tx, caller, id)
    return payment && { payment, shown: await representWithin(tx, payment) }
  })
  if (read !== undefined) await recordRead(ctx, caller, 'payment.read', read.payment)
  return read?.shown
}
