import type { AlarmKind } from '../domain/alarm.ts'
import type { ObjectKind } from '../domain/signals.ts'
import { openAlarm } from '../store/staff/alarms.ts'
import { newId } from '../store/sql/values.ts'
import type { Tx } from '../store/connection/transaction.ts'

/** An object a person can be told of. */
export interface AlarmSubject {
  subject_kind: ObjectKind
  id: string
  owner_id: string
}

/** Tells a person to look at this object. Once for each kind: seen again is the same trouble. */
export async function alarmAboutObject(
  tx: Tx,
  { subject_kind, id, owner_id }: AlarmSubject,
  kind: AlarmKind,
  detail: string,
): Promise<void> {
  await openAlarm(tx, { id: newId(), kind, subject_kind, subject_id: id, owner_id, detail })
}
