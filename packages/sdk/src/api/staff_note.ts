// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'

export interface StaffNote {
  id: Uuid
  subject_id: Uuid
  owner_id: string | null
  author: string
  text: string
  created_at: Timestamp
}
