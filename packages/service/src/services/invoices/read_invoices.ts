import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import type { FieldFault } from '../../domain/charge_rules.ts'
import { INVOICE_STATUSES, type GatewayInvoice } from '../../domain/invoice.ts'
import { isDay } from '../../domain/invoice_dates.ts'
import {
  representInvoice,
  representInvoiceSummary,
  type InvoiceRepresentation,
} from '../../domain/invoice_representation.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { listPaymentIdsOfInvoice } from '../../store/invoices/lookups.ts'
import {
  findInvoice,
  listInvoiceItems,
  listInvoices as listStored,
  type InvoiceFilters,
} from '../../store/invoices/rows.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { recordRead, recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { listQueryParser, PAGE_QUERY } from '../page_query.ts'
import { secretFaults } from '../validation.ts'

/** The full form of an invoice as it stands in this transaction. */
export async function representInvoiceWithin(
  tx: Tx,
  invoice: GatewayInvoice,
): Promise<InvoiceRepresentation> {
  const [items, payment_ids, now] = await Promise.all([
    listInvoiceItems(tx, invoice.id),
    listPaymentIdsOfInvoice(tx, invoice.id),
    readClock(tx),
  ])
  return representInvoice({ invoice, items, payment_ids }, now)
}

/** An invoice of the caller; undefined if it is missing or another owner's (ADR 0020). */
export async function readInvoice(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<InvoiceRepresentation | undefined> {
  const read = await withReadTransaction(ctx.db, async (tx) => {
    const invoice = await findInvoice(tx, caller, id)
    return invoice && { invoice, shown: await representInvoiceWithin(tx, invoice) }
  })
  if (read !== undefined) await recordRead(ctx, caller, 'invoice.read', read.invoice)
  return read?.shown
}

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

const maybe = Type.Optional
const day = (description: string) => Type.String({ minLength: 10, maxLength: 10, description })

/** What a list of invoices can be asked (api-rules.md#lists). */
export const INVOICE_QUERY = Type.Object(
  {
    status: maybe(
      Type.Enum([...INVOICE_STATUSES], { description: 'Only invoices in this status.' }),
    ),
    customer_email: maybe(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Only invoices of the customer with this email address.',
      }),
    ),
    due_before: maybe(day('Only invoices that are due before this day, as 2026-01-31.')),
    due_after: maybe(day('Only invoices that are due after this day, as 2026-01-31.')),
    ...PAGE_QUERY,
  },
  { additionalProperties: false },
)

export const parseInvoiceQuery = listQueryParser(INVOICE_QUERY, (query) => {
  const { status, customer_email, due_before, due_after } = query
  const filters: InvoiceFilters = {
    ...(status && { status }),
    ...(customer_email && { customer_email }),
    ...(due_before && { due_before }),
    ...(due_after && { due_after }),
  }
  // The links to other pages repeat what was asked.
  const secrets = secretFaults({ customer_email })
  return { filters, faults: [...secrets, ...dayFaults({ due_before, due_after })] }
})

const dayFaults = (days: Record<string, string | undefined>): FieldFault[] =>
  Object.entries(days).flatMap(([field, given]) =>
    given === undefined || isDay(given) ? [] : [{ field, message: 'a day as YYYY-MM-DD' }],
  )
