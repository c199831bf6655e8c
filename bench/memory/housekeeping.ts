// What the server did during the load. A run without a checkpoint or an autovacuum says little
// about an hour that has them.
import type { Pool } from 'pg'

export interface Housekeeping {
  checkpoints_timed: number
  checkpoints_asked: number
  /** Since the tables were made. */
  autovacuums: number
  autoanalyzes: number
}

/** Counts of the whole server, and of this schema's tables. */
export async function housekeepingOf(pool: Pool, schema: string): Promise<Housekeeping> {
  const { rows } = await pool.query<Housekeeping>(
    `select checkpoints_timed::integer, checkpoints_req::integer as checkpoints_asked,
       tables.autovacuums::integer, tables.autoanalyzes::integer
     from pg_stat_bgwriter
     cross join (
       select sum(autovacuum_count) as autovacuums, sum(autoanalyze_count) as autoanalyzes
       from pg_stat_user_tables
       where schemaname = $1
     ) as tables`,
    [schema],
  )
  if (rows[0] === undefined) throw new Error('the server says nothing of itself')
  return rows[0]
}

/** The difference between two samples. */
export const between = (before: Housekeeping, after: Housekeeping): Housekeeping => ({
  checkpoints_timed: after.checkpoints_timed - before.checkpoints_timed,
  checkpoints_asked: after.checkpoints_asked - before.checkpoints_asked,
  autovacuums: after.autovacuums - before.autovacuums,
  autoanalyzes: after.autoanalyzes - before.autoanalyzes,
})
