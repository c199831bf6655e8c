// The audit for staff: a page of it, or all that the filters show as a file.
import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import {
  listAudit as listSealed,
  listAuditTail,
  type AuditFilters,
  type AuditListed,
} from '../../store/audit/entries.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import type { Streamed } from '../requests.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'

const LIMIT_MAX = 500
const LIMIT = 50
/** Of the entries that wait for their seal; the sealer takes them every few seconds. */
const TAIL_MAX = 10_000

const maybe = Type.Optional
const closed = { additionalProperties: false }
const text = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })
const whole = (pattern: string, description: string) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern })], { description })

const FILTERS = {
  actor: maybe(text('Only what this person or program did.')),
  subject_id: maybe(text('Only what was done to this object.')),
  action: maybe(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z_]+\\.[a-z_]+$',
      description: 'Only this action, as `payment.refund`.',
    }),
  ),
  since: maybe(Type.String({ maxLength: 40, description: 'Only from this time on.' })),
  until: maybe(Type.String({ maxLength: 40, description: 'Only before this time.' })),
}

export const AUDIT_QUERY = Type.Object(
  {
    ...FILTERS,
    before_seq: maybe(
      whole('^[1-9][0-9]{0,14}$', 'Only entries before this position: the `seq` of the last row.'),
    ),
    limit: maybe(
      whole('^[1-9][0-9]{0,2}$', `How many rows: 1 to ${LIMIT_MAX}, ${LIMIT} by default.`),
    ),
  },
  closed,
)
export const AUDIT_EXPORT_QUERY = Type.Object(FILTERS, closed)

const parseQuery = requestParser(AUDIT_QUERY)
const parseExport = requestParser(AUDIT_EXPORT_QUERY)

interface Times {
  since?: string | undefined
  until?: string | undefined
}

function timesOf(given: Times): Pick<AuditFilters, 'since' | 'until'> {
  const times: { since?: Date; until?: Date } = {}
  for (const field of ['since', 'until'] as const) {
    const value = given[field]
    if (value === undefined) continue
    const time = new Date(value)
    if (Number.isNaN(time.getTime())) {
      refuseFaults([{ field, message: 'a time, as in 2026-11-01T00:00:00Z' }])
    }
    times[field] = time
  }
  return times
}

/** Who did what, newest first, with what still waits for its seal. For staff. */
export async function listAudit(
  ctx: Context,
  caller: Caller,
  query: unknown,
): Promise<AuditListed[]> {
  requireStaff(caller, 'staff:read')
  const { limit: given = LIMIT, before_seq: before, since, until, ...rest } = parseQuery(query)
  const limit = Math.min(Number(given), LIMIT_MAX)
  const filters = {
    ...rest,
    ...timesOf({ since, until }),
    ...(before !== undefined && { before_seq: Number(before) }),
  }
  const { tail, sealed } = await pageOf(ctx, filters, { tail_max: limit, limit })
  return [...tail, ...sealed].slice(0, limit)
}

/** In one snapshot, so that an entry that is being sealed is in one of them. */
const pageOf = async (
  ctx: Context,
  filters: AuditFilters,
  { tail_max, limit }: { tail_max: number; limit: number },
) =>
  await withReadTransaction(ctx.db, async (tx) => ({
    tail: filters.before_seq === undefined ? await listAuditTail(tx, filters, tail_max) : [],
    sealed: await listSealed(tx, filters, limit),
  }))

const COLUMNS = [
  'seq',
  'id',
  'occurred_at',
  'actor',
  'actor_kind',
  'action',
  'subject_kind',
  'subject_id',
  'owner_id',
  'reason',
  'request_id',
  'operation_id',
  'detail',
] as const satisfies readonly (keyof AuditListed)[]

/** What the filters show as CSV. The export itself is recorded before its first row. */
export async function exportAudit(ctx: Context, caller: Caller, query: unknown): Promise<Streamed> {
  requireStaff(caller, 'staff:read')
  const { since, until, ...rest } = parseExport(query)
  const filters = { ...rest, ...timesOf({ since, until }) }
  await withTransaction(
    ctx.db,
    async (tx) =>
      await recordAudit(tx, ctx, caller, {
        action: 'audit.export',
        subject_kind: 'audit',
        subject_id: '-',
        detail: { filters: { ...rest, since, until } },
      }),
  )
  return {
    kind: 'stream',
    content_type: 'text/csv; charset=utf-8',
    filename: 'audit.csv',
    chunks: linesOf(ctx, filters),
  }
}

/** One transaction a page: a single one would hold back the vacuum for minutes. */
async function* linesOf(ctx: Context, filters: AuditFilters): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS)
  let before: { before_seq?: number } = {}
  for (;;) {
    const page = { tail_max: TAIL_MAX, limit: LIMIT_MAX }
    const { tail, sealed } = await pageOf(ctx, { ...filters, ...before }, page)
    const rows = [...tail, ...sealed]
    yield rows.map((row) => csvLine(COLUMNS.map((name) => cellOf(row[name])))).join('')
    const last = sealed.at(-1)?.seq
    if (sealed.length < LIMIT_MAX || last === undefined || last === null) return
    before = { before_seq: last }
  }
}

const cellOf = (value: AuditListed[keyof AuditListed]): string =>
  value instanceof Date ? value.toISOString() : String(value ?? '')
