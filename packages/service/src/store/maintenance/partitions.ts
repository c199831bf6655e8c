import { renameSchema, withConnection, type Database } from '../connection/database.ts'
import { codeOf } from '../connection/errors.ts'
import { patiently } from '../connection/pipelining.ts'
import type { Tx } from '../connection/transaction.ts'
import { encodeValue, SQL_TYPES, type SqlValue } from '../sql/values.ts'

export const PARTITIONED_TABLES = [
  'gateway_notification',
  'gateway_event',
  'webhook_delivery',
] as const

export type PartitionedTable = (typeof PARTITIONED_TABLES)[number]

/** How many months are created ahead; maintenance may fail for two months without consequence. */
export const MONTHS_AHEAD = 3

export interface Partition {
  name: string
  /** Its first day, UTC. */
  month: string
  /** The first day after it: a recovered partition spans several months. */
  until: string
}

/**
 * Creates the partitions of this month and the next ones, and returns how many were missing. Rows
 * of these months in the DEFAULT partition move under its lock, so they must be few. May be
 * repeated.
 */
export async function ensurePartitions(tx: Tx, table: PartitionedTable): Promise<number> {
  const made = await tx.query<{ made: boolean }>(
    `select gapura.ensure_month_partition(
       $1,
       (gapura.now() + make_interval(months => ahead))::date
     ) as made
     from generate_series(0, $2) as ahead`,
    [table, MONTHS_AHEAD],
    { whole: false },
  )
  return made.filter((month) => month.made).length
}

/** The partitions of a table, oldest first. */
export const listPartitions = async (tx: Tx, table: PartitionedTable): Promise<Partition[]> =>
  await tx.query<Partition>(
    `select name, month, until
     from gapura.month_partitions($1)
     order by month`,
    [table],
  )

/** Unmatched notifications keep a month of the inbox: the sweep has not resolved them yet. */
const NOTIFICATIONS_DONE = `
  not exists (
    select from gapura.gateway_notification as open
    where open.received_at >= month
      and open.received_at < until
      and open.effect = 'unmatched'
      and open.resolved_at is null
  )`

/**
 * Every subscriber has received the month's events, and no dead event is as old: what waits behind
 * a dead event may be in any later month.
 */
const EVENTS_DELIVERED = `
  not exists (
    select from gapura.event_subscriber as behind
    cross join lateral (
      select from gapura.gateway_event as event
      where (event.xid, event.object_id, event.sequence)
          > (behind.cursor_xid, behind.cursor_object_id, behind.cursor_sequence)
        and event.occurred_at >= month
        and event.occurred_at < until
      -- Uses its index: otherwise an empty result would read the whole month.
      order by event.xid, event.object_id, event.sequence
      limit 1
    ) as untold
    where behind.retired_at is null
  )
  and coalesce(
    (select min(occurred_at) from gapura.dead_event) >= until,
    true
  )`

const DONE: Readonly<Record<PartitionedTable, string>> = {
  gateway_notification: NOTIFICATIONS_DONE,
  gateway_event: EVENTS_DELIVERED,
  // A log: nothing needs it.
  webhook_delivery: 'true',
}

export interface OldPartition extends Partition {
  /** Something in it is still needed. */
  held: boolean
}

/** The partitions whose last month ended at least this many whole months ago, oldest first. */
export const listOldPartitions = async (
  tx: Tx,
  table: PartitionedTable,
  keep_months: number,
): Promise<OldPartition[]> =>
  await tx.query<OldPartition>(
    `select name, month, until, not (${DONE[table]}) as held
     from gapura.month_partitions($1) as partition
     where until
       <= date_trunc('month', gapura.now()) - make_interval(months => $2)
     order by month`,
    [table, keep_months],
  )

/**
 * Drops a month with all its rows. Locks the table exclusively for a moment. False, and nothing is
 * changed, if it is no month of that table or the table is in use.
 */
