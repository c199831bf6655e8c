// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { AlarmKind, SubjectKind } from './unions.ts'

export interface Alarm {
  /** The id of the alarm. */
  id: Uuid
  /** What happened; the runbook says what to do about each kind. */
  kind: AlarmKind
  /** What kind of object the alarm is about. */
  subject_kind: SubjectKind
  /** The object the alarm is about. */
  subject_id: Uuid
  /** The owner of the object; null where no owner is known. */
  owner_id: string | null
  /** What was seen, in words. */
  detail: string
  /** When the alarm was opened. */
  created_at: Timestamp
  /** When the alarm was closed; null while it is open. */
  closed_at: Timestamp | null
  /** The staff member or process that closed the alarm. */
  closed_by: string | null
  /** What was found, one line for each note. */
  note: string | null
  /** Since when a staff member works on the alarm. */
  taken_at: Timestamp | null
  /** The staff member who works on the alarm. */
  taken_by: string | null
}
