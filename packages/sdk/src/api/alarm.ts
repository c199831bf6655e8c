// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { AlarmKind, SubjectKind } from './unions.ts'

export interface Alarm {
  id: Uuid
  kind: AlarmKind
  subject_kind: SubjectKind
  subject_id: Uuid
  owner_id: string | null
  detail: string
  created_at: Timestamp
  closed_at: Timestamp | null
  closed_by: string | null
  note: string | null
  taken_at: Timestamp | null
  taken_by: string | null
}
