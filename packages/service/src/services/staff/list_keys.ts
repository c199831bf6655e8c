import type { Caller } from '../../domain/caller.ts'
import { listAllApiKeys, type ApiKey } from '../../store/access/api_keys.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { requireStaff } from '../access/staff_caller.ts'

/** A page of every owner's keys. The keys themselves are not stored. */
export async function listKeys(
  ctx: Context,
  caller: Caller,
  _filters: object,
  page: PageRequest,
): Promise<Page<ApiKey>> {
  requireStaff(caller, 'staff:read')
  const found = await withReadTransaction(ctx.db, async (tx) => await listAllApiKeys(tx, page))
  await recordListRead(ctx, caller, 'key.list', found.results)
  return found
}
