// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { InvoiceItem } from './invoice_item.ts'
import type { InvoiceVirtualAccount } from './invoice_virtual_account.ts'
import type { InvoiceStatus } from './unions.ts'

export interface Invoice {
  id: Uuid
  invoice_number: string
  order_id: string
  gateway_invoice_id: string | null
  status: InvoiceStatus
  customer_name: string
  customer_email: string
  customer_phone: string | null
  customer_id: string | null
  total_amount: Money
  currency: string
  invoice_date: string
  due_date: string
  paid_at: Timestamp | null
  notes: string | null
  void_reason: string | null
  payment_link_url: string | null
  pdf_url: string | null
  virtual_accounts: InvoiceVirtualAccount[]
  items: InvoiceItem[]
  payment_ids: Uuid[]
  is_overdue: boolean
  metadata: Record<string, unknown>
  created_at: Timestamp | null
  updated_at: Timestamp | null
}
