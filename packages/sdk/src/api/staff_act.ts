// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'

export interface StaffAct {
  /** The id of the audit entry. */
  id: Uuid
  /** When it was done. */
  occurred_at: Timestamp
  /** Who did it. */
  actor: string
  /** What kind of actor that is. */
  actor_kind: 'owner' | 'staff' | 'system'
  /** What was done, such as `payment.refund`. */
  action: string
  /** The reason that was given. */
  reason: string | null
  /** The request it was done with. */
  request_id: string | null
  /** The operation at the gateway that it started. */
  operation_id: Uuid | null
}
