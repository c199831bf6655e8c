import type { Caller } from '../../domain/caller.ts'
import type { Page, PageRequest } from '../../store/keyset.ts'
import { listPayments as listStored, type PaymentFilters } from '../../store/payment_lists.ts'
import { withReadTransaction } from '../../store/transaction.ts'
import { noteList } from '../audit/note_read.ts'
import type { Context } from '../context.ts'
import { representSummary } from './representation.ts'

export type { Cursor } from '../../store/keyset.ts'

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
  await noteList(ctx, caller, 'payment.list', found.results)
  return { ...found, results: found.results.map(representSummary) }
}
