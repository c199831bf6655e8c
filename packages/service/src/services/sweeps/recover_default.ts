import { setTimeout as sleep } from 'node:timers/promises'
import {
  attachDefaultPartition,
  boundDefaultPartition,
  ensurePartitions,
  inspectDefaultPartition,
  isLockTaken,
  MOVED_ROWS_MAX,
  moveToMonth,
  validateDefaultPartition,
  type DefaultPartition,
  type PartitionedTable,
} from '../../store/maintenance/partitions.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'

const LOCK_ATTEMPTS_MAX = 5
/** Between attempts, waiting readers and writers proceed. */
const LOCK_PAUSE_MS = 200
/** How many months get a partition of their own in one run. */
const MOVED_MONTHS_MAX = 24
/** A row outside the bound makes the recovery start again. */
const BOUND_ATTEMPTS_MAX = 3

/** A step that cannot be done now and that the next run repeats. It is not a failure. */
export class Postponed extends Error {
  override readonly name = 'Postponed'
}

/** Creates the partitions of this month and the months ahead, and returns how many were missing. */
export async function makePartitions(ctx: Context, table: PartitionedTable): Promise<number> {
  const { rows } = await inspect(ctx, table)
  // Attaching a month reads all of the DEFAULT partition under its lock.
  if (rows > MOVED_ROWS_MAX) throw new Postponed('the DEFAULT partition is to be recovered first')
  return await withShortLocks(
    async () => await withTransaction(ctx.db, async (tx) => await ensurePartitions(tx, table)),
  )
}

/**
 * Moves the rows of the DEFAULT partition into partitions of their months, so that retention can
 * drop them. Returns how many partitions were created. May be repeated, run concurrently, and be
 * interrupted anywhere.
 */
export async function recoverDefault(ctx: Context, table: PartitionedTable): Promise<number> {
  const found = await inspect(ctx, table)
  if (found.rows === 0 && !found.bounded) return 0
  ctx.log.warn(
    { table, rows: found.rows, counted_to: MOVED_ROWS_MAX + 1 },
    'default_partition_rows',
  )
  return found.rows > MOVED_ROWS_MAX || found.bounded
    ? await attachInPlace(ctx, table)
    : await moveRows(ctx, table, found)
}

const inspect = async (ctx: Context, table: PartitionedTable): Promise<DefaultPartition> =>
  await withTransaction(
    ctx.db,
    async (tx) => await inspectDefaultPartition(tx, table, MOVED_ROWS_MAX + 1),
  )

async function moveRows(
  ctx: Context,
  table: PartitionedTable,
  found: DefaultPartition,
): Promise<number> {
  let made = 0
  let { oldest } = found
  for (let month = 0; month < MOVED_MONTHS_MAX && oldest !== null; month++) {
    const day = oldest
    const moved = await withShortLocks(
      async () => await withTransaction(ctx.db, async (tx) => await moveToMonth(tx, table, day)),
    )
    if (moved) made++
    ;({ oldest } = await inspect(ctx, table))
  }
  return made
}

async function attachInPlace(ctx: Context, table: PartitionedTable): Promise<number> {
  for (let attempt = 0; attempt < BOUND_ATTEMPTS_MAX; attempt++) {
    const bounded = await withShortLocks(async () => await boundDefaultPartition(ctx.db, table))
    // Another worker has recovered it.
    if (!bounded) return 0
    if (!(await withShortLocks(async () => await validateDefaultPartition(ctx.db, table)))) continue
    const attached = await withShortLocks(
      async () =>
        await withTransaction(ctx.db, async (tx) => await attachDefaultPartition(tx, table)),
    )
    return attached ? 1 : 0
  }
  throw new Postponed('the DEFAULT partition received rows outside its bound')
}

/** Repeats work whose locks were taken: its waits are short, because others wait behind it. */
async function withShortLocks<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isLockTaken(error)) throw error
      if (attempt === LOCK_ATTEMPTS_MAX) throw new Postponed('a lock was taken', { cause: error })
      await sleep(LOCK_PAUSE_MS * (0.5 + Math.random()))
    }
  }
}
