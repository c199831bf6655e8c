import type { Caller } from '../../domain/caller.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import { listPaymentIdsOfInvoice } from '../../store/invoices/lookups.ts'
import { findInvoice, listInvoiceItems } from '../../store/invoices/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { representInvoice, type InvoiceRepresentation } from './invoice_representation.ts'

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
