import type { GatewayInvoice } from '../../domain/invoice.ts'
import type { InvoiceFacts } from '../../gateway/invoice_facts.ts'
import { parseInvoiceRequest, type InvoiceRequest } from '../../gateway/wire/invoices.ts'
import { findInvoiceHint } from '../../store/invoice_lookups.ts'
import { withReadTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import type { DueOperation } from '../operations/due.ts'
import { resolveChange, resolveCreation } from '../operations/resolve_object.ts'
import { factsAbout, invoiceCreation } from './invoice_creation.ts'
import { invoiceNamedIn } from './link_invoice.ts'
import { INVOICE_VOID } from './void_invoice.ts'

/** Brings an operation on an invoice as far as the gateway's word goes. */
export async function resolveInvoice(ctx: Context, due: DueOperation): Promise<void> {
  const { kind, request } = due.operation
  if (kind === 'void_invoice') {
    await resolveChange(ctx, due, INVOICE_VOID)
    return
  }
  const payload = parseInvoiceRequest(request)
  await resolveCreation(ctx, due, {
    creation: invoiceCreation(ctx, () => written(payload)),
    can_replay: payload !== undefined,
    discover: async (invoice) => await discoverInvoice(ctx, invoice),
  })
}

function written(payload: InvoiceRequest | undefined): InvoiceRequest {
  if (payload === undefined) throw new Error('an invoice was written down that cannot be read')
  return payload
}

/**
 * A payment through the invoice names it; the gateway says whether that is so. Where none was told
 * of, the gateway may know one by the invoice's own order id.
 */
export async function discoverInvoice(
  ctx: Context,
  invoice: GatewayInvoice,
): Promise<InvoiceFacts | undefined> {
  const hint = await withReadTransaction(
    ctx.db,
    async (tx) => await findInvoiceHint(tx, invoice.id),
  )
  const named = invoiceNamedIn(hint ?? (await ctx.gateway.getStatus(invoice.order_id)))
  return named === undefined ? undefined : factsAbout(invoice, await ctx.gateway.getInvoice(named))
}
