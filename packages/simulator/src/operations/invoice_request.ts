import { parseAmount } from '../wire/amounts.ts'
import { fieldsAt, has, isFields, listAt, textAt, type Fields } from '../wire/fields.ts'
import { addMonths, DAY_MS, HOUR_MS, MINUTE_MS, parseTime } from '../wire/times.ts'

const ORDER_ID = /^[A-Za-z0-9\-_~.]{1,36}$/
const ITEM_AMOUNT_MAX = 99_999_999
const LENGTHS_MAX: Record<string, number> = {
  invoice_number: 40,
  due_date: 40,
  invoice_date: 40,
  invoice_title: 20,
  invoice_paid_title: 20,
  notes: 1000,
  reference: 90,
}
const REQUIRED = ['order_id', 'invoice_number', 'due_date', 'invoice_date', 'payment_type']
const ACCOUNTS = new Set(['bca_va', 'mandiri_bill', 'bni_va', 'bri_va', 'cimb_va', 'permata_va'])

/** Every validation message of a create request (gateway-protocol.md#creating-an-invoice). */
export function invoiceFaults(body: Fields): string[] {
  const messages = REQUIRED.filter((key) => !has(body, key)).map((key) => `${key} is required`)
  if (has(body, 'order_id') && !ORDER_ID.test(textAt(body, 'order_id') ?? ''))
    messages.push('order_id must be 1 to 36 letters, digits, -, _, ~ or .')
  for (const [key, max] of Object.entries(LENGTHS_MAX)) {
    if ((textAt(body, key)?.length ?? 0) > max) messages.push(`${key} must be at most ${max} long`)
  }
  messages.push(...dateFaults(body), ...customerFaults(fieldsAt(body, 'customer_details')))
  if (has(body, 'document_type') && textAt(body, 'document_type') !== 'invoice')
    messages.push('document_type must be invoice')
  messages.push(...itemFaults(body), ...paymentFaults(body))
  if (listAt(body, 'item_details').length > 0 && totalOf(body).gross_amount <= 0)
    messages.push('gross_amount must be more than 0')
  return messages
}

function dateFaults(body: Fields): string[] {
  const due = parseTime(textAt(body, 'due_date') ?? '')
  const invoiced = parseTime(textAt(body, 'invoice_date') ?? '')
  const messages: string[] = []
  if (has(body, 'due_date') && due === undefined) messages.push('due_date must be a time')
  if (has(body, 'invoice_date') && invoiced === undefined)
    messages.push('invoice_date must be a time')
  if (due !== undefined && invoiced !== undefined && due <= invoiced)
    messages.push('due_date must be after invoice_date')
  return messages
}

function customerFaults(customer: Fields): string[] {
  const name = textAt(customer, 'name')
  const messages: string[] = []
  if (name === undefined) messages.push('customer_details.name is required')
  else if (name.length > 40) messages.push('customer_details.name must be at most 40 long')
  const phone = textAt(customer, 'phone')
  if (phone !== undefined && !/^[1-9]\d{0,14}$/.test(phone))
    messages.push('customer_details.phone must be at most 15 digits and not start with 0')
  return messages
}

function itemFaults(body: Fields): string[] {
  const items = listAt(body, 'item_details')
  if (items.length === 0) return ['item must not be empty']
  return items.flatMap((item, index) => {
    const fields = isFields(item) ? item : {}
    return ['quantity', 'price'].flatMap((key) => {
      const value = parseAmount(fields[key])
      const fits = value !== undefined && value <= ITEM_AMOUNT_MAX
      return fits ? [] : [`item_details[${index}].${key} must be 0 to ${ITEM_AMOUNT_MAX}`]
    })
  })
}

function paymentFaults(body: Fields): string[] {
  const payment_type = textAt(body, 'payment_type')
  if (payment_type === 'virtual_account') {
    const accounts = listAt(body, 'virtual_accounts').filter(isFields)
    const known = accounts.every((account) => ACCOUNTS.has(accountName(account)))
    return accounts.length > 0 && known ? [] : ['virtual_accounts must name known banks']
  }
  if (payment_type !== undefined && payment_type !== 'payment_link')
    return ['payment_type must be payment_link or virtual_account']
  const link = body['payment_link']
  if (isFields(link) && listAt(link, 'enabled_payments').length === 0)
    return ['payment_link.enabled_payments is required']
  return []
}

/** The table says `name`, the sample says `bank` (gateway-protocol.md#creating-an-invoice). */
export const accountName = (account: Fields): string =>
  textAt(account, 'bank') ?? textAt(account, 'name') ?? ''

interface Total {
  gross_amount: number
  taxes: Fields[]
}

/** Items less discounts, plus shipping and taxes; each line is rounded to whole rupiah once. */
export function totalOf(body: Fields): Total {
  const items = listAt(body, 'item_details').filter(isFields)
  const lines = items.map((item) => {
    const price = (parseAmount(item['price']) ?? 0) * (parseAmount(item['quantity']) ?? 0)
    const discount = Number(item['discount_percentage'] ?? 0)
    return Math.round((price * (100 - discount)) / 100)
  })
  const amount = fieldsAt(body, 'amount')
  const part = (key: string): number => parseAmount(amount[key]) ?? 0
  const net = lines.reduce((sum, line) => sum + line, 0) - part('discount')
  const taxes = listAt(body, 'taxes')
    .filter(isFields)
    .map((tax) => ({ ...tax, calculated_amount: taxOf(tax, net) }))
  // Inclusive taxes are already inside the prices.
  const exclusive = textAt(body, 'tax_mode') !== 'inclusive'
  const added = exclusive ? taxes.reduce((sum, tax) => sum + tax.calculated_amount, 0) : 0
  return { gross_amount: net + part('shipping') + part('vat') + added, taxes }
}

function taxOf(tax: Fields, net: number): number {
  const value = Number(tax['value'] ?? 0)
  return Math.round(textAt(tax, 'type') === 'percentage' ? (net * value) / 100 : value)
}

const EXPIRY_UNITS: [RegExp, number][] = [
  [/^minutes?$/, MINUTE_MS],
  [/^hours?$/, HOUR_MS],
  [/^days?$/, DAY_MS],
  [/^weeks?$/, 7 * DAY_MS],
]

/** When a payment link with an expiry of its own closes. */
export function linkExpiryOf(body: Fields, now: number): number | undefined {
  const link = fieldsAt(body, 'payment_link')
  if (link['is_custom_expiry'] !== true) return undefined
  const expiry = fieldsAt(link, 'expiry')
  const duration = parseAmount(expiry['duration']) ?? 0
  const unit = textAt(expiry, 'unit') ?? 'day'
  const start = parseTime(textAt(expiry, 'start_time') ?? '') ?? now
  if (/^months?$/.test(unit)) return addMonths(start, duration)
  const unit_ms = EXPIRY_UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? DAY_MS
  return start + duration * unit_ms
}
