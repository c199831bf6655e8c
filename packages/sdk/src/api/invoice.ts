// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { InvoiceItem } from './invoice_item.ts'
import type { InvoiceVirtualAccount } from './invoice_virtual_account.ts'
import type { InvoiceStatus } from './unions.ts'

export interface Invoice {
  /** The id of the invoice. */
  id: Uuid
  /** The number that is printed on the invoice. */
  invoice_number: string
  /** The order id, under which the gateway knows the payments of the invoice. */
  order_id: string
  /** The gateway's id of the invoice; null until it has answered. */
  gateway_invoice_id: string | null
  /** The gateway's status, or `initiated` (not answered clearly yet) or `failure` (refused). */
  status: InvoiceStatus
  /** The name of the customer. */
  customer_name: string
  /** The email address of the customer. */
  customer_email: string
  /** The phone number of the customer. */
  customer_phone: string | null
  /** Your own id of the customer. */
  customer_id: string | null
  /** The sum of all items, in rupiah with two decimals. */
  total_amount: Money
  /** The currency; always `IDR`. */
  currency: string
  /** The day the invoice was issued, in Jakarta. */
  invoice_date: string
  /** The last day to pay, in Jakarta. */
  due_date: string
  /** When the invoice was paid. */
  paid_at: Timestamp | null
  /** The notes that are printed on the invoice. */
  notes: string | null
  /** Why the invoice was voided. */
  void_reason: string | null
  /** The page where the customer pays. */
  payment_link_url: string | null
  /** The invoice as a PDF file. */
  pdf_url: string | null
  /** The virtual accounts the customer can transfer to. */
  virtual_accounts: InvoiceVirtualAccount[]
  /** The items of the invoice. */
  items: InvoiceItem[]
  /** The payments of the invoice, oldest first. */
  payment_ids: Uuid[]
  /** Whether the due date has passed and the invoice is not paid. */
  is_overdue: boolean
  /** Your own data, stored as it was given. */
  metadata: Record<string, unknown>
  /** When the invoice was created here. */
  created_at: Timestamp | null
  /** When the invoice last changed here. */
  updated_at: Timestamp | null
}
