import { openTransaction } from '../charge/open_transaction.ts'
import type { Opening } from '../charge/opening.ts'
import type { Fields } from '../wire/fields.ts'
import type { Invoice } from '../world/invoice.ts'
import type { Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'

/** Pays an invoice by its link or one of its accounts; undefined if it has expired. */
export function payInvoice(
  world: World,
  invoice: Invoice,
  number?: string,
): Transaction | undefined {
  if (invoice.status !== 'pending' && invoice.status !== 'overdue') return undefined
  invoice.status = 'paid'
  invoice.paid_at = world.clock.now()
  return record(world, invoice, { status: 'settlement', number })
}

/**
 * Expires the invoice and notifies the merchant as for any expired payment
 * (gateway-protocol.md#invoice-notifications).
 */
export function expireInvoice(world: World, invoice: Invoice): void {
  invoice.status = 'expired'
  record(world, invoice, { status: 'expire', number: undefined })
}

function record(
  world: World,
  invoice: Invoice,
  { status, number }: { status: 'settlement' | 'expire'; number: string | undefined },
): Transaction {
  const account = invoice.virtual_accounts.find(
    (one) => number === undefined || one.number === number,
  )
  const bill = account?.bank === 'mandiri_bill'
  const bank = account?.bank.replace(/_va$/, '') ?? 'bca'
  const va_number = account?.number ?? world.random.digits(11)
  const details: Fields = bill
    ? { biller_code: '70012', bill_key: va_number }
    : { va_numbers: [{ bank, va_number }], payment_amounts: [] }
  const opening: Opening = {
    status,
    status_message: '',
    fraud_status: 'accept',
    channel: bank,
    details: bank === 'permata' ? { permata_va_number: va_number } : details,
    expires_at: invoice.expires_at,
  }
  const suffix = `-${world.random.digits(13)}`
  const same = world.settings.invoice_order_id === 'same'
  const request = {
    payment_type: bill ? 'echannel' : 'bank_transfer',
    order_id: same ? invoice.order_id : `${invoice.order_id}${suffix}`,
    gross_amount: invoice.gross_amount,
    body: { metadata: { midtrans_invoice_id: invoice.id } },
  }
  return openTransaction(world, request, opening, { origin: 'invoice', invoice_id: invoice.id })
}
