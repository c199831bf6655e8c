// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { PaymentType, TransactionStatus } from './unions.ts'

export interface StaffPaymentSummary {
  /** The id of the payment. */
  id: Uuid
  /** The order id, under which the gateway knows the payment; unique. */
  order_id: string
  /** The payment method. */
  payment_type: PaymentType
  /** The amount the payer is asked to pay, in rupiah with two decimals. */
  gross_amount: Money
  /**
   * The gateway's own status, or `initiated`: stored, and the gateway has not answered clearly
   * yet.
   */
  transaction_status: TransactionStatus
  /** The email address of the customer. */
  customer_email: string | null
  /** Whether the merchant has the money, in whole or in part; a payment in review is not paid. */
  is_paid: boolean
  /** When the payment was created here. */
  created_at: Timestamp | null
  /** The owner of the payment. */
  owner_id: string
  /** The gateway's id of the payment. */
  transaction_id: string | null
  /** The bank of the virtual account, or the acquiring bank of a card. */
  bank: string | null
  /** The convenience store where the payer pays in cash. */
  store: string | null
  /** The fraud check of a card payment. */
  fraud_status: 'accept' | 'challenge' | 'deny' | null
  /** The amount that was refunded so far, in rupiah with two decimals. */
  refund_amount: Money
  /** The first and last name of the customer. */
  customer_name: string | null
  /** The phone number of the customer. */
  customer_phone: string | null
  /** The virtual account number to transfer to. */
  va_number: string | null
  /** The bill key of a Mandiri bill payment. */
  bill_key: string | null
  /** The code the payer shows at the convenience store. */
  payment_code: string | null
  /** Until when the payer can pay. */
  expiry_time: Timestamp | null
  /** When the payment was first seen as paid. */
  paid_at: Timestamp | null
}
