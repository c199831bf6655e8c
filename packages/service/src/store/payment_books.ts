import type { GatewayPayment } from '../domain/payment.ts'
import type { Tx } from './transaction.ts'

/** What a payment moved, to be held against the gateway's own books. */
export type PaymentBook = Pick<
  GatewayPayment,
  | 'id'
  | 'order_id'
  | 'transaction_status'
  | 'refused'
  | 'captured_amount'
  | 'refunded_amount'
  | 'refund_reserved_amount'
>

/** Every payment once, a page after this id. Those that are made meanwhile may be missed. */
export const listPaymentBooks = async (
  tx: Tx,
  { after, limit }: { after: string; limit: number },
): Promise<PaymentBook[]> =>
  await tx.query<PaymentBook>(
    `select id, order_id, transaction_status, refused, captured_amount, refunded_amount,
       refund_reserved_amount
     from gapura.gateway_payment
     where id > $1
     order by id
     limit $2`,
    [after, limit],
  )
