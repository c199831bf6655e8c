import type { Caller } from '../domain/caller.ts'
import type { Context } from '../services/context.ts'
import { parseInvoiceQuery } from '../services/invoices/invoice_query.ts'
import { listInvoices } from '../services/invoices/list_invoices.ts'
import { refuseValue } from './json_body.ts'
import { pageFor, type ListPage } from './pages.ts'

type Summary = Awaited<ReturnType<typeof listInvoices>>['results'][number]

export type InvoicePage = ListPage<Summary>

/** A page of the caller's invoices for a query of texts. */
export async function listInvoicePage(
  ctx: Context,
  caller: Caller,
  query: Readonly<Record<string, unknown>>,
): Promise<InvoicePage> {
  refuseValue(query)
  const { filters, ...asked } = parseInvoiceQuery(query)
  return await pageFor(asked, async (page) => await listInvoices(ctx, caller, filters, page))
}
