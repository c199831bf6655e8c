import type { GatewayInvoice, GatewayInvoiceItem } from './invoice.ts'
import { formatMoney } from './money.ts'
import { jakartaDay } from './time.ts'

const time = (at: Date | null): string | null => at?.toISOString() ?? null

/**
 * Whether the due day is over in Jakarta and the invoice is unpaid, whatever was reported so far.
 */
const isOverdue = ({ status, due_date }: GatewayInvoice, now: Date): boolean =>
  status === 'overdue' || (status === 'pending' && due_date < jakartaDay(now))

/** The reduced form of lists (api-rules.md#invoices). */
export const representInvoiceSummary = (invoice: GatewayInvoice, now: Date) => ({
  id: invoice.id,
  invoice_number: invoice.invoice_number,
  order_id: invoice.order_id,
  status: invoice.status,
  customer_name: invoice.customer_name,
  customer_email: invoice.customer_email,
  total_amount: formatMoney(invoice.total_amount),
  due_date: invoice.due_date,
  is_overdue: isOverdue(invoice, now),
  created_at: time(invoice.created_at),
})

const representInvoiceItem = (item: GatewayInvoiceItem) => ({
  id: item.id,
  item_id: item.item_id,
  description: item.description,
  quantity: item.quantity,
  price: formatMoney(item.price),
  subtotal: formatMoney(item.price * BigInt(item.quantity)),
})

export interface InvoiceParts {
  invoice: GatewayInvoice
  items: readonly GatewayInvoiceItem[]
  /** The payments made through it, oldest first. */
  payment_ids: readonly string[]
}

/** The full form (api-rules.md#invoices). */
export const representInvoice = ({ invoice, items, payment_ids }: InvoiceParts, now: Date) => ({
  id: invoice.id,
  invoice_number: invoice.invoice_number,
  order_id: invoice.order_id,
  gateway_invoice_id: invoice.gateway_invoice_id,
  status: invoice.status,
  customer_name: invoice.customer_name,
  customer_email: invoice.customer_email,
  customer_phone: invoice.customer_phone,
  customer_id: invoice.customer_id,
  total_amount: formatMoney(invoice.total_amount),
  currency: invoice.currency,
  invoice_date: invoice.invoice_date,
  due_date: invoice.due_date,
  paid_at: time(invoice.paid_at),
  notes: invoice.notes,
  void_reason: invoice.void_reason,
  payment_link_url: invoice.payment_link_url,
  pdf_url: invoice.pdf_url,
  virtual_accounts: invoice.virtual_accounts,
  items: items.map(representInvoiceItem),
  payment_ids,
  is_overdue: isOverdue(invoice, now),
  metadata: invoice.metadata,
  created_at: time(invoice.created_at),
  updated_at: time(invoice.updated_at),
})

export type InvoiceRepresentation = ReturnType<typeof representInvoice>
