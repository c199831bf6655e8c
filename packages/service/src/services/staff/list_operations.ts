import type { Caller } from '../../domain/caller.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { listOperations as listStored, type OperationFilters } from '../../store/operations/rows.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'

/** A page of operations: those still open, or all about one object. For staff. */
export async function listOperations(
  ctx: Context,
  caller: Caller,
  filters: OperationFilters,
  page: PageRequest,
): Promise<Page<GatewayOperation>> {
  requireStaff(caller, 'staff:read')
  const found = await withReadTransaction(ctx.db, async (tx) => await listStored(tx, filters, page))
  await recordListRead(ctx, caller, 'operation.list', found.results)
  return found
}
