// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { InvoiceStatus } from './unions.ts'

export interface InvoiceSummary {
  id: Uuid
  invoice_number: string
  order_id: string
  status: InvoiceStatus
  customer_name: string
  customer_email: string
  total_amount: Money
  due_date: string
  is_overdue: boolean
  created_at: Timestamp | null
}
