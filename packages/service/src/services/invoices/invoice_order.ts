import { Type, type TProperties, type Static } from 'typebox'
import type { FieldFault } from '../../domain/charge_rules.ts'
import { dateFaults } from '../../domain/invoice_dates.ts'
import { MONEY_MAX, parseMoney, sumMoney, toWholeRupiah, type Money } from '../../domain/money.ts'
import { isOrderId } from '../../domain/order_id.ts'
import { INVOICE_BANKS } from '../../gateway/wire/invoices.ts'
import { secretFaults, refuseFaults, requestParser } from '../validation.ts'

// The body of `POST /invoices/` (api-rules.md#invoices). The bounds are the gateway's
// (gateway-protocol.md#creating-an-invoice), which would refuse what is beyond them. Closed, as a
// charge's.
const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const maybe = Type.Optional
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })

/** Whole rupiah as a number, or as a decimal string (api-rules.md#amounts). */
const amount = (description: string) =>
  Type.Union([Type.Number(), Type.String({ maxLength: 20 })], { description })

const INVOICE_ITEMS_MAX = 200
const ITEM_AMOUNT_MAX = 99_999_999

/** One `@`, something on both sides, a dot behind it: the rest only the mail server knows. */
const EMAIL = String.raw`^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$`

const ITEM = closed({
  item_id: maybe(text(30, 'Your own id of the item.')),
  description: text(150, 'The item, as it is printed on the invoice.'),
  price: amount('The price of one in whole rupiah.'),
  quantity: maybe(
    Type.Integer({
      minimum: 1,
      maximum: ITEM_AMOUNT_MAX,
      description: 'How many are ordered; 1 by default.',
    }),
  ),
})

const account = closed({
  bank: Type.Enum([...INVOICE_BANKS], { description: 'The bank of the virtual account.' }),
  number: maybe(
    Type.String({
      pattern: '^[0-9]{1,18}$',
      description: 'The account number you want; the gateway chooses one by default.',
    }),
  ),
})

export const INVOICE_INPUT = closed({
  customer_name: text(40, 'The name of the customer.'),
  customer_email: Type.String({
    maxLength: 255,
    pattern: EMAIL,
    description: 'The email address of the customer; the gateway sends the invoice to it.',
  }),
  customer_phone: maybe(
    Type.String({
      pattern: '^[1-9][0-9]{4,14}$',
      description: 'The phone number of the customer, with the country code and without a plus.',
    }),
  ),
  customer_id: maybe(text(36, 'Your own id of the customer.')),
  due_date: Type.String({
    maxLength: 10,
    description: 'The last day to pay in Jakarta, as 2026-01-31.',
  }),
  invoice_date: maybe(
    Type.String({
      maxLength: 10,
      description: 'The day of the invoice in Jakarta, as 2026-01-31; today by default.',
    }),
  ),
  items: Type.Array(ITEM, {
    minItems: 1,
    maxItems: INVOICE_ITEMS_MAX,
    description: 'What is billed; the sum is the amount of the invoice.',
  }),
  notes: maybe(
    Type.String({ maxLength: 1_000, description: 'Notes that are printed on the invoice.' }),
  ),
  order_id: maybe(text(36, 'Your own order id, unique; one is made where it is left out.')),
  invoice_number: maybe(text(40, 'The number of the invoice; one is made where it is left out.')),
  payment_type: maybe(
    Type.Enum(['payment_link', 'virtual_account'], {
      description: 'How the customer pays; `payment_link` by default.',
    }),
  ),
  enabled_payments: maybe(
    Type.Array(text(40, "The gateway's name of a payment method."), {
      minItems: 1,
      maxItems: 40,
      description: 'The payment methods that the payment link offers; all by default.',
    }),
  ),
  virtual_accounts: maybe(
    Type.Array(account, {
      minItems: 1,
      maxItems: INVOICE_BANKS.length,
      description: 'The virtual accounts to open, for `virtual_account`.',
    }),
  ),
  metadata: maybe(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Your own data; it is stored and returned as it was given.',
    }),
  ),
})

export const VOID_INPUT = closed({
  reason: maybe(Type.String({ maxLength: 255, description: 'Why the invoice is voided.' })),
})

/** The input with every field that some way of paying takes. */
type InvoiceFields = Static<typeof INVOICE_INPUT>

