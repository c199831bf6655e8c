// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { InvoiceStatus } from './unions.ts'

export interface InvoiceSummary {
  /** The id of the invoice. */
  id: Uuid
  /** The number that is printed on the invoice. */
  invoice_number: string
  /** The order id, under which the gateway knows the payments of the invoice. */
  order_id: string
  /** The gateway's status, or `initiated` (not answered clearly yet) or `failure` (refused). */
  status: InvoiceStatus
  /** The name of the customer. */
  customer_name: string
  /** The email address of the customer. */
  customer_email: string
  /** The sum of all items, in rupiah with two decimals. */
  total_amount: Money
  /** The last day to pay, in Jakarta. */
  due_date: string
  /** Whether the due date has passed and the invoice is not paid. */
  is_overdue: boolean
  /** When the invoice was created here. */
  created_at: Timestamp | null
}
