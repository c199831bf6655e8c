import type { AuditEntry } from '../domain/audit.ts'
import { toJson } from './sql_values.ts'
import type { Tx } from './transaction.ts'

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
