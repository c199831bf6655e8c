import type { Caller } from '../../domain/caller.ts'
import type { RefundRequest } from '../../domain/refund_request.ts'
import type { Context } from '../context.ts'
import type { Outcome } from '../requests.ts'
import { makeRefund } from './refund_order.ts'

/**
 * Makes the refund of an approved request in the name of the requester. Repeated calls make one
 * refund, even after a crash: the request is its intent, and the refund's row names it.
 */
export const makeApproved = async (ctx: Context, request: RefundRequest): Promise<Outcome> => {
  const { id, payment_id, amount, reason, is_direct: direct, decided_by: approved_by } = request
  const idempotency = { owner_id: '', key: `refund-request:${id}`, fingerprint: id } as const
  const asked = { caller: requesterOf(request), request_id: `refund-request-${id}`, idempotency }
  const order = { payment_id, amount, reason, direct, approved_by }
  return await makeRefund(ctx, asked, { ...order, refund_request_id: id })
}

/** With the rights that the requester had at the time: they were checked then. */
const requesterOf = ({ requested_by, requested_by_staff }: RefundRequest): Caller => ({
  owner_id: requested_by,
  staff: requested_by_staff,
  scopes: requested_by_staff ? ['staff:read', 'staff:act', 'payments:refund'] : ['payments:refund'],
})