export async function dropPartition(
  tx: Tx,
  table: PartitionedTable,
  { name }: Pick<Partition, 'name'>,
): Promise<boolean> {
  const [row] = await tx.query<{ dropped: boolean }>(
    'select gapura.drop_month_partition($1, $2) as dropped',
    [table, name],
  )
  return row?.dropped === true
}

// The DEFAULT partition receives rows of a month that has no partition. A few rows are moved to
// their months; if there are many, the partition itself is bounded, validated and attached.

/** More rows than this are not moved under a lock, so that it is held for less than a second. */
export const MOVED_ROWS_MAX = 10_000

export interface DefaultPartition {
  /** Counted up to the limit. */
  rows: number
  /** Day of the oldest counted row, null if there is none. */
  oldest: string | null
  /** A recovery has begun and must be completed, however many rows there are. */
  bounded: boolean
}

export async function inspectDefaultPartition(
  tx: Tx,
  table: PartitionedTable,
  limit: number,
): Promise<DefaultPartition> {
  const [found] = await tx.query<DefaultPartition>(
    `select row_count as rows, oldest, bounded
     from gapura.inspect_default_partition($1, $2)`,
    [table, limit],
  )
  return found ?? { rows: 0, oldest: null, bounded: false }
}

/**
 * True if it created the partition of this day's month and moved the rows of that month into it.
 */
export async function moveToMonth(tx: Tx, table: PartitionedTable, day: string): Promise<boolean> {
  const [row] = await tx.query<{ made: boolean }>(
    'select gapura.ensure_month_partition($1, $2::date) as made',
    [table, day],
    { whole: false },
  )
  return row?.made === true
}

/**
 * Bounds the DEFAULT partition by a CHECK that is not yet validated. Locks it exclusively for a
 * moment; if rows lie on both sides of a month partition, PostgreSQL reports 55000.
 */
export const boundDefaultPartition = async (
  db: Database,
  table: PartitionedTable,
): Promise<boolean> =>
  await scan(db, 'select gapura.bound_default_partition($1, $2) as done', [table, MONTHS_AHEAD])

/** Validates that CHECK. Reads every row and blocks neither readers nor writers. */
export const validateDefaultPartition = async (
  db: Database,
  table: PartitionedTable,
): Promise<boolean> =>
  await scan(db, 'select gapura.validate_default_partition($1) as done', [table])

/**
 * Attaches the DEFAULT partition with the bounds of its validated CHECK and creates an empty one in
 * its place. Locks the table exclusively for a moment. True if this call did it.
 */
export async function attachDefaultPartition(tx: Tx, table: PartitionedTable): Promise<boolean> {
  const [row] = await tx.query<{ name: string | null }>(
    'select gapura.attach_default_partition($1) as name',
    [table],
    { whole: false },
  )
  return (row?.name ?? null) !== null
}

const BUSY_CODES: ReadonlySet<string> = new Set(['55P03', '40P01'])

/**
 * Whether a lock could not be taken in time: nothing was changed, and a later attempt may succeed.
 */
export const isLockTaken = (error: unknown): boolean => BUSY_CODES.has(codeOf(error))

/** Two scans of each of three tables stay below the ten minutes that a timer may take. */
const SCAN_TIMEOUT_MS = 120_000

/** A transaction of its own for a statement that reads a whole partition. */
const scan = async (db: Database, text: string, values: readonly SqlValue[]): Promise<boolean> =>
  await withConnection(db, async (client, doubt) => {
    try {
      return await patiently(client, async () => {
        await client.query(
          `begin isolation level read committed; set local statement_timeout = ${SCAN_TIMEOUT_MS}`,
        )
        const { rows } = await client.query<{ done: boolean }>({
          text: renameSchema(text, db.schema),
          values: values.map(encodeValue),
          types: SQL_TYPES,
        })
        await client.query('commit')
        return rows[0]?.done === true
      })
    } catch (error) {
      // Closing the connection ends the transaction, whatever state it is in.
      doubt()
      throw error
    }
  })
