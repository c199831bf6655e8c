import type { AlarmKind } from '../domain/alarm.ts'
import type { ObjectKind } from '../domain/signals.ts'
import { openAlarm } from '../store/staff/alarms.ts'
import { newId } from '../store/sql/values.ts'
import type { Tx } from '../store/connection/transaction.ts'

/** An object that an alarm can be about. */
export interface AlarmSubject {
  subject_kind: ObjectKind
  id: string
  owner_id: string
}

/** Opens an alarm about this object. An open alarm of the same kind is not opened twice. */
export async function alarmAboutObject(
  tx: Tx,
  { subject_kind, id, owner_id }: AlarmSubject,
  kind: AlarmKind,
  detail: string,
): Promise<void> {
  await openAlarm(tx, { id: newId(), kind, subject_kind, subject_id: id, owner_id, detail })
}
