import type { Evidence } from '../../domain/answer.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import { invoiceNamedIn } from '../../gateway/invoice_facts.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import { findInvoiceByGatewayId, findInvoicesByOrderIds } from '../../store/invoices/lookups.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import type { LinkedTo } from './linked_to.ts'

/** What the gateway appends to an invoice's order id for each payment of it. */
const SUFFIX = /-\d{6,20}$/

/**
 * The invoice a payment is for. The gateway names it in a field that its signature does not cover
 * (gateway-protocol.md#invoice-notifications), so a report is accepted only if its signed order id
 * begins with that of the invoice.
 */
export async function linkInvoice(
  tx: Tx,
  payload: TransactionReply,
  evidence: Evidence,
): Promise<LinkedTo | 'ask' | undefined> {
  const named = invoiceNamedIn(payload)
  if (named === undefined) return undefined
  const stem = await invoiceOfOrder(tx, payload.order_id ?? '')
  if (stem !== undefined && (stem.gateway_invoice_id ?? named) === named) {
    return linkedTo(stem, named)
  }
  const known = await findInvoiceByGatewayId(tx, named)
  if (known === undefined) return undefined
  return evidence === 'gateway_answer' ? linkedTo(known, named) : 'ask'
}

async function invoiceOfOrder(tx: Tx, order_id: string): Promise<GatewayInvoice | undefined> {
  const stems = [order_id, order_id.replace(SUFFIX, '')]
  const [first, second] = await findInvoicesByOrderIds(tx, stems)
  // Ambiguous: one invoice's order id equals another's with a number appended. Do not guess.
  return second === undefined ? first : undefined
}

const linkedTo = (invoice: GatewayInvoice, midtrans_invoice_id: string): LinkedTo => ({
  owner_id: invoice.owner_id,
  invoice_id: invoice.id,
  subscription_id: null,
  gross_amount: invoice.total_amount,
  customer_first_name: invoice.customer_name,
  customer_last_name: null,
  customer_email: invoice.customer_email,
  customer_phone: invoice.customer_phone,
  metadata: { midtrans_invoice_id },
})
