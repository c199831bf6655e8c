import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import { accountOf, bookedOf, MERCHANT_BANK } from '../../domain/ledger.ts'
import { formatMoney, type Money } from '../../domain/money.ts'
import type { GatewayPayment, GatewayRefund } from '../../domain/payment.ts'
import type { RefundRequest } from '../../domain/refund_request.ts'
import { outsideRefusal, refundRefusal } from '../../domain/refund_rules.ts'
import { representRefund } from '../../domain/payment_representation.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import { postBookings } from '../../store/ledger/postings.ts'
import { lockPayment } from '../../store/payments/locks.ts'
import { findPaymentById } from '../../store/payments/rows.ts'
import { findRefundOfRequest, recordOutsideRefund } from '../../store/refunds/outside.ts'
import { lockRefunder, sumRefundsAlone } from '../../store/refunds/requests.ts'
import { insertRefund, reserveRefund } from '../../store/refunds/rows.ts'
import { newId } from '../../store/sql/values.ts'
import type { Context } from '../context.ts'
import { changeObject } from '../operations/prepare.ts'
import { problem, replied, type Outcome, type Request } from '../requests.ts'
import { PAYMENT_ACTIONS } from './operations.ts'
import { representWithin, type Refunded } from './representation.ts'

/** A refund as requested. */
export interface RefundOrder {
  amount: Money
  reason: string
  direct: boolean
  /** Paid outside the gateway already, with what proves it. */
  outside?: { reference: string; evidence: string | null }
}

/** Throws why it cannot even be tried. */
export function checkRefund(
  payment: GatewayPayment,
  { amount, direct, outside }: RefundOrder,
): void {
  const facts = { ...payment, status: payment.transaction_status }
  const refusal = outside ? outsideRefusal(facts, amount) : refundRefusal(facts, amount, direct)
  if (refusal !== undefined) throw gatewayError(refusal)
}

interface Ordered extends RefundOrder {
  payment_id: string
  /** The staff member who approved it, if one did. */
  approved_by: string | null
  /** The refund request that was approved. */
  refund_request_id: string | null
}

/**
 * Makes a refund that needs no further approval. The amount is reserved under the payment's lock
 * before it is sent, so that concurrent refunds cannot exceed the captured amount.
 */
export async function makeRefund(
  ctx: Context,
  request: Request,
  { payment_id, approved_by, refund_request_id, ...order }: Ordered,
): Promise<Outcome<Refunded>> {
  const { amount, reason, direct } = order
  const id = newId()
  const people = { requested_by: request.caller.owner_id, approved_by, refund_request_id }
  return await changeObject(ctx, request, {
    type: PAYMENT_ACTIONS[direct ? 'direct_refund' : 'refund'],
    id: payment_id,
    kept: { amount: formatMoney(amount), reason },
    check: (payment) => checkRefund(payment, order),
    reserve: async (tx, payment) => await reserve(ctx, tx, payment, { id, ...order, ...people }),
  })
}

interface Reserving extends RefundOrder {
  id: string
  requested_by: string
  approved_by: string | null
  refund_request_id: string | null
}

async function reserve(ctx: Context, tx: Tx, payment: GatewayPayment, order: Reserving) {
  const { id, amount, reason, direct: is_direct, requested_by, approved_by } = order
  const { refund_request_id } = order
  const reserved = await reserveRefund(tx, payment.id, amount)
  if (reserved === undefined) throw gatewayError('refund_amount_exceeded')
  await refuseBeyondDay(ctx, tx, order)
  ctx.reached('refund.reserved')
  const { id: payment_id, owner_id } = payment
  // The row's own id is its key: generated once, before the first call, and never changed.
  const row = { id, refund_key: id, payment_id, owner_id, amount, reason, is_direct }
  await insertRefund(tx, { ...row, requested_by, approved_by, refund_request_id })
  ctx.reached('refund.row_inserted')
  return id
}

/** An approved refund is neither counted against the daily limit nor refused by it. */
async function refuseBeyondDay(ctx: Context, tx: Tx, order: Reserving): Promise<void> {
  const limit = ctx.refunds?.daily_limit
  if (limit === undefined || order.approved_by !== null) return
  await lockRefunder(tx, order.requested_by)
  const alone = await sumRefundsAlone(tx, order.requested_by)
  if (alone + order.amount <= limit) return
  const left = formatMoney(alone >= limit ? 0n : limit - alone)
  const errors = [{ field: 'amount', message: `must be at most ${left} until a day has passed` }]
  throw gatewayError('refund_limit_reached', { errors })
}

/**
 * Makes the refund of an approved request in the name of the requester. Repeated calls make one
 * refund, even after a crash: the request is its intent, and the refund's row names it.
 */
export const makeApproved = async (
  ctx: Context,
  request: RefundRequest,
): Promise<Outcome<Refunded>> => {
  if (request.outside) return await recordOutside(ctx, request)
  const { id, payment_id, amount, reason, is_direct: direct, decided_by: approved_by } = request
  const idempotency = { owner_id: '', key: `refund-request:${id}`, fingerprint: id } as const
  const asked = { caller: requesterOf(request), request_id: `refund-request-${id}`, idempotency }
  const order = { payment_id, amount, reason, direct, approved_by }
  return await makeRefund(ctx, asked, { ...order, refund_request_id: id })
}

/**
 * Records the approved refund that was paid outside the gateway, whose status of the payment stays as
 * it is. Repeated calls record it once.
 */
const recordOutside = async (ctx: Context, request: RefundRequest): Promise<Outcome<Refunded>> =>
  await withTransaction(ctx.db, async (tx) => {
    const payment = await lockPayment(tx, request.payment_id)
    if (payment === undefined) return problem('not_found')
    let refund = await findRefundOfRequest(tx, request.id)
    if (refund === undefined) {
      const { amount, reason, reference, evidence } = request
      const outside = { reference: reference ?? '', evidence }
      checkRefund(payment, { amount, reason, direct: false, outside })
      refund = await recordOutsideRefund(tx, request)
      if (refund !== undefined) await postOutside(tx, payment, refund)
    }
    const recorded = await findPaymentById(tx, request.payment_id)
    if (refund === undefined || recorded === undefined) throw gatewayError('refund_amount_exceeded')
    return replied(200, {
      payment: await representWithin(tx, recorded),
      refund: representRefund(refund),
    })
  })

/** From the merchant's own bank account: the gateway's balance stays as it is. */
async function postOutside(
  tx: Tx,
  payment: GatewayPayment,
  { id, amount }: GatewayRefund,
): Promise<void> {
  const booked = { ...bookedOf(payment), booked_refunded: payment.booked_refunded + amount }
  const caused = {
    payment_id: payment.id,
    object_kind: 'refund',
    object_id: id,
    version: 1,
  } as const
  const now = await readClock(tx)
  const posting = {
    kind: 'refunded_outside',
    source: MERCHANT_BANK,
    destination: accountOf('refunds', payment.owner_id),
    amount,
    occurred_at: now,
  } as const
  await postBookings(tx, [{ ...caused, ...booked, postings: [posting] }], now)
}

/** With the rights that the requester had at the time: they were checked then. */
const requesterOf = ({ requested_by, requested_by_staff }: RefundRequest): Caller => ({
  owner_id: requested_by,
  staff: requested_by_staff,
  scopes: requested_by_staff ? ['staff:read', 'staff:act', 'payments:refund'] : ['payments:refund'],
})
