import { errorName } from '../../domain/error_name.ts'
import { PURGE_PAGE_MAX, purgeOldKeys, purgeReplies } from '../../store/operations/intents.ts'
import {
  dropPartition,
  listOldPartitions,
  PARTITIONED_TABLES,
  type Partition,
  type PartitionedTable,
} from '../../store/maintenance/partitions.ts'
import { dropAudit } from '../../store/audit/chain.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import { recordOwnAudit } from '../audit/record_audit.ts'
import { CUT } from '../audit/verify_audit.ts'
import type { Context } from '../context.ts'
import { reportSilence } from './report_silence.ts'
import { makePartitions, Postponed, recoverDefault } from './recover_default.ts'

/** Since the end of their operation (ADR 0007). */
const REPLIES_KEPT_HOURS = 24
/**
 * A limit in time: a limit in rows would let the table grow if more requests arrived in an hour.
 */
const PURGE_BUDGET_MS = 60_000
/** Partitions of one table in one run; the next run drops the rest. */
const DROPPED_MAX = 3

/**
 * How many whole months a month is kept after its end, at least. A table that is not named is kept
 * for ever (ADR 0018).
 */
export interface Retention {
  notifications_months?: number
  events_months?: number
  /** The log of outgoing webhooks. */
  deliveries_months?: number
  /** The audit chain, with an anchor at the cut; at least a year is kept (ADR 0022). */
  audit_months?: number
}

interface MaintenanceResult {
  partitions_made: number
  partitions_dropped: number
  /** Old enough to drop, but something in them, or in an earlier one, is still needed. */
  partitions_held: number
  replies_purged: number
  audit_dropped: number
  /** Steps that could not get a lock; the next run repeats them. */
  postponed: string[]
  /** Steps that failed; their errors are in the log. */
  failed: string[]
}

interface Step {
  name: string
  run: (result: MaintenanceResult) => Promise<void>
}

/**
 * Recovers DEFAULT partitions, creates the months ahead, purges old replies and drops what
 * retention no longer keeps. Every step runs even if an earlier one failed. May be repeated and run
 * concurrently.
 */
export async function runMaintenance(
  ctx: Context,
  retention: Retention = {},
): Promise<MaintenanceResult> {
  const result: MaintenanceResult = {
    partitions_made: 0,
    partitions_dropped: 0,
    partitions_held: 0,
    replies_purged: 0,
    audit_dropped: 0,
    postponed: [],
    failed: [],
  }
  for (const step of stepsOf(ctx, retention)) {
    try {
      await step.run(result)
    } catch (error) {
      if (error instanceof Postponed) {
        result.postponed.push(step.name)
        ctx.log.warn({ step: step.name, reason: error.message }, 'maintenance_step_postponed')
      } else {
        result.failed.push(step.name)
        ctx.log.error({ step: step.name, error: errorName(error) }, 'maintenance_step_failed')
      }
    }
  }
  return result
}

const stepsOf = (ctx: Context, retention: Retention): Step[] => [
  // Before the months ahead: no month is attached while the DEFAULT partition holds many rows.
  ...PARTITIONED_TABLES.map((table) => ({
    name: `recover_default ${table}`,
    run: async (result: MaintenanceResult) => {
      result.partitions_made += await recoverDefault(ctx, table)
    },
  })),
  ...PARTITIONED_TABLES.map((table) => ({
    name: `make_partitions ${table}`,
    run: async (result: MaintenanceResult) => {
      result.partitions_made += await makePartitions(ctx, table)
    },
  })),
  {
    name: 'report_silence',
    run: async () => {
      await reportSilence(ctx)
    },
  },
  { name: 'purge_replies', run: async (result) => await purgeReplyPages(ctx, result) },
  ...PARTITIONED_TABLES.map((table) => ({
    name: `drop_months ${table}`,
    run: async (result: MaintenanceResult) => {
      const keep_months = monthsOf(retention)[table]
      if (keep_months !== undefined) await dropOld(ctx, { table, keep_months }, result)
    },
  })),
  {
    name: 'drop_audit',
    run: async (result) => {
      if (retention.audit_months === undefined) return
      await dropOldAudit(ctx, retention.audit_months, result)
    },
  },
]

