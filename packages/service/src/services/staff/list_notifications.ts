import type { Caller } from '../../domain/caller.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import {
  listNotifications as listStored,
  type NotificationFilters,
  type NotificationSummary,
} from '../../store/notifications/lists.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'

/**
 * A page of the notifications received from the gateway and their effects, newest first. For staff.
 */
export async function listNotifications(
  ctx: Context,
  caller: Caller,
  filters: NotificationFilters,
  page: PageRequest,
): Promise<Page<NotificationSummary>> {
  requireStaff(caller, 'staff:read')
  const found = await withReadTransaction(ctx.db, async (tx) => await listStored(tx, filters, page))
  await recordListRead(ctx, caller, 'notification.list', found.results)
  return found
}
