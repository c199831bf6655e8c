import type { GatewayAlarm } from '../../domain/alarm.ts'
import type { Caller } from '../../domain/caller.ts'
import { noteAlarm as noteStored } from '../../store/staff/alarms.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { parseReason } from '../staff/staff_query.ts'
import { alarmAudit } from './alarm_audit.ts'

/** Adds a note to an open alarm. Undefined if it is not open. */
export async function noteAlarm(
  ctx: Context,
  caller: Caller,
  id: string,
  input: unknown,
): Promise<GatewayAlarm | undefined> {
  requireStaff(caller, 'staff:act')
  const { reason } = parseReason(input)
  const line = `${caller.owner_id}: ${reason}`
  return await withTransaction(ctx.db, async (tx) => {
    const noted = await noteStored(tx, id, line)
    if (noted?.added === true) {
      await recordAudit(tx, ctx, caller, { ...alarmAudit('alarm.note', noted.alarm), reason })
    }
    return noted?.alarm
  })
}