const AUDIT_PAGE_MAX = 5_000
const AUDIT_PAGES_MAX = 20

/** In pages, each with an anchor of its own, whose cut the chain records. */
async function dropOldAudit(
  ctx: Context,
  keep_months: number,
  result: MaintenanceResult,
): Promise<void> {
  for (let page = 0; page < AUDIT_PAGES_MAX; page++) {
    const cut = await withTransaction(ctx.db, async (tx) => {
      const gone = await dropAudit(tx, { keep_months, limit: AUDIT_PAGE_MAX })
      if (gone === undefined) return undefined
      const { seq, hash } = gone
      const subject = { subject_kind: 'audit', subject_id: String(seq) }
      await recordOwnAudit(tx, ctx, { action: CUT, ...subject, detail: { seq, hash } })
      return gone
    })
    if (cut === undefined) return
    result.audit_dropped += cut.dropped
  }
}

/** Refuses a retention below one month: it would drop rows that the sweeps still need. */
export function checkRetention(retention: Retention): void {
  for (const months of [...Object.values(monthsOf(retention)), retention.audit_months]) {
    if (months !== undefined && !(Number.isSafeInteger(months) && months >= 1)) {
      throw new RangeError(`a retention must be whole months, at least 1, not ${months}`)
    }
  }
}

const monthsOf = (retention: Retention): Record<PartitionedTable, number | undefined> => ({
  gateway_notification: retention.notifications_months,
  gateway_event: retention.events_months,
  webhook_delivery: retention.deliveries_months,
})

async function purgeReplyPages(ctx: Context, result: MaintenanceResult): Promise<void> {
  const old = { older_than_hours: REPLIES_KEPT_HOURS, limit: PURGE_PAGE_MAX }
  const end = performance.now() + PURGE_BUDGET_MS
  do {
    const purged = await withTransaction(
      ctx.db,
      async (tx) => (await purgeReplies(tx, old)) + (await purgeOldKeys(tx, old)),
    )
    result.replies_purged += purged
    if (purged < PURGE_PAGE_MAX) return
  } while (performance.now() < end)
  ctx.log.warn({ replies_purged: result.replies_purged }, 'purge_replies_out_of_time')
}

const noteDrop = async (
  tx: Tx,
  ctx: Context,
  { name, month, until }: Partition,
  keep_months: number,
): Promise<void> => {
  const subject = { subject_kind: 'month', subject_id: name }
  await recordOwnAudit(tx, ctx, {
    action: 'retention.drop',
    ...subject,
    detail: { month, until, keep_months },
  })
}

async function dropOld(
  ctx: Context,
  { table, keep_months }: { table: PartitionedTable; keep_months: number },
  result: MaintenanceResult,
): Promise<void> {
  for (let dropped = 0; ; dropped++) {
    // Read again in the transaction that drops: a partition may have become needed meanwhile.
    const { old, gone } = await withTransaction(ctx.db, async (tx) => {
      const partitions = await listOldPartitions(tx, table, keep_months)
      const [oldest] = partitions
      const may_drop = oldest !== undefined && !oldest.held && dropped < DROPPED_MAX
      const gone_now = may_drop && (await dropPartition(tx, table, oldest))
      if (gone_now) await noteDrop(tx, ctx, oldest, keep_months)
      return { old: partitions, gone: gone_now }
    })
    if (gone) {
      result.partitions_dropped++
      continue
    }
    // Nothing after it is dropped either: what is kept has no gaps, so that a verification can
    // distinguish dropped rows from missing ones.
    const [oldest] = old
    if (oldest?.held !== true) return
    result.partitions_held += old.length
    ctx.log.warn({ table, months: old.length, oldest: oldest.month }, 'old_months_held')
    return
  }
}
