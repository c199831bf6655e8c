import type { Caller } from '../../domain/caller.ts'
import {
  listAlarms as listStored,
  type AlarmFilters,
  type AlarmSummary,
} from '../../store/staff/alarms.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { requireStaff } from '../access/staff_caller.ts'

/** A page of open alarms, on request of closed ones too. For staff. */
export async function listAlarms(
  ctx: Context,
  caller: Caller,
  filters: AlarmFilters & { closed: boolean },
  page: PageRequest,
): Promise<Page<AlarmSummary>> {
  requireStaff(caller, 'staff:read')
  const found = await withReadTransaction(ctx.db, async (tx) => await listStored(tx, filters, page))
  await recordListRead(ctx, caller, 'alarm.list', found.results)
  return found
}
