// The DEFAULT partition catches rows of a month that has no partition. Few rows move to their
// months; if they are many, the partition itself is bounded, validated and attached as it is.
import { codeOf } from './availability.ts'
import { renameSchema, withConnection, type Database } from './database.ts'
import { MONTHS_AHEAD, type PartitionedTable } from './partitions.ts'
import { patiently } from './pipelining.ts'
import { encodeValue, SQL_TYPES, type SqlValue } from './sql_values.ts'
import type { Tx } from './transaction.ts'

/** More rows than this are not moved under a lock, so that it is held for less than a second. */
export const MOVED_ROWS_MAX = 10_000

export interface DefaultPartition {
  /** Counted up to the limit. */
  rows: number
  /** Day of the oldest counted row, null if there is none. */
  oldest: string | null
  /** A recovery has begun and is to be completed, however many rows there are. */
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

/** True if it made the partition of this day's month and moved the rows of that month into it. */
export async function moveToMonth(tx: Tx, table: PartitionedTable, day: string): Promise<boolean> {
  const [row] = await tx.query<{ made: boolean }>(
    'select gapura.ensure_month_partition($1, $2::date) as made',
    [table, day],
    { whole: false },
  )
  return row?.made === true
}

/**
 * Bounds the DEFAULT partition by a CHECK that is not yet validated. Locks it against everybody for
 * a moment; if rows lie on both sides of a month partition, PostgreSQL reports 55000.
 */
export const boundDefaultPartition = async (
  db: Database,
  table: PartitionedTable,
): Promise<boolean> =>
  await scan(db, 'select gapura.bound_default_partition($1, $2) as done', [table, MONTHS_AHEAD])

/** Validates that CHECK. Reads every row and locks out neither readers nor writers. */
export const validateDefaultPartition = async (
  db: Database,
  table: PartitionedTable,
): Promise<boolean> =>
  await scan(db, 'select gapura.validate_default_partition($1) as done', [table])

/**
 * Attaches the DEFAULT partition with the bounds of its validated CHECK and puts an empty one in its
 * place. Locks the table against everybody for a moment. True if this call did it.
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

/** Whether a lock could not be had in time: nothing has happened, and a later attempt may succeed. */
export const isLockTaken = (error: unknown): boolean => BUSY_CODES.has(codeOf(error))

/** Two scans of each of two tables stay below the ten minutes a timer may take. */
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
