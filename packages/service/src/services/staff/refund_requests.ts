import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import { formatMoney } from '../../domain/money.ts'
import type { RefundRequest } from '../../domain/refund_request.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import {
  listRefundRequests as listStored,
  type RefundRequestFilters,
  decideRefundRequest,
  lockRefundRequest,
} from '../../store/refunds/requests.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { makeApproved } from '../payments/refund_order.ts'
import type { Refunded } from '../payments/representation.ts'
import { RequestProblem } from '../problem.ts'
import type { Outcome } from '../requests.ts'
import { staffList } from './staff_list.ts'
import { parseReason } from './staff_query.ts'

/** As staff see it: without the caller's key. */
export const representRefundRequest = ({
  idempotency_key: _key,
  fingerprint: _fingerprint,
  amount,
  ...request
}: RefundRequest) => ({ ...request, amount: formatMoney(amount) })

export type RefundRequestRepresentation = ReturnType<typeof representRefundRequest>

/** A page of refund requests, waiting or decided, newest first. For staff. */
export const listRefundRequests = staffList(
  'refund_request.list',
  async (tx, filters: RefundRequestFilters, page) => {
    const found = await listStored(tx, filters, page)
    return { ...found, results: found.results.map(representRefundRequest) }
  },
)

function requireRefunder(caller: Caller): void {
  requireStaff(caller, 'staff:act')
  if (caller.scopes.includes('payments:refund')) return
  throw new RequestProblem('forbidden', 'Use a key that has the scope payments:refund.')
}

/**
 * Approves a held refund with a reason and makes it; the approver must not be the requester. May be
 * repeated: it is one refund. Undefined if there is no such request.
 */
export async function approveRefund(
  ctx: Context,
  caller: Caller,
  id: string,
  input: unknown,
): Promise<Outcome<Refunded> | undefined> {
  requireRefunder(caller)
  const { reason } = parseReason(input)
  const approved = await withTransaction(ctx.db, async (tx) => {
    const held = await lockRefundRequest(tx, id)
    if (held === undefined || held.state === 'approved') return held
    if (held.state !== 'held') throw gatewayError('refund_request_ended')
    if (held.requested_by === caller.owner_id) throw gatewayError('second_person_needed')
    return await decide(tx, ctx, held, { caller, state: 'approved', reason })
  })
  return approved && (await makeApproved(ctx, approved))
}

/** Declines a held refund with a reason. The requester may decline it too. */
export async function declineRefund(
  ctx: Context,
  caller: Caller,
  id: string,
  input: unknown,
): Promise<RefundRequest | undefined> {
  requireRefunder(caller)
  const { reason } = parseReason(input)
  return await withTransaction(ctx.db, async (tx) => {
    const held = await lockRefundRequest(tx, id)
    if (held === undefined || held.state === 'declined') return held
    if (held.state !== 'held') throw gatewayError('refund_request_ended')
    return await decide(tx, ctx, held, { caller, state: 'declined', reason })
  })
}

interface Decision {
  caller: Caller
  state: 'approved' | 'declined'
  reason: string
}

async function decide(
  tx: Tx,
  ctx: Context,
  { id, owner_id, payment_id, amount, requested_by }: RefundRequest,
  { caller, state, reason }: Decision,
): Promise<RefundRequest | undefined> {
  const decided_by = caller.owner_id
  const decided = await decideRefundRequest(tx, id, { state, decided_by, reason })
  await recordAudit(tx, ctx, caller, {
    action: state === 'approved' ? 'refund.approve' : 'refund.decline',
    subject_kind: 'refund_request',
    subject_id: id,
    owner_id,
    reason,
    detail: { payment_id, amount: formatMoney(amount), requested_by },
  })
  return decided
}
