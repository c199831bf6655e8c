import type { Money } from './money.ts'

/**
 * The limits of refunds that one staff member makes alone (ADR 0010). Unnamed ones are unlimited.
 */
export interface RefundPolicy {
  /** By one caller in any 24 hours. */
  daily_limit?: Money
  /** Above this another staff member must approve. */
  second_person_above?: Money
  /** How long it waits for approval. */
  hold_ms: number
}

export const REFUND_REQUEST_STATES = ['held', 'approved', 'declined', 'expired'] as const
export type RefundRequestState = (typeof REFUND_REQUEST_STATES)[number]

/** A refund that waits for a second person, or waited. */
export interface RefundRequest {
  id: string
  payment_id: string
  owner_id: string
  amount: Money
  reason: string
  is_direct: boolean
  requested_by: string
  requested_by_staff: boolean
  idempotency_key: string | null
  fingerprint: string | null
  state: RefundRequestState
  decided_by: string | null
  decided_at: Date | null
  decision_reason: string | null
  created_at: Date
  expires_at: Date
  /** Paid outside the gateway: it is recorded, and not made. */
  outside: boolean
  /** The number of the transfer. */
  reference: string | null
  /** What else proves it, in words. */
  evidence: string | null
}
