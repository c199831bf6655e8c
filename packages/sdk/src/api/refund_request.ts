// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'

export interface RefundRequest {
  /** The id of the request. */
  id: Uuid
  /** The payment to refund. */
  payment_id: Uuid
  /** The owner of the payment. */
  owner_id: string
  /** The amount to refund, in rupiah with two decimals. */
  amount: Money
  /** Why it is to be refunded. */
  reason: string
  /** Whether the refund is to be sent to the payment provider at once. */
  is_direct: boolean
  /** The caller who requested the refund. */
  requested_by: string
  /** Whether that caller is a staff member. */
  requested_by_staff: boolean
  /** `held` waits for a second staff member. */
  state: 'held' | 'approved' | 'declined' | 'expired'
  /** The staff member who approved or declined it. */
  decided_by: string | null
  /** When it was approved or declined. */
  decided_at: Timestamp | null
  /** Why it was approved or declined. */
  decision_reason: string | null
  /** When the refund was requested. */
  created_at: Timestamp
  /** Until when it can be approved. */
  expires_at: Timestamp
}
