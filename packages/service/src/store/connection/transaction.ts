import { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient, QueryResultRow } from 'pg'
import type { CommitMetric } from '../../domain/telemetry.ts'
import { encodeValue, SQL_TYPES, type SqlValue } from '../sql/values.ts'
import { renameSchema, withConnection, type Database } from './database.ts'
import { codeOf, StoreError } from './errors.ts'
import { gather, isPipelined, turnsOf } from './pipelining.ts'
import { onStandby } from './pool.ts'

interface QueryOptions {
  /** Off where one plan does not fit all values, as with lists over a skewed status. */
  prepare?: boolean
  /** That it would do no harm if it were committed alone: it need not wait for `begin`. */
  whole?: boolean
}

/**
 * An open transaction. Every function of the store takes one; none opens its own. Statements are
 * carried out in the order they were asked for; whoever needs no answer in between asks for several
 * at once, and on a connection of our own they travel together.
 */
export interface Tx {
  query<Row extends QueryResultRow>(
    text: string,
    values?: readonly SqlValue[],
    options?: QueryOptions,
  ): Promise<Row[]>
}

interface State {
  open: boolean
  /** What is told once all of it has committed, and never otherwise. */
  metrics: CommitMetric[]
  /** Why the server refuses everything from then on. */
  failure?: unknown
}

const current = new AsyncLocalStorage<State>()

/** Whether the calling code runs inside a transaction: nobody may call the gateway there (I-22). */
export const insideTransaction = (): boolean => current.getStore()?.open ?? false

/** Has something counted once the transaction around us has committed. */
export function doneOnCommit(metric: CommitMetric): void {
  current.getStore()?.metrics.push(metric)
}

/**
 * Commits what `work` did, or nothing. Read committed, so that what is read after waiting for a
 * lock is what the other one left. If the answer to the commit is lost the error is
 * `commit_unknown`: it may have happened, and the caller looks before doing it again.
 */
