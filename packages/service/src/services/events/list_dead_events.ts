import type { Caller } from '../../domain/caller.ts'
import {
  listAllDeadEvents,
  type DeadEventFilters,
  type DeadEventSummary,
} from '../../store/events/dead_events.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { requireStaff } from '../access/staff_caller.ts'

/** A page of events that a subscriber failed at, still retried or waiting for staff. For staff. */
export async function listDeadEvents(
  ctx: Context,
  caller: Caller,
  filters: DeadEventFilters,
  page: PageRequest,
): Promise<Page<DeadEventSummary>> {
  requireStaff(caller, 'staff:read')
  const found = await withReadTransaction(
    ctx.db,
    async (tx) => await listAllDeadEvents(tx, filters, page),
  )
  await recordListRead(ctx, caller, 'event.list', found.results)
  return found
}
