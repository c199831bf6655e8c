// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { AmountInput } from '../values.ts'
import type { Bank } from './unions.ts'

export interface InvoiceInput {
  /** 1 to 40 characters. */
  customer_name: string
  /** Up to 255 characters. */
  customer_email: string
  /** Fits `^[1-9][0-9]{4,14}$`. */
  customer_phone?: string
  /** 1 to 36 characters. */
  customer_id?: string
  /** Up to 10 characters. */
  due_date: string
  /** Up to 10 characters. */
  invoice_date?: string
  /** At most 200. */
  items: Items[]
  /** Up to 1000 characters. */
  notes?: string
  /** 1 to 36 characters. */
  order_id?: string
  /** 1 to 40 characters. */
  invoice_number?: string
  payment_type?: 'payment_link' | 'virtual_account'
  /** At most 40. */
  enabled_payments?: string[]
  /** At most 6. */
  virtual_accounts?: VirtualAccounts[]
  metadata?: Record<string, unknown>
}

export interface Items {
  /** 1 to 30 characters. */
  item_id?: string
  /** 1 to 150 characters. */
  description: string
  price: AmountInput
  /** 1 to 99999999. */
  quantity?: number
}

export interface VirtualAccounts {
  bank: Bank
  /** Fits `^[0-9]{1,18}$`. */
  number?: string
}
