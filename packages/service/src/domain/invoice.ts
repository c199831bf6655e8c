import type { Money } from './money.ts'
import type { Metadata } from './payment.ts'

/** The gateway's six statuses, and our own `initiated` (stored) and `failure` (refused). */
export const INVOICE_STATUSES = [
  'initiated',
  'failure',
  'draft',
  'pending',
  'overdue',
  'paid',
  'expired',
  'voided',
] as const

export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export interface GatewayInvoice {
  id: string
  owner_id: string
  invoice_number: string
  order_id: string
  gateway_invoice_id: string | null
  status: InvoiceStatus
  customer_id: string | null
  customer_name: string
  customer_email: string
  customer_phone: string | null
  total_amount: Money
  currency: string
  /** Calendar days in Jakarta. */
  invoice_date: string
  due_date: string
  notes: string | null
  void_reason: string | null
  payment_link_url: string | null
  pdf_url: string | null
  virtual_accounts: readonly { name: string; number: string }[]
  paid_at: Date | null
  metadata: Metadata
  version: number
  next_check_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface GatewayInvoiceItem {
  id: string
  invoice_id: string
  owner_id: string
  position: number
  item_id: string | null
  description: string
  quantity: number
  price: Money
}
