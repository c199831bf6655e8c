// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'
import type { PaymentType, TransactionStatus } from './unions.ts'

export interface PaymentSummary {
  id: Uuid
  order_id: string
  payment_type: PaymentType
  gross_amount: Money
  transaction_status: TransactionStatus
  customer_email: string | null
  is_paid: boolean
  created_at: Timestamp | null
}
