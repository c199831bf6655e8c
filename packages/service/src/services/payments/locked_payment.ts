import type { GatewayPayment } from '../../domain/payment.ts'
import { lockPayment } from '../../store/payment_locks.ts'
import type { Tx } from '../../store/transaction.ts'

/** Locks a payment that must be there: payments are never deleted. */
export async function lockedPayment(tx: Tx, id: string): Promise<GatewayPayment> {
  const payment = await lockPayment(tx, id)
  if (payment === undefined) throw new Error(`payment ${id} is gone`)
  return payment
}
