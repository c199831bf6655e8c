// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'

export interface StaffAct {
  id: Uuid
  occurred_at: Timestamp
  actor: string
  actor_kind: 'owner' | 'staff' | 'system'
  action: string
  reason: string | null
  request_id: string | null
  operation_id: Uuid | null
}
