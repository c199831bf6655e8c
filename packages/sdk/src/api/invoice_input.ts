// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { AmountInput } from '../values.ts'
import type { Bank } from './unions.ts'

export interface InvoiceInput {
  /** The name of the customer. 1 to 40 characters. */
  customer_name: string
  /**
   * The email address of the customer; the gateway sends the invoice to it. Up to 255
   * characters.
   */
  customer_email: string
  /**
   * The phone number of the customer, with the country code and without a plus. Fits
   * `^[1-9][0-9]{4,14}$`.
   */
  customer_phone?: string
  /** Your own id of the customer. 1 to 36 characters. */
  customer_id?: string
  /** The last day to pay in Jakarta, as 2026-01-31. Up to 10 characters. */
  due_date: string
  /** The day of the invoice in Jakarta, as 2026-01-31; today by default. Up to 10 characters. */
  invoice_date?: string
  /** What is billed; the sum is the amount of the invoice. At most 200. */
  items: Items[]
  /** Notes that are printed on the invoice. Up to 1000 characters. */
  notes?: string
  /** Your own order id, unique; one is made where it is left out. 1 to 36 characters. */
  order_id?: string
  /** The number of the invoice; one is made where it is left out. 1 to 40 characters. */
  invoice_number?: string
  /** How the customer pays; `payment_link` by default. */
  payment_type?: 'payment_link' | 'virtual_account'
  /** The payment methods that the payment link offers; all by default. At most 40. */
  enabled_payments?: string[]
  /** The virtual accounts to open, for `virtual_account`. At most 6. */
  virtual_accounts?: VirtualAccounts[]
  /** Your own data; it is stored and returned as it was given. */
  metadata?: Record<string, unknown>
}

export interface Items {
  /** Your own id of the item. 1 to 30 characters. */
  item_id?: string
  /** The item, as it is printed on the invoice. 1 to 150 characters. */
  description: string
  /** The price of one in whole rupiah. */
  price: AmountInput
  /** How many are ordered; 1 by default. 1 to 99999999. */
  quantity?: number
}

export interface VirtualAccounts {
  /** The bank of the virtual account. */
  bank: Bank
  /** The account number you want; the gateway chooses one by default. Fits `^[0-9]{1,18}$`. */
  number?: string
}
