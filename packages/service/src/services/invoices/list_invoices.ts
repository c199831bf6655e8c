import type { Caller } from '../../domain/caller.ts'
import { listInvoices as listStored, type InvoiceFilters } from '../../store/invoices/rows.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { representInvoiceSummary } from './invoice_representation.ts'

/** A page of the invoices the caller may see, newest first (api-rules.md#lists). */
export async function listInvoices(
  ctx: Context,
  caller: Caller,
  filters: InvoiceFilters,
  page: PageRequest,
): Promise<Page<ReturnType<typeof representInvoiceSummary>>> {
  const { found, now } = await withReadTransaction(ctx.db, async (tx) => ({
    found: await listStored(tx, caller, filters, page),
    now: await readClock(tx),
  }))
  await recordListRead(ctx, caller, 'invoice.list', found.results)
  const results = found.results.map((invoice) => representInvoiceSummary(invoice, now))
  return { ...found, results }
}
