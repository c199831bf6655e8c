import type { Caller } from '../domain/caller.ts'
import type { Context } from '../services/context.ts'
import { listStaffPayments, type StaffSummary } from '../services/staff/list_payments.ts'
import { parseStaffPaymentQuery } from '../services/staff/payment_query.ts'
import { refuseValue } from './json_body.ts'
import type { ListPage } from './pages.ts'
import { decodeSortedCursor, encodeSortedCursor } from './staff_payment_cursors.ts'

/** A page of all payments for a query of texts. */
export async function staffPaymentPage(
  ctx: Context,
  caller: Caller,
  query: Readonly<Record<string, unknown>>,
): Promise<ListPage<StaffSummary>> {
  refuseValue(query)
  const { page_size, cursor, ...asked } = parseStaffPaymentQuery(query)
  const request = {
    sort: asked.sort,
    page_size,
    cursor: cursor === null ? null : decodeSortedCursor(cursor),
  }
  const { next, previous, results } = await listStaffPayments(ctx, caller, asked, request)
  return {
    next: next && encodeSortedCursor(next),
    previous: previous && encodeSortedCursor(previous),
    results,
  }
}
