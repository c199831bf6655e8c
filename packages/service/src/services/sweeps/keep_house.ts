import { PURGE_PAGE_MAX, purgeIdempotencyKeys } from '../../store/idempotency_keys.ts'
import { ensurePartitions, PARTITIONED_TABLES } from '../../store/partitions.ts'
import { withTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'

/** D-19: kept at least a day. */
const KEYS_KEPT_HOURS = 24
const PURGE_PAGES_MAX = 100

export interface HouseKept {
  partitions_made: number
  keys_purged: number
}

/** Makes the months ahead and drops the keys that are old enough. May repeat and overlap. */
export async function keepHouse(ctx: Context): Promise<HouseKept> {
  let partitions_made = 0
  for (const table of PARTITIONED_TABLES) {
    partitions_made += await withTransaction(
      ctx.db,
      async (tx) => await ensurePartitions(tx, table),
    )
  }
  let keys_purged = 0
  for (let page = 0; page < PURGE_PAGES_MAX; page++) {
    const old = { older_than_hours: KEYS_KEPT_HOURS, limit: PURGE_PAGE_MAX }
    const purged = await withTransaction(ctx.db, (tx) => purgeIdempotencyKeys(tx, old))
    keys_purged += purged
    if (purged < PURGE_PAGE_MAX) break
  }
  return { partitions_made, keys_purged }
}
