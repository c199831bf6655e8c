import type { Money } from '../domain/money.ts'
import type { GatewayPayment } from '../domain/payment.ts'
import type { Tx } from './transaction.ts'

/** The amounts refunds are judged by. */
export type RefundAmounts = Pick<
  GatewayPayment,
  'captured_amount' | 'refunded_amount' | 'refund_reserved_amount'
>

const AMOUNTS = 'captured_amount, refunded_amount, refund_reserved_amount'

/**
 * Sets an amount aside for a refund, before anybody is asked to pay it. Returns nothing, and
 * reserves nothing, if less than that is left: two refunds never share the same rupiah.
 */
export async function reserveRefund(
  tx: Tx,
  payment_id: string,
  amount: Money,
): Promise<RefundAmounts | undefined> {
  const [amounts] = await tx.query<RefundAmounts>(
    `update gapura.gateway_payment
     set refund_reserved_amount = refund_reserved_amount + $2::numeric,
         updated_at = gapura.now()
     where id = $1
       and $2::numeric > 0
       and refunded_amount + refund_reserved_amount + $2::numeric <= captured_amount
     returning ${AMOUNTS}`,
    [payment_id, amount],
  )
  return amounts
}

/**
 * Gives a reservation back: only on a definite refusal, or by staff. Returns nothing if so much is
 * not reserved. Once for each reservation; the caller holds the refund's row to know.
 */
export async function releaseRefund(
  tx: Tx,
  payment_id: string,
  amount: Money,
): Promise<RefundAmounts | undefined> {
  const [amounts] = await tx.query<RefundAmounts>(
    `update gapura.gateway_payment
     set refund_reserved_amount = refund_reserved_amount - $2::numeric,
         updated_at = gapura.now()
     where id = $1
       and refund_reserved_amount >= $2
     returning ${AMOUNTS}`,
    [payment_id, amount],
  )
  return amounts
}
