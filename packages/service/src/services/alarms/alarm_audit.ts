import type { GatewayAlarm } from '../../domain/alarm.ts'
import type { AuditAction } from '../../domain/audit.ts'
import type { AuditedAction } from '../audit/record_audit.ts'

/** The audit entry of an action on an alarm. */
export const alarmAudit = (
  action: AuditAction,
  { id, kind, owner_id, subject_kind, subject_id }: GatewayAlarm,
): AuditedAction => ({
  action,
  subject_kind: 'alarm',
  subject_id: id,
  owner_id,
  detail: { kind, about: `${subject_kind} ${subject_id}` },
})
