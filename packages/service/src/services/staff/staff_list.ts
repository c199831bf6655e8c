import type { AuditAction } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordListRead, type Shown } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'

/** A list for staff: every page that is shown has its entry in the audit. */
export const staffList =
  <Filters, Row extends Shown>(
    action: AuditAction,
    list: (tx: Tx, filters: Filters, page: PageRequest) => Promise<Page<Row>>,
  ) =>
  async (ctx: Context, caller: Caller, filters: Filters, page: PageRequest): Promise<Page<Row>> => {
    requireStaff(caller, 'staff:read')
    const found = await withReadTransaction(ctx.db, async (tx) => await list(tx, filters, page))
    await recordListRead(ctx, caller, action, found.results)
    return found
  }
