// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { Effect } from './unions.ts'

export interface NotificationSummary {
  id: Uuid
  payment_id: Uuid | null
  owner_id: string | null
  order_id: string | null
  transaction_id: string | null
  transaction_status: string | null
  fraud_status: string | null
  payment_type: string | null
  status_code: string | null
  gross_amount: string | null
  effect: Effect
  reason: string | null
  verified_with: string | null
  created_at: Timestamp
}
