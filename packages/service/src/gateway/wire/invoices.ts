import { Type, type Static } from 'typebox'
import {
  free,
  identifier,
  list,
  optional,
  parserOf,
  strictParserOf,
  text,
  textual,
} from './shape.ts'

/** Accounts an invoice can be paid into (gateway-protocol.md#creating-an-invoice). */
export const INVOICE_BANKS = [
  'bca_va',
  'mandiri_bill',
  'bni_va',
  'bri_va',
  'cimb_va',
  'permata_va',
] as const

export type InvoiceBank = (typeof INVOICE_BANKS)[number]

interface InvoiceItem {
  item_id?: string
  description: string
  quantity: number | string
  /** Whole rupiah. */
  price: number | string
  discount_percentage?: number
}

/** The gateway's page shows some numbers as strings and accepts both. */
export interface InvoiceRequest {
  order_id: string
  invoice_number: string
  /** `yyyy-MM-dd HH:mm:ss Z`; the due date lies after the invoice date. */
  due_date: string
  invoice_date: string
  invoice_title?: string
  invoice_paid_title?: string
  customer_details: { id?: string; name: string; email?: string; phone?: string }
  item_details: readonly InvoiceItem[]
  payment_type: 'payment_link' | 'virtual_account'
  payment_link?: { enabled_payments: readonly string[]; [option: string]: unknown }
  virtual_accounts?: readonly { bank: InvoiceBank; number?: string }[]
  notes?: string
  reference?: string
  amount?: { discount?: number | string; shipping?: number | string; vat?: number | string }
  tax_mode?: 'exclusive' | 'inclusive'
  taxes?: readonly { name: string; type: 'percentage' | 'fixed'; value: number }[]
}

const maybe = Type.Optional

/** The stored part of the request, which is read back and sent again unchanged. */
export const parseInvoiceRequest = strictParserOf(
  Type.Object({
    order_id: text,
    invoice_number: text,
    due_date: text,
    invoice_date: text,
    customer_details: Type.Object({
      id: maybe(text),
      name: text,
      email: maybe(text),
      phone: maybe(text),
    }),
    item_details: Type.Array(
      Type.Object({
        item_id: maybe(text),
        description: text,
        quantity: Type.Number(),
        price: Type.Number(),
      }),
    ),
    payment_type: Type.Enum(['payment_link', 'virtual_account']),
    payment_link: maybe(Type.Object({ enabled_payments: Type.Array(text) })),
    virtual_accounts: maybe(
      Type.Array(Type.Object({ bank: Type.Enum([...INVOICE_BANKS]), number: maybe(text) })),
    ),
    notes: maybe(text),
  }),
)

const virtualAccount = Type.Object({
  // The sample says bank, the table beside it says name; accept both.
  bank: optional(text),
  name: optional(text),
  number: optional(text),
})

const invoice = Type.Object({
  id: identifier,
  order_id: text,
  invoice_number: optional(text),
  status: text,
  gross_amount: optional(textual),
  published_date: optional(text),
  due_date: optional(text),
  invoice_date: optional(text),
  paid_date: optional(text),
  reference: optional(text),
  customer_details: free,
  item_details: list(Type.Object({ description: optional(text), quantity: optional(textual) })),
  payment_type: optional(text),
  payment_link_url: optional(text),
  pdf_url: optional(text),
  paid_pdf_url: optional(text),
  virtual_accounts: list(virtualAccount),
  tax_mode: optional(text),
  taxes: list(Type.Record(Type.String(), Type.Unknown())),
  amount: free,
})

export type InvoiceReply = Static<typeof invoice>

export const parseInvoice = parserOf(invoice)

/** Anything else is not an answer: a customer could still pay an invoice that we call voided. */
export const parseInvoiceVoid = parserOf(Type.Object({ success: Type.Literal(true) }))

export type InvoiceVoidReply = NonNullable<ReturnType<typeof parseInvoiceVoid>>
