// The table that staff search by: filled in the background by the events of the outbox, a page in
// one transaction with its cursor, so that it can be stopped anywhere and repeats nothing.
import { OBJECT_KINDS, type ObjectKind } from '../../domain/signals.ts'
import type { Tx } from '../connection/transaction.ts'

interface ChangedObject {
  object_id: string
  object_kind: ObjectKind | 'operator'
  xid: string
  sequence: number
}

/**
 * Fills the entries of the next events and moves the cursor past them: how many events those were.
 * Zero if another process fills. Locks the row of the progress. The horizon is that of the outbox;
 * see readEvents.
 */
export async function fillNextEntries(tx: Tx, limit: number, horizon?: string): Promise<number> {
  const [from] = await tx.query<{ xid: string; object_id: string; sequence: number }>(
    `select cursor_xid as xid, cursor_object_id as object_id, cursor_sequence as sequence
     from gapura.search_progress
     for update skip locked`,
  )
  if (from === undefined) return 0
  const changed = await tx.query<ChangedObject>(
    `select object_id, object_kind, xid, sequence
     from gapura.gateway_event
     where (xid, object_id, sequence) > ($1::xid8, $2::uuid, $3::integer)
       and xid < coalesce($5::xid8, pg_snapshot_xmin(pg_current_snapshot()))
     order by xid, object_id, sequence
     limit $4`,
    [from.xid, from.object_id, from.sequence, limit, horizon ?? null],
  )
  const last = changed.at(-1)
  if (last === undefined) return 0
  for (const kind of OBJECT_KINDS) {
    const ids = changed.filter((one) => one.object_kind === kind).map((one) => one.object_id)
    if (ids.length > 0) await writeEntries(tx, kind, [...new Set(ids)])
  }
  await tx.query(
    `update gapura.search_progress
     set cursor_xid = $1::xid8, cursor_object_id = $2, cursor_sequence = $3`,
    [last.xid, last.object_id, last.sequence],
  )
  return changed.length
}

const writeEntries = async (tx: Tx, kind: ObjectKind, ids: readonly string[]): Promise<unknown> =>
  await tx.query(`select gapura.fill_search($1, $2::uuid[])`, [kind, ids])

/**
 * Writes the entries again as their objects are now, in the transaction that erased these. Locks the
 * row of the progress: a process that fills would otherwise write what it read before the erasure.
 */
export async function rewriteEntries(
  tx: Tx,
  kind: ObjectKind,
  ids: readonly string[],
): Promise<void> {
  await tx.query(`select one_row from gapura.search_progress for update`)
  await writeEntries(tx, kind, ids)
}

/** Up to when everything is filled in: the oldest event after the cursor, or now. */
export async function readSearchFreshness(tx: Tx): Promise<{ fresh_at: Date; parts: boolean }> {
  const [found] = await tx.query<{ fresh_at: Date; parts: boolean }>(
    `select
       coalesce(
         (
           select occurred_at
           from gapura.gateway_event
           where (xid, object_id, sequence) > (
             select cursor_xid, cursor_object_id, cursor_sequence from gapura.search_progress
           )
           order by xid, object_id, sequence
           -- Those before it are looked at directly; see search_pending.
           offset 500
           limit 1
         ),
         gapura.now()
       ) as fresh_at,
       to_regclass('gapura.search_entry_part') is not null as parts`,
  )
  if (found === undefined) throw new Error('search_progress has no row')
  return found
}
