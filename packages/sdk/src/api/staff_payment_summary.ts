// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { PaymentType, TransactionStatus } from './unions.ts'

export interface StaffPaymentSummary {
  id: Uuid
  order_id: string
  payment_type: PaymentType
  gross_amount: Money
  transaction_status: TransactionStatus
  customer_email: string | null
  is_paid: boolean
  created_at: Timestamp | null
  owner_id: string
  transaction_id: string | null
  bank: string | null
  store: string | null
  fraud_status: 'accept' | 'challenge' | 'deny' | null
  refund_amount: Money
  customer_name: string | null
  customer_phone: string | null
  va_number: string | null
  bill_key: string | null
  payment_code: string | null
  expiry_time: Timestamp | null
  paid_at: Timestamp | null
}
