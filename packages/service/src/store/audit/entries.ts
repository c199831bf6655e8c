import type { AuditEntry } from '../../domain/audit.ts'
import type { Tx } from '../connection/transaction.ts'
import { conditionsOf, whereOf } from '../sql/lists.ts'
import { toJson } from '../sql/values.ts'

/** A new audit entry; the database sets its time. */
export type NewAuditEntry = Omit<AuditEntry, 'occurred_at'>

export const AUDIT_COLUMNS = `
  id, occurred_at, actor, actor_kind, action, subject_kind, subject_id, owner_id, reason,
  request_id, operation_id, detail`

/**
 * Inserts audit entries in the transaction of the actions they record. The sealer chains them
 * later.
 */
export async function appendAudit(tx: Tx, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.query(
    `insert into gapura.audit_unsealed (
       id, actor, actor_kind, action, subject_kind, subject_id, owner_id, reason, request_id,
       operation_id, detail
     )
     select id, actor, actor_kind, action, subject_kind, subject_id, owner_id, reason, request_id,
       operation_id, detail
     from jsonb_to_recordset($1::jsonb) as entry(
       id uuid, actor text, actor_kind text, action text, subject_kind text, subject_id text,
       owner_id text, reason text, request_id text, operation_id uuid, detail text
     )`,
    [toJson(entries)],
  )
}

export interface AuditFilters {
  actor?: string
  subject_id?: string
  action?: string
  since?: Date
  until?: Date
  /** Only entries before this position in the chain: the cursor of the next page. */
  before_seq?: number
}

/** With its position in the chain, or null if it is not sealed yet. */
export type AuditListed = AuditEntry & { seq: number | null }

const FILTERS = [
  ['actor', 'actor = ?'],
  ['subject_id', 'subject_id = ?'],
  ['action', 'action = ?'],
  ['since', 'occurred_at >= ?'],
  ['until', 'occurred_at < ?'],
] as const

/** An entry is sealed after it happened, so entries sealed before the period can be skipped. */
const SEALED_SINCE = `
  seq > coalesce((
    select before.seq
    from gapura.audit_sealed as before
    where before.sealed_at < ?
    order by before.sealed_at desc, before.seq desc
    limit 1
  ), 0)`

/** The chain from its end, newest seal first. */
export async function listAudit(
  tx: Tx,
  { before_seq, ...filters }: AuditFilters,
  limit: number,
): Promise<AuditListed[]> {
  const { since } = filters
  const { sql, values } = whereOf([
    ...conditionsOf(FILTERS, filters),
    ...(before_seq === undefined ? [] : ([['seq < ?', before_seq]] as const)),
    ...(since === undefined ? [] : ([[SEALED_SINCE, since]] as const)),
  ])
  const rows = await tx.query<Omit<AuditListed, 'seq'> & { seq: string }>(
    `select seq, ${AUDIT_COLUMNS}
     from gapura.audit_sealed
     where ${sql}
     order by seq desc
     limit $${values.length + 1}`,
    [...values, limit],
    { prepare: false },
  )
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
}

/** The entries that wait for the sealer, newest first: those of a few seconds. */
export async function listAuditTail(
  tx: Tx,
  filters: AuditFilters,
  limit: number,
): Promise<AuditListed[]> {
  const { sql, values } = whereOf(conditionsOf(FILTERS, filters))
  const rows = await tx.query<AuditEntry>(
    `select ${AUDIT_COLUMNS}
     from gapura.audit_unsealed
     where ${sql}
     order by id desc
     limit $${values.length + 1}`,
    [...values, limit],
    { prepare: false },
  )
  return rows.map((row) => ({ ...row, seq: null }))
}
