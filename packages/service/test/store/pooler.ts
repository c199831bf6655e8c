// All tests of a run through pgbouncer in transaction mode: no statement may rely on the connection of
// the one before it.
import { startPgbouncer } from '../../../../campaigns/bench/pgbouncer.ts'

const { PGHOST = '127.0.0.1', PGPORT = '5432', PGUSER = 'root' } = process.env

/** Starts it for the run of vitest whose global setup this is; returns what ends it. */
export default async function setup(): Promise<() => void> {
  const { port, stop } = await startPgbouncer({ host: PGHOST, port: PGPORT, user: PGUSER })
  process.env['GAPURA_TEST_POOLER'] = `127.0.0.1:${port}`
  // For the processes that tests start.
  process.env['GAPURA_PREPARED_STATEMENTS'] = 'false'
  return stop
}
