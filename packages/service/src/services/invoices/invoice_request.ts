import type { GatewayInvoice } from '../../domain/invoice.ts'
import { endOfDay } from '../../domain/invoice_dates.ts'
import { toWholeRupiah, type Money } from '../../domain/money.ts'
import { formatGatewayTime } from '../../domain/time.ts'
import type { InvoiceRequest } from '../../gateway/wire/invoices.ts'
import type { InvoiceOrder } from './invoice_order.ts'

type Written = Pick<GatewayInvoice, 'order_id' | 'invoice_number' | 'invoice_date' | 'due_date'>

/**
 * The body to send (gateway-protocol.md#creating-an-invoice). Days become timestamps with their
 * zone; taxes are left out. A stored invoice is sent as it was stored, on any later day.
 */
export function invoiceRequest(
  order: InvoiceOrder,
  { order_id, invoice_number, invoice_date, due_date }: Written,
): InvoiceRequest {
  const { customer_id: id, customer_phone: phone, customer_email: email, notes } = order
  return {
    order_id,
    invoice_number,
    invoice_date: `${invoice_date} 00:00:00 +0700`,
    due_date: formatGatewayTime(endOfDay(due_date)),
    customer_details: {
      ...(id !== undefined && { id }),
      name: order.customer_name,
      email,
      ...(phone !== undefined && { phone }),
    },
    item_details: order.items.map((item) => ({ ...item, price: whole(item.price) })),
    ...(notes !== undefined && notes !== '' && { notes }),
    ...paymentOf(order),
  }
}

const whole = (amount: Money): number => toWholeRupiah(amount) ?? Number.NaN

function paymentOf({ payment_type = 'payment_link', ...order }: InvoiceOrder) {
  const { virtual_accounts, enabled_payments } = order
  return {
    payment_type,
    ...(virtual_accounts !== undefined && { virtual_accounts }),
    ...(enabled_payments !== undefined && { payment_link: { enabled_payments } }),
  }
}
