// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { OperationKind } from './unions.ts'

export interface Operation {
  id: Uuid
  owner_id: string
  kind: OperationKind
  subject_kind: 'payment' | 'invoice' | 'subscription'
  subject_id: Uuid
  refund_id: Uuid | null
  request: Record<string, unknown>
  reply: Record<string, unknown> | null
  state: 'started' | 'succeeded' | 'refused' | 'unknown'
  attempt: number
  due_at: Timestamp | null
  sent_at: Timestamp
  sends: number
  created_at: Timestamp
  updated_at: Timestamp
}
