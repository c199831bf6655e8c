import type { WindowSource } from '../../domain/statement.ts'
import type { Tx } from '../connection/transaction.ts'

export interface StatementWindow {
  source: WindowSource
  day: string
  created_at: Date
  next_read_at: Date | null
  last_read_at: Date | null
  read_count: number
  failures: number
  /** The place of the reading under way. */
  page: number
  pass: number
  pass_changes: number
  last_error: string | null
}

const COLUMNS = `
  source, day, created_at, next_read_at, last_read_at, read_count, failures, page, pass,
  pass_changes, last_error`

/**
 * Adds the days that are not planned yet, from the day after the last planned one, or from the given
 * first day, to the last that is closed. May be repeated by every process.
 */
export async function planWindows(
  tx: Tx,
  source: WindowSource,
  { first_day, last_day }: { first_day: string; last_day: string },
): Promise<void> {
  await tx.query(
    `insert into gapura.statement_window (source, day, next_read_at)
     select $1, day::date, gapura.now()
     from generate_series(
       coalesce(
         (select max(day) + 1 from gapura.statement_window where source = $1),
         $2::date
       ),
       $3::date,
       interval '1 day'
     ) as day
     on conflict do nothing`,
    [source, first_day, last_day],
  )
}

interface ClaimOptions {
  sources: readonly WindowSource[]
  limit: number
  /** After this the window is due again unless it was read: a killed worker loses nothing. */
  lease_ms: number
  due_by: Date
}

/** Claims those longest due and postpones each by the lease; two processes never claim the same. */
export const claimDueWindows = async (
  tx: Tx,
  { sources, limit, lease_ms, due_by }: ClaimOptions,
): Promise<StatementWindow[]> =>
  await tx.query<StatementWindow>(
    `with due as (
       select source, day
       from gapura.statement_window
       where next_read_at <= $3
         and source = any($4)
       order by next_read_at, source, day
       limit $1
       -- Never waits, so the lock order does not matter here.
       for no key update skip locked
     )
     update gapura.statement_window as stored
     set next_read_at = gapura.now() + make_interval(secs => $2::double precision / 1000),
         updated_at = gapura.now()
     from due
     where stored.source = due.source
       and stored.day = due.day
     returning ${COLUMNS.replaceAll(/\w+/g, 'stored.$&')}`,
    [limit, lease_ms, due_by, sources],
  )

/** Where the reading goes on, and its lease from now. */
export async function moveWindow(
  tx: Tx,
  { source, day }: Pick<StatementWindow, 'source' | 'day'>,
  place: Pick<StatementWindow, 'page' | 'pass' | 'pass_changes'> & { lease_ms: number },
): Promise<void> {
  await tx.query(
    `update gapura.statement_window
     set page = $3,
         pass = $4,
         pass_changes = $5,
         next_read_at = gapura.now() + make_interval(secs => $6::double precision / 1000),
         updated_at = gapura.now()
     where source = $1
       and day = $2::date`,
    [source, day, place.page, place.pass, place.pass_changes, place.lease_ms],
  )
}

/** The window was read completely; null: it is not read again. */
export async function finishWindow(
  tx: Tx,
  { source, day }: Pick<StatementWindow, 'source' | 'day'>,
  next_read_at: Date | null,
): Promise<void> {
  await tx.query(
    `update gapura.statement_window
     set page = 0,
         pass = 0,
         pass_changes = 0,
         failures = 0,
         last_error = null,
         read_count = read_count + 1,
         last_read_at = gapura.now(),
         next_read_at = $3,
         updated_at = gapura.now()
     where source = $1
       and day = $2::date`,
    [source, day, next_read_at],
  )
}

/** The window could not be read; its place stays, so that the next attempt goes on there. */
export async function failWindow(
  tx: Tx,
  { source, day }: Pick<StatementWindow, 'source' | 'day'>,
  { error, wait_ms }: { error: string; wait_ms: number },
): Promise<void> {
  await tx.query(
    `update gapura.statement_window
     set failures = failures + 1,
         last_error = $3,
         next_read_at = gapura.now() + make_interval(secs => $4::double precision / 1000),
         updated_at = gapura.now()
     where source = $1
       and day = $2::date`,
    [source, day, error, wait_ms],
  )
}
