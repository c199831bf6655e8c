// The audit chain: what the sealer writes and the verifier reads.
import type { AuditEntry, SealedEntry } from '../../domain/audit.ts'
import { AUDIT_COLUMNS } from './entries.ts'
import { toJson } from '../sql/values.ts'
import type { Tx } from '../connection/transaction.ts'

export interface AuditHead {
  seq: number
  hash: string
  /** The database's time, never before that of the last seal. */
  now: Date
}

/** The driver returns int8 as text; a chain never reaches 2^53 rows. */
type Digits<Row> = Omit<Row, 'seq'> & { seq: string }

const numbered = <Row extends { seq: string }>(row: Row) => ({ ...row, seq: Number(row.seq) })

/** The end of the chain, for one sealer per database; undefined while another one is sealing. */
export async function lockAuditHead(tx: Tx): Promise<AuditHead | undefined> {
  // An advisory lock, because the application's role may not write to the row. It is a statement of
  // its own: a statement sees what was committed before it began, not before it got the lock.
  const [lock] = await tx.query<{ got: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended('gapura.audit_head', 0)) as got",
  )
  if (lock?.got !== true) return undefined
  const [head] = await tx.query<Digits<AuditHead>>(
    `select
       seq,
       hash,
       greatest(
         gapura.now(),
         (select sealed_at from gapura.audit_sealed order by seq desc limit 1)
       ) as now
     from gapura.audit_head
     where only_row`,
  )
  return head && numbered(head)
}

/** The current end of the chain, without a lock. */
export async function readAuditHead(tx: Tx): Promise<{ seq: number; hash: string } | undefined> {
  const [head] = await tx.query<{ seq: string; hash: string }>(
    'select seq, hash from gapura.audit_head',
  )
  return head && numbered(head)
}

/** Entries that are not sealed yet, oldest first. */
export const listUnsealed = async (tx: Tx, limit: number): Promise<AuditEntry[]> =>
  await tx.query<AuditEntry>(
    `select ${AUDIT_COLUMNS}
     from gapura.audit_unsealed
     order by id
     limit $1`,
    [limit],
  )

/** Appends entries to the chain and deletes the unsealed rows. Requires `lockAuditHead`. */
export async function insertSealed(tx: Tx, entries: readonly SealedEntry[]): Promise<void> {
  await tx.query(
    `insert into gapura.audit_sealed (
       seq, sealed_at, hash, ${AUDIT_COLUMNS}
     )
     select seq, sealed_at, hash, ${AUDIT_COLUMNS}
     from jsonb_to_recordset($1::jsonb) as entry(
       seq bigint, sealed_at timestamptz, hash text, id uuid, occurred_at timestamptz, actor text,
       actor_kind text, action text, subject_kind text, subject_id text, owner_id text, reason text,
       request_id text, operation_id uuid, detail text
     )`,
    [toJson(entries)],
  )
  await tx.query('select gapura.forget_sealed($1::uuid[])', [entries.map(({ id }) => id)])
}

/** A page of the chain after a position. */
export async function listSealed(
  tx: Tx,
  { after_seq, limit }: { after_seq: number; limit: number },
): Promise<SealedEntry[]> {
  const rows = await tx.query<Digits<SealedEntry>>(
    `select seq, sealed_at, hash, ${AUDIT_COLUMNS}
     from gapura.audit_sealed
     where seq > $1
     order by seq
     limit $2`,
    [after_seq, limit],
  )
  return rows.map(numbered)
}

export interface AuditAnchor {
  seq: number
  hash: string
  anchored_at: Date
}

/** Where retention cut the chain, oldest first. */
export async function listAuditAnchors(tx: Tx): Promise<AuditAnchor[]> {
  const rows = await tx.query<Digits<AuditAnchor>>(
    'select seq, hash, anchored_at from gapura.audit_anchor order by seq',
  )
  return rows.map(numbered)
}

/**
 * Drops the oldest rows of the chain that were sealed at least this many whole months ago, and
 * stores an anchor; never rows of the last year. Undefined if no row is old enough.
 */
export async function dropAudit(
  tx: Tx,
  { keep_months, limit }: { keep_months: number; limit: number },
): Promise<{ seq: number; hash: string; dropped: number } | undefined> {
  const [dropped] = await tx.query<{ seq: string; hash: string; dropped: string }>(
    `select anchor_seq as seq, anchor_hash as hash, dropped
     from gapura.drop_audit(
       date_trunc('month', gapura.now()) - make_interval(months => $1),
       $2
     )`,
    [keep_months, limit],
    { whole: false },
  )
  return dropped && { ...numbered(dropped), dropped: Number(dropped.dropped) }
}
