import type { Money } from '../../domain/money.ts'
import type { GatewayPayment, GatewayRefund } from '../../domain/payment.ts'
import type { Tx } from '../connection/transaction.ts'
import { toJson } from '../sql/values.ts'

export const REFUND_COLUMNS = `
  id, payment_id, owner_id, refund_key, amount, reason, is_direct, status, source, status_code,
  status_message, confirmed_at, created_at, updated_at, reference, evidence`

export type NewRefund = Pick<
  GatewayRefund,
  'id' | 'payment_id' | 'owner_id' | 'refund_key' | 'amount' | 'reason' | 'is_direct'
> & {
  /** Who requested it, and who approved it (ADR 0010). */
  requested_by?: string
  approved_by?: string | null
  refund_request_id?: string | null
}

const NEW_COLUMNS = `id, payment_id, owner_id, refund_key, amount, reason, is_direct, requested_by,
  approved_by, refund_request_id`

/**
 * Stores a refund as `pending`. The payment is locked and the amount reserved before. Fails if its
 * request already has a refund that did not fail: one request is refunded once.
 */
export async function insertRefund(tx: Tx, refund: NewRefund): Promise<GatewayRefund | undefined> {
  const [inserted] = await tx.query<GatewayRefund>(
    `insert into gapura.gateway_refund (${NEW_COLUMNS})
     select ${NEW_COLUMNS}
     from jsonb_populate_record(null::gapura.gateway_refund, $1)
     returning ${REFUND_COLUMNS}`,
    [toJson(refund)],
  )
  return inserted
}

/** The refund of this payment that carries the key. */
export async function findRefundByKey(
  tx: Tx,
  payment_id: string,
  refund_key: string,
): Promise<GatewayRefund | undefined> {
  const [refund] = await tx.query<GatewayRefund>(
    `select ${REFUND_COLUMNS}
     from gapura.gateway_refund
     where payment_id = $1
       and refund_key = $2`,
    [payment_id, refund_key],
  )
  return refund
}

/** All refunds of a payment, oldest first, including those made at the gateway. */
export const listRefunds = async (tx: Tx, payment_id: string): Promise<GatewayRefund[]> =>
  await tx.query<GatewayRefund>(
    `select ${REFUND_COLUMNS}
     from gapura.gateway_refund
     where payment_id = $1
     order by created_at, id`,
    [payment_id],
  )

/** The same of several payments. No statement if none is asked for. */
export async function listRefundsOfPayments(
  tx: Tx,
  payment_ids: readonly string[],
): Promise<ReadonlyMap<string, GatewayRefund[]>> {
  if (payment_ids.length === 0) return new Map()
  const refunds = await tx.query<GatewayRefund>(
    `select ${REFUND_COLUMNS}
     from gapura.gateway_refund
     where payment_id = any($1::uuid[])
     order by payment_id, created_at, id`,
    [payment_ids],
  )
  return Map.groupBy(refunds, ({ payment_id }) => payment_id)
}

type RefundEnd = Pick<GatewayRefund, 'status' | 'status_code' | 'status_message' | 'confirmed_at'>

/**
 * Ends a pending refund. Undefined if it has ended already, so that the caller moves the reserved
 * amount exactly once.
 */
export async function finishRefund(
  tx: Tx,
  id: string,
  end: RefundEnd,
): Promise<GatewayRefund | undefined> {
  const [finished] = await tx.query<GatewayRefund>(
    `update gapura.gateway_refund
     set status = $2,
         status_code = $3,
         status_message = $4,
         confirmed_at = coalesce(confirmed_at, $5),
         -- A request whose refund failed may have another.
         refund_request_id = case when $2 = 'failed' then null else refund_request_id end,
         updated_at = gapura.now()
     where id = $1
       and status = 'pending'
     returning ${REFUND_COLUMNS}`,
    [id, end.status, end.status_code, end.status_message, end.confirmed_at],
  )
  return finished
}

/** The amounts that decide about refunds. */
export type RefundAmounts = Pick<
  GatewayPayment,
  'captured_amount' | 'refunded_amount' | 'refund_reserved_amount'
>

const AMOUNTS = 'captured_amount, refunded_amount, refund_reserved_amount'

/**
 * Reserves an amount for a refund before it is sent. Undefined, and nothing is reserved, if less is
 * left: two refunds never use the same rupiah.
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
 * Releases a reservation: only on a definite refusal, or by staff. Undefined if less is reserved.
 * Once for each reservation; the caller holds the refund's row.
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
