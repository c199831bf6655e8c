import type { Money, Timestamp } from './values.ts'

/** What the payer may see of a payment, and nothing more. */
export interface PayerView {
  order_id: string
  amount: Money
  state: 'waiting' | 'paid' | 'ended'
  /** The bank or the store where it is paid, in the gateway's spelling. */
  place: string | null
  va_number: string | null
  biller_code: string | null
  bill_key: string | null
  payment_code: string | null
  qr_string: string | null
  /** Where the payer goes on: the app of the wallet, or the page of the bank. */
  link: string | null
  expires_at: Timestamp | null
}

/** The fields of a payment that it reads. */
interface Shown {
  order_id: string
  gross_amount: Money
  is_paid: boolean
  transaction_status: string
  bank: string | null
  store: string | null
  va_number: string | null
  biller_code: string | null
  bill_key: string | null
  payment_code: string | null
  qr_string: string | null
  deeplink_url: string | null
  redirect_url: string | null
  expiry_time: Timestamp | null
}

const OPEN: ReadonlySet<string> = new Set(['initiated', 'pending', 'authorize', 'capture'])

/** Call this on your server, and send its result to the page. */
export const payerView = (payment: Shown): PayerView => ({
  order_id: payment.order_id,
  amount: payment.gross_amount,
  state: payment.is_paid ? 'paid' : OPEN.has(payment.transaction_status) ? 'waiting' : 'ended',
  place: payment.bank ?? payment.store,
  va_number: payment.va_number,
  biller_code: payment.biller_code,
  bill_key: payment.bill_key,
  payment_code: payment.payment_code,
  qr_string: payment.qr_string,
  link: payment.deeplink_url ?? payment.redirect_url,
  expires_at: payment.expiry_time,
})