/** Either a payment link or virtual accounts; the fields of one are refused with the other. */
export type InvoiceInput =
  | (Omit<InvoiceFields, 'payment_type' | 'virtual_accounts'> & { payment_type?: 'payment_link' })
  | (Omit<InvoiceFields, 'payment_type' | 'virtual_accounts' | 'enabled_payments'> & {
      payment_type: 'virtual_account'
    } & Required<Pick<InvoiceFields, 'virtual_accounts'>>)

export const INVOICE_RULES = {
  payment_link: { properties: { virtual_accounts: false } },
  virtual_account: { required: ['virtual_accounts'], properties: { enabled_payments: false } },
} as const

interface InvoiceOrderItem {
  item_id?: string
  description: string
  price: Money
  quantity: number
}

/** An invoice that passed every check that needs no gateway. */
export interface InvoiceOrder extends Omit<InvoiceFields, 'items' | 'invoice_date'> {
  invoice_date: string
  items: readonly InvoiceOrderItem[]
  total_amount: Money
}

const METADATA_BYTES_MAX = 4_096

const parseInvoice = requestParser(INVOICE_INPUT)

/**
 * Turns a request into an invoice, or throws `invalid_request` with every fault. Writes nothing.
 */
export function parseInvoiceOrder(input: unknown, today: string): InvoiceOrder {
  const invoice = parseInvoice(input)
  const items = invoice.items.map(({ price, quantity, ...item }) => ({
    ...item,
    price: parseMoney(price),
    quantity: quantity ?? 1,
  }))
  const invoice_date = invoice.invoice_date ?? today
  const total_amount = sumMoney(items.map(({ price = 0n, quantity }) => price * BigInt(quantity)))
  const prices = items.flatMap(({ price }, index) => priceFaults(`items.${index}.price`, price))
  refuseFaults([
    ...dateFaults({ invoice_date, due_date: invoice.due_date }, today),
    ...prices,
    ...(prices.length === 0 ? totalFaults(total_amount) : []),
    ...paymentFaults(invoice),
    ...otherFaults(invoice),
    ...secretFaults(invoice),
  ])
  const priced = items.map((item) => ({ ...item, price: item.price ?? 0n }))
  return { ...invoice, invoice_date, items: priced, total_amount }
}

function priceFaults(field: string, price: Money | undefined): FieldFault[] {
  const whole = price === undefined ? undefined : toWholeRupiah(price)
  if (whole !== undefined && whole >= 0 && whole <= ITEM_AMOUNT_MAX) return []
  return [{ field, message: `must be whole rupiah from 0 to ${ITEM_AMOUNT_MAX}` }]
}

function totalFaults(total: Money): FieldFault[] {
  const field = 'items'
  if (total <= 0n) return [{ field, message: 'must add up to more than zero' }]
  return total > MONEY_MAX ? [{ field, message: 'must not add up to more than the maximum' }] : []
}

/** Either a payment link or virtual accounts; the fields of one are refused with the other. */
function paymentFaults(invoice: InvoiceFields): FieldFault[] {
  const { payment_type = 'payment_link', virtual_accounts, enabled_payments } = invoice
  const by_account = payment_type === 'virtual_account'
  const faults: FieldFault[] = []
  if (by_account && virtual_accounts === undefined) {
    faults.push({ field: 'virtual_accounts', message: 'is required for virtual_account' })
  }
  if (!by_account && virtual_accounts !== undefined) {
    faults.push({ field: 'virtual_accounts', message: 'must be left out for payment_link' })
  }
  if (by_account && enabled_payments !== undefined) {
    faults.push({ field: 'enabled_payments', message: 'must be left out for virtual_account' })
  }
  return faults
}

function otherFaults({ order_id, metadata }: InvoiceFields): FieldFault[] {
  const faults: FieldFault[] = []
  if (order_id !== undefined && !isOrderId(order_id)) {
    faults.push({
      field: 'order_id',
      message: 'must be at most 36 characters of A–Z a–z 0–9 - _ ~ .',
    })
  }
  if (metadata !== undefined && JSON.stringify(metadata).length > METADATA_BYTES_MAX) {
    faults.push({ field: 'metadata', message: `must be at most ${METADATA_BYTES_MAX} bytes` })
  }
  return faults
}
