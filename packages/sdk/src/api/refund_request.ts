// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'

export interface RefundRequest {
  id: Uuid
  payment_id: Uuid
  owner_id: string
  amount: Money
  reason: string
  is_direct: boolean
  requested_by: string
  requested_by_staff: boolean
  state: 'held' | 'approved' | 'declined' | 'expired'
  decided_by: string | null
  decided_at: Timestamp | null
  decision_reason: string | null
  created_at: Timestamp
  expires_at: Timestamp
}
