// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Money, Timestamp, Uuid } from '../values.ts'

export interface Refund {
  id: Uuid
  refund_key: string
  amount: Money
  reason: string | null
  is_direct: boolean
  /** `pending`: the gateway has not answered clearly yet; the amount stays reserved. */
  status: 'pending' | 'succeeded' | 'failed'
  source: 'service' | 'gateway'
  status_code: string | null
  status_message: string | null
  confirmed_at: Timestamp | null
  created_at: Timestamp | null
}
