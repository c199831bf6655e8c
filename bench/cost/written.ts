// What PostgreSQL wrote for a piece of work, read from its own log of changes: rows, index entries
// and bytes. These do not depend on the machine.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Pool } from 'pg'
import { binary, type PostgresCluster } from '../../campaigns/bench/postgres_cluster.ts'

const run = promisify(execFile)

export interface Written {
  rows: number
  /** Of the rows: changed without a new entry in any index. */
  hot_updates: number
  index_entries: number
  /** Without images of whole pages, which depend on when the last checkpoint was. */
  wal_bytes: number
}

/** The place up to which everything is written. */
export async function walEnd(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ end: string }>('select pg_current_wal_flush_lsn() as end')
  return rows[0]?.end ?? ''
}

const ROWS = /^(?:Heap\/(?:INSERT|UPDATE|HOT_UPDATE|DELETE)|Heap2\/MULTI_INSERT)(?:\+INIT)?$/
const HOT = /^Heap\/HOT_UPDATE/
// A split of a page holds the entry that caused it.
const ENTRIES = /^Btree\/(?:INSERT_LEAF|INSERT_POST|SPLIT_[LR])$/
const LINE = /^(\w+\/\S+)\s+(\d+)\s+\([^)]*\)\s+(\d+)\s/

/** What was written between two places. */
export async function writtenBetween(
  cluster: Pick<PostgresCluster, 'data'>,
  start: string,
  end: string,
): Promise<Written> {
  const written: Written = { rows: 0, hot_updates: 0, index_entries: 0, wal_bytes: 0 }
  // pg_waldump calls an empty range an error.
  if (start === end) return written
  const wal = ['-p', `${cluster.data}/pg_wal`, `--start=${start}`, `--end=${end}`]
  const { stdout } = await run(binary('pg_waldump'), ['--stats=record', ...wal])
  for (const line of stdout.split('\n')) {
    const [, kind = '', count = '', bytes = ''] = LINE.exec(line) ?? []
    if (ROWS.test(kind)) written.rows += Number(count)
    if (HOT.test(kind)) written.hot_updates += Number(count)
    if (ENTRIES.test(kind)) written.index_entries += Number(count)
    written.wal_bytes += Number(bytes)
  }
  return written
}
