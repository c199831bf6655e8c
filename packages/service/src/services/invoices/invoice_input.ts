import { Type, type TProperties } from 'typebox'
import { INVOICE_BANKS } from '../../gateway/wire/invoices.ts'

// The body of `POST /invoices/` (api-rules.md#invoices). The bounds are the gateway's
// (gateway-protocol.md#creating-an-invoice), which would refuse what is beyond them. Closed, as a
// charge's.
const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const maybe = Type.Optional
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** Whole rupiah as a number, or as a decimal string (api-rules.md#amounts). */
const amount = Type.Union([Type.Number(), Type.String({ maxLength: 20 })])

export const INVOICE_ITEMS_MAX = 200
export const ITEM_AMOUNT_MAX = 99_999_999

/** One `@`, something on both sides, a dot behind it: the rest only the mail server knows. */
const EMAIL = String.raw`^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$`

const item = closed({
  item_id: maybe(text(30)),
  description: text(150),
  price: amount,
  quantity: maybe(Type.Integer({ minimum: 1, maximum: ITEM_AMOUNT_MAX })),
})

const account = closed({
  bank: Type.Enum([...INVOICE_BANKS]),
  number: maybe(Type.String({ pattern: '^[0-9]{1,18}$' })),
})

export const INVOICE_INPUT = closed({
  customer_name: text(40),
  customer_email: Type.String({ maxLength: 255, pattern: EMAIL }),
  customer_phone: maybe(Type.String({ pattern: '^[1-9][0-9]{4,14}$' })),
  customer_id: maybe(text(36)),
  due_date: Type.String({ maxLength: 10 }),
  invoice_date: maybe(Type.String({ maxLength: 10 })),
  items: Type.Array(item, { minItems: 1, maxItems: INVOICE_ITEMS_MAX }),
  notes: maybe(Type.String({ maxLength: 1_000 })),
  order_id: maybe(text(36)),
  invoice_number: maybe(text(40)),
  payment_type: maybe(Type.Enum(['payment_link', 'virtual_account'])),
  enabled_payments: maybe(Type.Array(text(40), { minItems: 1, maxItems: 40 })),
  virtual_accounts: maybe(Type.Array(account, { minItems: 1, maxItems: INVOICE_BANKS.length })),
  metadata: maybe(Type.Record(Type.String(), Type.Unknown())),
})

export const VOID_INPUT = closed({ reason: maybe(Type.String({ maxLength: 255 })) })
