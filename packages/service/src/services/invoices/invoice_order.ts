import type { Static } from 'typebox'
import type { FieldFault } from '../../domain/charge_rules.ts'
import { dateFaults } from '../../domain/invoice_dates.ts'
import { MONEY_MAX, parseMoney, sumMoney, toWholeRupiah, type Money } from '../../domain/money.ts'
import { isOrderId } from '../../domain/order_id.ts'
import { secretFaults } from '../secret_faults.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { INVOICE_INPUT, ITEM_AMOUNT_MAX } from './invoice_input.ts'

type InvoiceInput = Static<typeof INVOICE_INPUT>

export interface InvoiceOrderItem {
  item_id?: string
  description: string
  price: Money
  quantity: number
}

/** An invoice that passed every check that needs no gateway. */
export interface InvoiceOrder extends Omit<InvoiceInput, 'items' | 'invoice_date'> {
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
function paymentFaults(invoice: InvoiceInput): FieldFault[] {
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

function otherFaults({ order_id, metadata }: InvoiceInput): FieldFault[] {
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
