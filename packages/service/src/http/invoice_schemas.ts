// What the routes of invoices answer, as schemas for the OpenAPI file.
import { Type } from 'typebox'
import { INVOICE_STATUSES } from '../domain/invoice.ts'
import { money, named, text, textOrNull, timeOrNull, uuid, yesOrNo } from './schema_parts.ts'

const status = Type.Enum([...INVOICE_STATUSES])
const day = Type.String({ format: 'date' })

const INVOICE_SUMMARY = named('InvoiceSummary', {
  id: uuid,
  invoice_number: text,
  order_id: text,
  status,
  customer_name: text,
  customer_email: text,
  total_amount: money,
  due_date: day,
  is_overdue: yesOrNo,
  created_at: timeOrNull,
})

export const INVOICE_PAGE = named('InvoicePage', {
  next: textOrNull,
  previous: textOrNull,
  results: Type.Array(INVOICE_SUMMARY),
})

const INVOICE_ITEM = named('InvoiceItem', {
  id: uuid,
  item_id: textOrNull,
  description: text,
  quantity: Type.Integer(),
  price: money,
  subtotal: money,
})

const VIRTUAL_ACCOUNT = named('InvoiceVirtualAccount', { name: text, number: text })

export const INVOICE = named('Invoice', {
  id: uuid,
  invoice_number: text,
  order_id: text,
  gateway_invoice_id: textOrNull,
  status,
  customer_name: text,
  customer_email: text,
  customer_phone: textOrNull,
  customer_id: textOrNull,
  total_amount: money,
  currency: text,
  invoice_date: day,
  due_date: day,
  paid_at: timeOrNull,
  notes: textOrNull,
  void_reason: textOrNull,
  payment_link_url: textOrNull,
  pdf_url: textOrNull,
  virtual_accounts: Type.Array(VIRTUAL_ACCOUNT),
  items: Type.Array(INVOICE_ITEM),
  payment_ids: Type.Array(uuid),
  is_overdue: yesOrNo,
  metadata: Type.Record(Type.String(), Type.Unknown()),
  created_at: timeOrNull,
  updated_at: timeOrNull,
})
