// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { PayerInstruction } from './payer_instruction.ts'
import type { PaymentItem } from './payment_item.ts'
import type { Refund } from './refund.ts'
import type { PaymentType, TransactionStatus } from './unions.ts'

export interface Payment {
  /** The id of the payment. */
  id: Uuid
  /** The order id, under which the gateway knows the payment; unique. */
  order_id: string
  /** The gateway's id of the payment; null until the gateway has answered. */
  transaction_id: string | null
  /** The payment method. */
  payment_type: PaymentType
  /** The bank of the virtual account, or the acquiring bank of a card. */
  bank: string | null
  /** The convenience store where the payer pays in cash. */
  store: string | null
  /** The acquirer of a QRIS payment. */
  acquirer: string | null
  /** The app that paid a QRIS payment. */
  issuer: string | null
  /** The card number with its middle digits hidden. */
  masked_card: string | null
  /** The amount the payer is asked to pay, in rupiah with two decimals. */
  gross_amount: Money
  /** The currency; always `IDR`. */
  currency: string
  /**
   * The gateway's own status, or `initiated`: stored, and the gateway has not answered clearly
   * yet.
   */
  transaction_status: TransactionStatus
  /** The fraud check of a card payment; `challenge` waits for a staff member to decide. */
  fraud_status: 'accept' | 'challenge' | 'deny' | null
  /** The gateway's latest status code. */
  status_code: string | null
  /** The gateway's latest message. */
  status_message: string | null
  /** The first name of the customer. */
  customer_first_name: string | null
  /** The last name of the customer. */
  customer_last_name: string | null
  /** The email address of the customer. */
  customer_email: string | null
  /** The phone number of the customer. */
  customer_phone: string | null
  /** The virtual account number to transfer to. */
  va_number: string | null
  /** The bill key of a Mandiri bill payment. */
  bill_key: string | null
  /** The biller code of a Mandiri bill payment. */
  biller_code: string | null
  /** The code the payer shows at the convenience store. */
  payment_code: string | null
  /** The page to send the payer to, such as the 3-D Secure page. */
  redirect_url: string | null
  /** The link that opens the payment in the payer’s wallet app. */
  deeplink_url: string | null
  /** The text of the QR code that the payer scans. */
  qr_string: string | null
  /** The steps the gateway offers the payer. */
  payer_instructions: PayerInstruction[]
  /** The amount that a card has reserved, in rupiah with two decimals. */
  authorized_amount: Money
  /** The amount that was captured, in rupiah with two decimals. */
  captured_amount: Money
  /** The amount that was refunded so far, in rupiah with two decimals. */
  refund_amount: Money
  /** The gross amount minus what was refunded, in rupiah with two decimals. */
  net_amount: Money
  /** The largest amount that can be refunded now. */
  refundable_amount: Money
  /** Why nothing can be refunded now; null where it can. */
  refund_unavailable_reason: string | null
  /** The refunds of the payment, oldest first. */
  refunds: Refund[]
  /** The items of the order. */
  items: PaymentItem[]
  /** Your own data, stored as it was given. */
  metadata: Record<string, unknown>
  /** The first of your own texts; the gateway shows it in its reports. */
  custom_field1: string | null
  /** The second of your own texts. */
  custom_field2: string | null
  /** The third of your own texts. */
  custom_field3: string | null
  /** When the gateway created the transaction. */
  transaction_time: Timestamp | null
  /** When the gateway settled the money. */
  settlement_time: Timestamp | null
  /** Until when the payer can pay. */
  expiry_time: Timestamp | null
  /** When the payment was first seen as paid. */
  paid_at: Timestamp | null
  /** Whether the merchant has the money, in whole or in part; a payment in review is not paid. */
  is_paid: boolean
  /** Whether the payment waits for the payer. */
  is_pending: boolean
  /** Whether the payment was denied or cancelled, expired or failed. */
  is_failed: boolean
  /** Whether the payment expired, or is pending and past its expiry time. */
  is_expired: boolean
  /** When the payment was created here. */
  created_at: Timestamp | null
  /** When the payment last changed here. */
  updated_at: Timestamp | null
}
