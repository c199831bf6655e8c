// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { Scopes } from './unions.ts'

export interface StaffKey {
  id: Uuid
  owner_id: string
  name: string
  staff: boolean
  scopes: Scopes[]
  expires_at: Timestamp | null
  revoked_at: Timestamp | null
  created_at: Timestamp
}
