import type { Caller } from '../../domain/caller.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { listPayments as listStored, type PaymentFilters } from '../../store/payments/lists.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { representSummary } from './representation.ts'

export type { Cursor } from '../../store/sql/lists.ts'

/** A page of the payments the caller may see, newest first (api-rules.md#lists). */
export async function listPayments(
  ctx: Context,
  caller: Caller,
  filters: PaymentFilters,
  page: PageRequest,
): Promise<Page<ReturnType<typeof representSummary>>> {
  const found = await withReadTransaction(
    ctx.db,
    async (tx) => await listStored(tx, caller, filters, page),
  )
  await recordListRead(ctx, caller, 'payment.list', found.results)
  return { ...found, results: found.results.map(representSummary) }
}
