// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { Scopes } from './unions.ts'

export interface StaffKey {
  /** The id of the key; the key itself is not stored. */
  id: Uuid
  /** The owner that the key acts as. */
  owner_id: string
  /** The name that was given to the key. */
  name: string
  /** Whether the key belongs to a staff member. */
  staff: boolean
  /** What the caller may do. */
  scopes: Scopes[]
  /** When the key stops working; null: never. */
  expires_at: Timestamp | null
  /** When the key was revoked; null: it is in use. */
  revoked_at: Timestamp | null
  /** When the key was created. */
  created_at: Timestamp
}
