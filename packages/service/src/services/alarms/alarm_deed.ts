import type { GatewayAlarm } from '../../domain/alarm.ts'
import type { AuditAction } from '../../domain/audit.ts'
import type { Deed } from '../audit/note_deed.ts'

/** What was done about an alarm, as the audit keeps it. */
export const alarmDeed = (
  action: AuditAction,
  { id, kind, owner_id, subject_kind, subject_id }: GatewayAlarm,
): Deed => ({
  action,
  subject_kind: 'alarm',
  subject_id: id,
  owner_id,
  detail: { kind, about: `${subject_kind} ${subject_id}` },
})
