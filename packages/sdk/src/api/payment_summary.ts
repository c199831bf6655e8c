// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { PaymentType, TransactionStatus } from './unions.ts'

export interface PaymentSummary {
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
}
