import { PURGE_PAGE_MAX, purgeOldKeys, purgeReplies } from '../../store/intents.ts'
import {
  dropPartition,
  ensurePartitions,
  listOldPartitions,
  PARTITIONED_TABLES,
  rescueOldestMonth,
  type Partition,
  type PartitionedTable,
} from '../../store/partitions.ts'
import { dropAudit } from '../../store/audit_chain.ts'
import { withTransaction, type Tx } from '../../store/transaction.ts'
import { noteOwnDeed } from '../audit/note_deed.ts'
import { CUT } from '../audit/verify_audit.ts'
import type { Context } from '../context.ts'

/** D-19: kept at least a day. */
const KEYS_KEPT_HOURS = 24
const PURGE_PAGES_MAX = 100
/** Months of one table in one run; the rest is for the next. */
const DROPPED_MAX = 3
const RESCUED_MAX = 3

/**
 * For how many whole months after its end a month is kept, at least. What is not named is kept for
 * ever (D-73).
 */
export interface Retention {
  notifications_months?: number
  events_months?: number
  /** The chain of the audit, behind an anchor; a year is kept in any case (D-119). */
  audit_months?: number
}

export interface HouseKept {
  partitions_made: number
  partitions_dropped: number
  /** Old enough to go, but something in them, or in one before them, is still needed. */
  partitions_held: number
  keys_purged: number
  audit_dropped: number
}

/**
 * Makes the months ahead, purges the keys that are old enough, and drops the months nobody is to
 * keep any longer. May repeat and overlap; each step is a transaction of its own.
 */
export async function keepHouse(ctx: Context, retention: Retention = {}): Promise<HouseKept> {
  let partitions_made = 0
  for (const table of PARTITIONED_TABLES) {
    partitions_made += await withTransaction(ctx.db, (tx) => ensurePartitions(tx, table))
  }
  const keys_purged = await purgeKeys(ctx)
  const kept = {
    partitions_made,
    keys_purged,
    partitions_dropped: 0,
    partitions_held: 0,
    audit_dropped: 0,
  }
  for (const table of PARTITIONED_TABLES) {
    kept.partitions_made += await rescue(ctx, table)
    const keep_months = monthsOf(retention)[table]
    if (keep_months === undefined) continue
    const { dropped, held } = await dropOld(ctx, table, keep_months)
    kept.partitions_dropped += dropped
    kept.partitions_held += held
  }
  if (retention.audit_months === undefined) return kept
  return { ...kept, audit_dropped: await dropOldAudit(ctx, retention.audit_months) }
}

const AUDIT_PAGE_MAX = 5_000
const AUDIT_PAGES_MAX = 20

/** In pages, each behind an anchor of its own, which the chain itself then tells of. */
async function dropOldAudit(ctx: Context, keep_months: number): Promise<number> {
  let dropped = 0
  for (let page = 0; page < AUDIT_PAGES_MAX; page++) {
    const cut = await withTransaction(ctx.db, async (tx) => {
      const gone = await dropAudit(tx, { keep_months, limit: AUDIT_PAGE_MAX })
      if (gone === undefined) return undefined
      const { seq, hash } = gone
      const subject = { subject_kind: 'audit', subject_id: String(seq) }
      await noteOwnDeed(tx, ctx, { action: CUT, ...subject, detail: { seq, hash } })
      return gone
    })
    if (cut === undefined) break
    dropped += cut.dropped
  }
  return dropped
}

/** Refuses a retention that cannot be meant: nought would drop what the sweeps still look at. */
export function checkRetention(retention: Retention): void {
  for (const months of [...Object.values(monthsOf(retention)), retention.audit_months]) {
    if (months !== undefined && !(Number.isSafeInteger(months) && months >= 1)) {
      throw new RangeError(`a retention is whole months, at least 1, not ${months}`)
    }
  }
}

const monthsOf = (retention: Retention): Record<PartitionedTable, number | undefined> => ({
  gateway_notification: retention.notifications_months,
  gateway_event: retention.events_months,
})

async function purgeKeys(ctx: Context): Promise<number> {
  let keys_purged = 0
  for (let page = 0; page < PURGE_PAGES_MAX; page++) {
    const old = { older_than_hours: KEYS_KEPT_HOURS, limit: PURGE_PAGE_MAX }
    const purged = await withTransaction(
      ctx.db,
      async (tx) => (await purgeReplies(tx, old)) + (await purgeOldKeys(tx, old)),
    )
    keys_purged += purged
    if (purged < PURGE_PAGE_MAX) break
  }
  return keys_purged
}

/** Rows of the DEFAULT partition cannot be dropped by the month before they are in one. */
async function rescue(ctx: Context, table: PartitionedTable): Promise<number> {
  let rescued = 0
  while (rescued < RESCUED_MAX) {
    if (!(await withTransaction(ctx.db, (tx) => rescueOldestMonth(tx, table)))) break
    rescued++
  }
  return rescued
}

const noteDrop = async (
  tx: Tx,
  ctx: Context,
  { name, month }: Partition,
  keep_months: number,
): Promise<void> => {
  const subject = { subject_kind: 'month', subject_id: name }
  await noteOwnDeed(tx, ctx, {
    action: 'retention.drop',
    ...subject,
    detail: { month, keep_months },
  })
}

async function dropOld(
  ctx: Context,
  table: PartitionedTable,
  keep_months: number,
): Promise<{ dropped: number; held: number }> {
  let dropped = 0
  for (;;) {
    // Looked at again in the transaction that drops: meanwhile a month may have become needed.
    const { old, gone } = await withTransaction(ctx.db, async (tx) => {
      const months = await listOldPartitions(tx, table, keep_months)
      const [oldest] = months
      const may_drop = oldest !== undefined && !oldest.held && dropped < DROPPED_MAX
      const gone_now = may_drop && (await dropPartition(tx, table, oldest))
      if (gone_now) await noteDrop(tx, ctx, oldest, keep_months)
      return { old: months, gone: gone_now }
    })
    if (gone) {
      dropped++
      continue
    }
    // None behind it goes either: what is kept has a beginning and no gaps, or no proof over it
    // could tell what was dropped from what is missing.
    const [oldest] = old
    if (oldest?.held !== true) return { dropped, held: 0 }
    ctx.log.warn({ table, months: old.length, oldest: oldest.month }, 'old months are held')
    return { dropped, held: old.length }
  }
}
