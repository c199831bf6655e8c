// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { PayerInstruction } from './payer_instruction.ts'
import type { PaymentItem } from './payment_item.ts'
import type { Refund } from './refund.ts'
import type { PaymentType, TransactionStatus } from './unions.ts'

export interface Payment {
  id: Uuid
  order_id: string
  transaction_id: string | null
  payment_type: PaymentType
  bank: string | null
  store: string | null
  acquirer: string | null
  issuer: string | null
  masked_card: string | null
  gross_amount: Money
  currency: string
  transaction_status: TransactionStatus
  /** `challenge` waits for a person to decide. */
  fraud_status: 'accept' | 'challenge' | 'deny' | null
  status_code: string | null
  status_message: string | null
  customer_first_name: string | null
  customer_last_name: string | null
  customer_email: string | null
  customer_phone: string | null
  va_number: string | null
  bill_key: string | null
  biller_code: string | null
  payment_code: string | null
  redirect_url: string | null
  deeplink_url: string | null
  qr_string: string | null
  payer_instructions: PayerInstruction[]
  authorized_amount: Money
  captured_amount: Money
  refund_amount: Money
  net_amount: Money
  refundable_amount: Money
  refund_unavailable_reason: string | null
  refunds: Refund[]
  items: PaymentItem[]
  metadata: Record<string, unknown>
  custom_field1: string | null
  custom_field2: string | null
  custom_field3: string | null
  transaction_time: Timestamp | null
  settlement_time: Timestamp | null
  expiry_time: Timestamp | null
  paid_at: Timestamp | null
  is_paid: boolean
  is_pending: boolean
  is_failed: boolean
  is_expired: boolean
  created_at: Timestamp | null
  updated_at: Timestamp | null
}
