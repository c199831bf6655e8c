import type { AuditEntry } from '../../domain/audit.ts'
import type { Tx } from '../connection/transaction.ts'
import { conditionsOf, whereOf } from '../sql/lists.ts'
import { toJson } from '../sql/values.ts'

/** What is written of a deed; when, the database says. */
export type NewAuditEntry = Omit<AuditEntry, 'occurred_at'>

export const AUDIT_COLUMNS = `
  id, occurred_at, actor, actor_kind, action, subject_kind, subject_id, owner_id, reason,
  request_id, operation_id, detail`

/** Writes deeds down, in the transaction of the deed. They are chained later, by the sealer. */
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
  /** Only what is before this place in the chain: how the next page is asked for. */
  before_seq?: number
}

/** With its place in the chain, or none yet. */
export type AuditListed = AuditEntry & { seq: number | null }

const FILTERS = [
  ['actor', 'actor = ?'],
  ['subject_id', 'subject_id = ?'],
  ['action', 'action = ?'],
  ['since', 'occurred_at >= ?'],
] as const

/** Nothing is sealed before it happened: what was sealed earlier need not be walked. */
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

/** What waits for the sealer, newest first: a few seconds' worth. */
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
