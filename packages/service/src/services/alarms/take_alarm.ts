import type { GatewayAlarm } from '../../domain/alarm.ts'
import type { Caller } from '../../domain/caller.ts'
import { takeAlarm as takeStored } from '../../store/staff/alarms.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { alarmAudit } from './alarm_audit.ts'

/**
 * Assigns an open alarm to the caller, also if it had another assignee. Undefined if it is not
 * open.
 */
export async function takeAlarm(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<GatewayAlarm | undefined> {
  requireStaff(caller, 'staff:act')
  return await withTransaction(ctx.db, async (tx) => {
    const taken = await takeStored(tx, id, caller.owner_id)
    if (taken !== undefined) await recordAudit(tx, ctx, caller, alarmAudit('alarm.take', taken))
    return taken
  })
}
