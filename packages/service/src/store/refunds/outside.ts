import type { GatewayPayment, GatewayRefund } from '../../domain/payment.ts'
import type { RefundRequest } from '../../domain/refund_request.ts'
import { doneOnCommit, type Tx } from '../connection/transaction.ts'
import { conditionsOf, pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'
import { newId } from '../sql/values.ts'
import { REFUND_COLUMNS } from './rows.ts'

/**
 * Records a refund that was paid outside the gateway, as approved: adds it to the refunded amount
 * under the same condition as a reservation. Undefined, and nothing is written, if less is left. The
 * payment must be locked; the request's refund is unique.
 */
export async function recordOutsideRefund(
  tx: Tx,
  request: RefundRequest,
): Promise<GatewayRefund | undefined> {
  const [recorded] = await tx.query<GatewayRefund>(
    `with payment as (
       update gapura.gateway_payment
       set refunded_amount = refunded_amount + $3::numeric,
           updated_at = gapura.now()
       where id = $2
         and $3::numeric > 0
         and refunded_amount + refund_reserved_amount + $3::numeric <= captured_amount
       returning id, owner_id
     )
     insert into gapura.gateway_refund
       (id, payment_id, owner_id, refund_key, amount, reason, is_direct, status, source,
        confirmed_at, requested_by, approved_by, refund_request_id, reference, evidence)
     select $1::uuid, payment.id, payment.owner_id, 'outside-' || $1, $3, $4, false, 'succeeded',
       'outside', gapura.now(), $5, $6, $7, $8, $9
     from payment
     returning ${REFUND_COLUMNS}`,
    [
      newId(),
      request.payment_id,
      request.amount,
      request.reason,
      request.requested_by,
      request.decided_by,
      request.id,
      request.reference,
      request.evidence,
    ],
  )
  if (recorded !== undefined) doneOnCommit({ kind: 'refunded', amount: recorded.amount })
  return recorded
}

/** The refund of an approved request, if it was made. */
export async function findRefundOfRequest(
  tx: Tx,
  refund_request_id: string,
): Promise<GatewayRefund | undefined> {
  const [refund] = await tx.query<GatewayRefund>(
    `select ${REFUND_COLUMNS}
     from gapura.gateway_refund
     where refund_request_id = $1`,
    [refund_request_id],
  )
  return refund
}

export interface RefundFilters {
  status?: GatewayRefund['status']
  source?: GatewayRefund['source']
}

const FILTERS = [
  ['status', 'refund.status = ?'],
  ['source', 'refund.source = ?'],
] as const satisfies readonly (readonly [keyof RefundFilters, string])[]

const LISTED = [
  'id',
  'payment_id',
  'owner_id',
  'refund_key',
  'amount',
  'reason',
  'is_direct',
  'status',
  'source',
  'status_message',
  'confirmed_at',
  'created_at',
  'reference',
  'evidence',
] as const satisfies readonly (keyof GatewayRefund)[]

export type StaffRefundRow = Pick<GatewayRefund, (typeof LISTED)[number]> &
  Pick<GatewayPayment, 'order_id' | 'payment_type'> & {
    requested_by: string | null
    approved_by: string | null
  }

/** A page of all refunds, newest first. For staff: not filtered by owner. */
export async function listAllRefunds(
  tx: Tx,
  filters: RefundFilters,
  request: PageRequest,
): Promise<Page<StaffRefundRow>> {
  const columns = [...LISTED, 'requested_by', 'approved_by'].map((name) => `refund.${name}`)
  const { text, values } = pageStatement(
    {
      table: `gapura.gateway_refund as refund
        join gapura.gateway_payment as payment on payment.id = refund.payment_id`,
      columns: [...columns, 'payment.order_id', 'payment.payment_type'].join(', '),
      of: 'refund.',
      conditions: conditionsOf(FILTERS, filters),
    },
    request,
  )
  return pageOf(await tx.query<StaffRefundRow>(text, values, { prepare: false }), request)
}
