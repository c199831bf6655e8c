import type { GatewayAlarm } from '../../domain/alarm.ts'
import type { Caller } from '../../domain/caller.ts'
import { closeAlarm as closeStored } from '../../store/staff/alarms.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { parseReason } from '../staff/staff_query.ts'
import { alarmAudit } from './alarm_audit.ts'

/** Closes an open alarm with the caller's id and note. Undefined if it is not open. */
export async function closeAlarm(
  ctx: Context,
  caller: Caller,
  id: string,
  input: unknown,
): Promise<GatewayAlarm | undefined> {
  requireStaff(caller, 'staff:act')
  const { reason: note } = parseReason(input)
  const closing = { closed_by: caller.owner_id, note }
  return await withTransaction(ctx.db, async (tx) => {
    const closed = await closeStored(tx, id, closing)
    if (closed === undefined) return undefined
    await recordAudit(tx, ctx, caller, { ...alarmAudit('alarm.close', closed), reason: note })
    return closed
  })
}
