// Lock order: the payment first, several in the order of their ids, `for no key update`; then
// insert what refers to it. In the other order, inserts take a shared lock on the payment through
// their foreign key, and two transactions that both want more deadlock. Operations, refunds and
// events of a payment are changed only under its lock and need none of their own. The invoice or
// subscription of a payment is locked after it: reports find the payment first, so the other order
// would deadlock with them.
import type { GatewayPayment } from '../../domain/payment.ts'
import { PAYMENT_COLUMNS } from './rows.ts'
import { codeOf, UNIQUE_VIOLATION } from '../connection/errors.ts'
import type { Tx } from '../connection/transaction.ts'

/** Locks this payment's row until the transaction ends, and reads it under the lock. */
export async function lockPayment(tx: Tx, id: string): Promise<GatewayPayment | undefined> {
  const [payment] = await tx.query<GatewayPayment>(
    `select ${PAYMENT_COLUMNS}
     from gapura.gateway_payment
     where id = $1
     for no key update`,
    [id],
  )
  return payment
}

/**
 * Locks those of these payments that no other transaction has locked, and returns what shows whether
 * they changed. Never waits, so the lock order does not matter here.
 */
export const lockFreePayments = async (
  tx: Tx,
  ids: readonly string[],
): Promise<Pick<GatewayPayment, 'id' | 'version' | 'updated_at'>[]> =>
  await tx.query<Pick<GatewayPayment, 'id' | 'version' | 'updated_at'>>(
    `select id, version, updated_at
     from gapura.gateway_payment
     where id = any($1::uuid[])
     for no key update skip locked`,
    [ids],
  )

/** The same, found by order id: the one payment of that id the gateway did not refuse. */
export async function lockPaymentByOrderId(
  tx: Tx,
  order_id: string,
): Promise<GatewayPayment | undefined> {
  const [payment] = await tx.query<GatewayPayment>(
    `select ${PAYMENT_COLUMNS}
     from gapura.gateway_payment
     where order_id = $1
       and not refused
     for no key update`,
    [order_id],
  )
  return payment
}

/**
 * Gives a locked payment that was refused its order id back; false if another payment has it. A
 * charge that inserts the same order id now is waited for.
 */
export async function takeOrderId(tx: Tx, id: string): Promise<boolean> {
  await tx.query('savepoint order_id')
  try {
    await tx.query('update gapura.gateway_payment set refused = false where id = $1', [id])
    return true
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error
    await tx.query('rollback to savepoint order_id')
    return false
  }
}

/**
 * Locks refused payments that reports name by id: the gateway may have made them after all. In the
 * order of their ids, and after the payments that were not refused.
 */
export const lockRefusedPayments = async (
  tx: Tx,
  ids: readonly string[],
): Promise<GatewayPayment[]> =>
  await tx.query<GatewayPayment>(
    `select ${PAYMENT_COLUMNS}
     from gapura.gateway_payment
     where id = any($1::uuid[])
       and refused
     order by id
     for no key update`,
    [ids],
  )

/**
 * Locks several rows, for a batch of reports, in the order of their ids, so that two batches cannot
 * deadlock. Unknown and refused orders are left out.
 */
export const lockPaymentsByOrderIds = async (
  tx: Tx,
  order_ids: readonly string[],
): Promise<GatewayPayment[]> =>
  await tx.query<GatewayPayment>(
    `select ${PAYMENT_COLUMNS}
     from gapura.gateway_payment
     where order_id = any($1::text[])
       and not refused
     -- Rows are locked as they leave the sort.
     order by id
     for no key update`,
    [order_ids],
  )

/** Locks the payment of an open alarm about late money. Undefined if the alarm is another. */
export async function lockLatePayment(
  tx: Tx,
  alarm_id: string,
): Promise<GatewayPayment | undefined> {
  const [payment] = await tx.query<GatewayPayment>(
    `select ${PAYMENT_COLUMNS}
     from gapura.gateway_payment
     where id = (
       select subject_id
       from gapura.gateway_alarm
       where id = $1
         and kind = 'late_money'
         and closed_at is null
     )
     for no key update`,
    [alarm_id],
  )
  return payment
}
