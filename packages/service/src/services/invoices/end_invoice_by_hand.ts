import type { GatewayInvoice } from '../../domain/invoice.ts'
import { formatMoney } from '../../domain/money.ts'
import { gatewayError } from '../../domain/errors.ts'
import { invoiceFactsOf, type InvoiceFacts } from '../../gateway/invoice_facts.ts'
import type { Context } from '../context.ts'
import type { DueOperation, HandOrder } from '../operations/due.ts'
import { endChangeByHand, endCreationByHand } from '../operations/end_object_by_hand.ts'
import { INVOICE_CREATION } from './invoice_creation.ts'
import { discoverInvoice } from './resolve_invoice.ts'
import { INVOICE_VOID } from './void_invoice.ts'

/** Ends an operation on an invoice in a person's name. */
export async function endInvoiceByHand(
  ctx: Context,
  due: DueOperation,
  order: HandOrder,
): Promise<void> {
  if (due.operation.kind === 'void_invoice') {
    await endChangeByHand(ctx, due, order, INVOICE_VOID)
    return
  }
  await endCreationByHand(ctx, due, order, {
    creation: INVOICE_CREATION,
    ask: async (gateway_id) => known(invoiceFactsOf(await ctx.gateway.getInvoice(gateway_id))),
    differs,
    discover: async (invoice) => await discoverInvoice(ctx, invoice),
  })
}

function known(facts: InvoiceFacts | undefined): InvoiceFacts {
  if (facts === undefined) throw gatewayError('gateway_failed', { operation: 'get_invoice' })
  return facts
}

/** Its order id is ours alone, and it asks for what we asked for. */
function differs(invoice: GatewayInvoice, facts: InvoiceFacts): string | undefined {
  if (facts.order_id !== invoice.order_id) {
    return `there it is the invoice of order ${facts.order_id}, not of ${invoice.order_id}`
  }
  if (facts.total_amount === invoice.total_amount) return undefined
  const asked = facts.total_amount === null ? 'no amount' : formatMoney(facts.total_amount)
  return `there it asks for ${asked}, not for ${formatMoney(invoice.total_amount)}`
}
