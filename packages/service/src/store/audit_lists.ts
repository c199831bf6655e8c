import type { AuditEntry } from '../domain/audit.ts'
import { AUDIT_COLUMNS } from './audit.ts'
import type { Tx } from './transaction.ts'
import { conditionsOf, whereOf } from './visible.ts'

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