export const withTransaction = async <Result>(
  db: Database,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  await run(
    db,
    `${begin(db, 'read committed read write')}; set local synchronous_commit = on`,
    work,
  )

/**
 * In a statement that reads, lets its transaction end as one that wrote does: once everything before
 * it is where a commit must be. A row whose own commit lost its answer can be read while no second
 * node has it yet, and to answer from it is to promise it. It is an empty line in the log: a commit
 * waits for what its transaction wrote, and an id alone is nothing written.
 */
export const WAITS_AT_COMMIT = `pg_logical_emit_message(true, 'gapura', '')`

/**
 * One unchanging view of the database for several reads; writing is refused by the server. What is
 * read decides about money, so a standby is refused here, too: beginning as a writer is the
 * question that costs nothing.
 */
export const withReadTransaction = async <Result>(
  db: Database,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  await run(
    db,
    db.standby
      ? begin(db, 'repeatable read read only')
      : `${begin(db, 'repeatable read read write')}; set transaction read only`,
    work,
  )

// One message for all of it: a round trip each would cost more than most transactions do. The
// zone and the date style are ours, whatever the host's database is set to.
const begin = (db: Database, mode: string): string =>
  [
    `begin isolation level ${mode}`,
    `set local statement_timeout = ${db.statement_timeout_ms}`,
    `set local lock_timeout = ${db.lock_timeout_ms}`,
    `set local idle_in_transaction_session_timeout = ${db.idle_timeout_ms}`,
    `set local timezone = 'UTC'`,
    `set local datestyle = 'ISO, YMD'`,
  ].join('; ')

/** A transaction that is on its way to the server. */
interface Begun {
  state: State
  begun: Promise<void>
}

async function run<Result>(
  db: Database,
  opening: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (insideTransaction()) {
    throw new StoreError('transaction_nested', 'a transaction is already open here')
  }
  return await withConnection(db, async (client, doubt) => {
    const state: State = { open: true, metrics: [] }
    gather(client)
    const begun = open(client, opening, doubt)
    // Whoever asks first hears of it, and nobody if nothing is asked.
    begun.catch(() => undefined)
    try {
      if (!isPipelined(client)) await begun
      const tx = txOver(db, client, { state, begun })
      const result = await current.run(state, async () => await work(tx))
      state.open = false
      await begun
      await commit(client, doubt)
      if (state.metrics.length > 0) db.onDone(state.metrics)
      return result
    } catch (error) {
      state.open = false
      await rollback(client, doubt)
      throw error
    }
  })
}

/** How a standby answers to a writer that begins, and to one that writes. */
const STANDBY_CODES: ReadonlySet<string> = new Set(['0A000', '25006'])

async function open(client: PoolClient, opening: string, doubt: () => void): Promise<void> {
  try {
    await client.query(opening)
  } catch (error) {
    if (!STANDBY_CODES.has(codeOf(error))) throw error
    // The primary has moved, and this connection with it is of no more use.
    doubt()
    throw onStandby(error)
  }
}

/**
 * What only looks, or locks, leaves nothing behind where the transaction did not begin. A select of
 * a function that writes says that it is not whole.
 */
const LOOKS = /^\s*select\b/i

function txOver(db: Database, client: PoolClient, { state, begun }: Begun): Tx {
  const turn = turnsOf(client, begun)
  return {
    async query<Row extends QueryResultRow>(
      text: string,
      values: readonly SqlValue[] = [],
      { prepare = true, whole = LOOKS.test(text) }: QueryOptions = {},
    ) {
      const sent = turn(whole, async () => {
        // A promise left unawaited must not write on a connection that is already somebody else's.
        if (!state.open) throw new StoreError('transaction_ended', 'the transaction is over')
        gather(client)
        // Only what is prepared is remembered: texts of lists are as many as their filters combine.
        return await client.query<Row>({
          ...(db.prepared && prepare
            ? db.statement(text)
            : { text: renameSchema(text, db.schema) }),
          values: values.map(encodeValue),
          types: SQL_TYPES,
        })
      })
      const told = sent.catch((error: unknown) => throwCause(error, state))
      told.catch(() => undefined)
      // Where it did not begin, that is the word on it, whatever became of the statement.
      await begun
      return (await told).rows
    },
  }
}

/** What statements behind one that failed are told: the transaction, or their text, is no more. */
const AFTERMATH_CODES: ReadonlySet<string> = new Set(['25P02', '26000'])

/** Of several asked for at once whoever is heard first tells the cause, and not what came of it. */
function throwCause(error: unknown, state: State): never {
  if (AFTERMATH_CODES.has(codeOf(error))) throw state.failure ?? error
  state.failure ??= error
  throw error
}

async function commit(client: PoolClient, doubt: () => void): Promise<void> {
  let command: string
  try {
    command = (await client.query('commit')).command
  } catch (error) {
    // An ordinary ERROR is the server's word that it did not commit. Anything else (a cut, a
    // FATAL while it waited for its standby) leaves it open.
    if (severityOf(error) === 'ERROR') throw error
    doubt()
    throw new StoreError('commit_unknown', 'the connection was lost during commit', error)
  }
  // The server answers a commit after a failed statement with a rollback, and no error.
  if (command !== 'COMMIT') {
    throw new StoreError('transaction_aborted', 'a statement had failed: nothing was committed')
  }
}

const severityOf = (error: unknown): unknown =>
  error instanceof Error && 'severity' in error ? error.severity : undefined

async function rollback(client: PoolClient, doubt: () => void): Promise<void> {
  try {
    await client.query('rollback')
  } catch {
    // Whatever it was, the server rolls back when the connection closes, and closed it will be.
    doubt()
  }
}

/**
 * What one statement reads that stands alone: no transaction, so one round trip instead of three.
 * For what every request asks first. The same statement says whether the server is a standby,
 * where a key that was revoked may still look good. Its rows have an `id` and no times: the zone of
 * the session is whatever it is.
 */
export async function readAlone<Row extends QueryResultRow & { id: string }>(
  db: Database,
  text: string,
  values: readonly SqlValue[],
): Promise<Row[]> {
  const alone = `
    select pg_is_in_recovery() as on_standby, found.id is not null as there, found.*
    from (values (true)) as asked (once)
    left join (${text}) as found on true`
  return await withConnection(db, async (client, doubt) => {
    const { rows } = await client.query<Row & { on_standby: boolean; there: boolean }>({
      ...(db.prepared ? db.statement(alone) : { text: renameSchema(alone, db.schema) }),
      values: values.map(encodeValue),
      types: SQL_TYPES,
    })
    if (rows[0]?.on_standby === true && !db.standby) {
      doubt()
      throw onStandby()
    }
    return rows.filter(({ there }) => there)
  })
}
