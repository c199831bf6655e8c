// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'

export interface StaffNote {
  /** The id of the note. */
  id: Uuid
  /** The payment the note is about. */
  subject_id: Uuid
  /** The owner of the payment. */
  owner_id: string | null
  /** The staff member who wrote the note. */
  author: string
  /** The note. */
  text: string
  /** When the note was written. */
  created_at: Timestamp
}
