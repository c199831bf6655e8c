import type { Fields } from '../wire/fields.ts'

/** A virtual account that exists for one invoice. */
export interface InvoiceAccount {
  bank: string
  number: string
}

/** There is no partly paid and no sent (gateway-protocol.md#invoice-statuses). */
export interface Invoice {
  id: string
  order_id: string
  status: 'pending' | 'overdue' | 'expired' | 'paid' | 'voided'
  gross_amount: number
  published_at: number
  due_at: number
  invoice_at: number
  /** When the payment link expires, if the merchant set it. */
  expires_at: number | undefined
  paid_at: number | undefined
  payment_type: 'payment_link' | 'virtual_account'
  virtual_accounts: InvoiceAccount[]
  taxes: Fields[]
  /** Titles, number, reference, notes, customer, items and amounts, as the merchant sent them. */
  sent: Fields
}
