// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'

export interface Refund {
  /** The id of the refund. */
  id: Uuid
  /** The key under which the gateway knows the refund; unique. */
  refund_key: string
  /** The refunded amount, in rupiah with two decimals. */
  amount: Money
  /** Why the money was refunded. */
  reason: string | null
  /** Whether the refund was sent to the payment provider at once. */
  is_direct: boolean
  /** `pending`: the gateway has not answered clearly yet, and the amount stays reserved. */
  status: 'pending' | 'succeeded' | 'failed'
  /** Whether it was requested here, or found at the gateway (made in its dashboard). */
  source: 'service' | 'gateway'
  /** The gateway's status code of the refund. */
  status_code: string | null
  /** The gateway's message about the refund. */
  status_message: string | null
  /** When the gateway confirmed the refund. */
  confirmed_at: Timestamp | null
  /** When the refund was created here. */
  created_at: Timestamp | null
}
