import type { Caller } from '../../domain/caller.ts'
import {
  listAudit as listSealed,
  listAuditTail,
  type AuditListed,
} from '../../store/audit/entries.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { requireStaff } from '../access/staff_caller.ts'
import type { Context } from '../context.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { Type } from 'typebox'

const LIMIT_MAX = 500
const LIMIT = 50

export const AUDIT_QUERY = Type.Object(
  {
    actor: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    subject_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    action: Type.Optional(Type.String({ maxLength: 100, pattern: '^[a-z_]+\\.[a-z_]+$' })),
    since: Type.Optional(Type.String({ maxLength: 40 })),
    before_seq: Type.Optional(Type.Integer({ minimum: 1 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX })),
  },
  { additionalProperties: false },
)

const parseQuery = requestParser(AUDIT_QUERY)

/** Who did what, newest first, with what still waits for its seal. For staff. */
export async function listAudit(
  ctx: Context,
  caller: Caller,
  query: unknown,
): Promise<AuditListed[]> {
  requireStaff(caller, 'staff:read')
  const { limit = LIMIT, since: given, ...rest } = parseQuery(query)
  const since = given === undefined ? undefined : new Date(given)
  if (since !== undefined && Number.isNaN(since.getTime())) {
    refuseFaults([{ field: 'since', message: 'a time, as in 2026-11-01T00:00:00Z' }])
  }
  const filters = { ...rest, ...(since && { since }) }
  return await withReadTransaction(ctx.db, async (tx) => {
    const tail = rest.before_seq === undefined ? await listAuditTail(tx, filters, limit) : []
    const sealed = await listSealed(tx, filters, limit)
    return [...tail, ...sealed].slice(0, limit)
  })
}
