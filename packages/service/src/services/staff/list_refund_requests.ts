import type { Caller } from '../../domain/caller.ts'
import { formatMoney } from '../../domain/money.ts'
import type { RefundRequest } from '../../domain/refund_request.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import {
  listRefundRequests as listStored,
  type RefundRequestFilters,
} from '../../store/refunds/requests.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'

/** As staff see it: without the caller's key. */
export const representRefundRequest = ({
  idempotency_key: _key,
  fingerprint: _fingerprint,
  amount,
  ...request
}: RefundRequest) => ({ ...request, amount: formatMoney(amount) })

export type RefundRequestRepresentation = ReturnType<typeof representRefundRequest>

/** A page of refund requests, waiting or decided, newest first. For staff. */
export async function listRefundRequests(
  ctx: Context,
  caller: Caller,
  filters: RefundRequestFilters,
  page: PageRequest,
): Promise<Page<RefundRequestRepresentation>> {
  requireStaff(caller, 'staff:read')
  const found = await withReadTransaction(ctx.db, async (tx) => await listStored(tx, filters, page))
  await recordListRead(ctx, caller, 'refund_request.list', found.results)
  return { ...found, results: found.results.map(representRefundRequest) }
}
