import { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient, QueryResultRow } from 'pg'
import type { CommitMetric } from '../../domain/telemetry.ts'
import { encodeValue, SQL_TYPES, type SqlValue } from '../sql/values.ts'
import { renameSchema, withConnection, type Database } from './database.ts'
import { codeOf, mayHaveRun, StoreError } from './errors.ts'
import { gather, isPipelined, turnsOf } from './pipelining.ts'
import { onStandby } from './pool.ts'

interface QueryOptions {
  /** Off if one plan does not fit all values, as with lists over a skewed status. */
  prepare?: boolean
  /** Set if the statement is harmless when committed alone: it need not wait for `begin`. */
  whole?: boolean
}

/**
 * An open transaction. Every function of the store takes one; none opens its own. Statements run in
 * the order in which they were requested; a caller that needs no reply in between requests several
 * at once, and on our own connections they are sent together.
 */
export interface Tx {
  query<Row extends QueryResultRow>(
    text: string,
    values?: readonly SqlValue[],
    options?: QueryOptions,
  ): Promise<Row[]>
  /**
   * Sends the commit together with the statements requested last, without waiting for their replies.
   * Only if every doubt about them is an error of the server, because a commit behind an error is a
   * rollback. Nothing can be requested after it. On a host's pool the commit follows as usual.
   */
  commitNow(): void
}

/**
 * Awaits the results of statements that were requested together, in that order: of a failure and its
 * consequences the failure is thrown.
 */
export async function inOrder(requested: readonly Promise<unknown>[]): Promise<void> {
  for (const one of requested) one.catch(() => undefined)
  for (const one of requested) await one
}

interface State {
  open: boolean
  /** The metrics that are counted after the commit, and never otherwise. */
  metrics: CommitMetric[]
  /** The commit, if it was sent with the last statements. */
  committing?: Promise<void>
  /** Why the server refuses every further statement. */
  failure?: unknown
}

const current = new AsyncLocalStorage<State>()

/** Whether the code runs inside a transaction, where calling the gateway is forbidden (I-22). */
export const insideTransaction = (): boolean => current.getStore()?.open ?? false

/** Counts a metric once the current transaction has committed. */
export function doneOnCommit(metric: CommitMetric): void {
  current.getStore()?.metrics.push(metric)
}

/**
 * Commits what `work` did, or nothing. Read committed, so that a read after a lock wait sees what
 * the other transaction left. If the reply to the commit is lost the error is `commit_unknown`: it
 * may have committed, and the caller must check before it repeats.
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
 * In a reading statement, makes the commit wait as that of a writing transaction: until everything
 * before it is on the synchronous standby. A row whose own commit lost its reply can be read before
 * the standby has it, and a reply from it would be a promise. It writes an empty WAL record,
 * because a transaction id alone is not waited for.
 */
export const WAITS_AT_COMMIT = `pg_logical_emit_message(true, 'gapura', '')`

/**
 * One unchanging snapshot for several reads; the server refuses writes. What is read decides about
 * money, so a standby is refused too: beginning as a writer checks that at no cost.
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

// One message for all settings: a round trip each would cost more than most transactions. Time zone
// and date style are set here, whatever the host's database uses.
const begin = (db: Database, mode: string): string =>
  [
    `begin isolation level ${mode}`,
    `set local statement_timeout = ${db.statement_timeout_ms}`,
    `set local lock_timeout = ${db.lock_timeout_ms}`,
    `set local idle_in_transaction_session_timeout = ${db.idle_timeout_ms}`,
    `set local timezone = 'UTC'`,
    `set local datestyle = 'ISO, YMD'`,
  ].join('; ')

/** A transaction that is being sent to the server. */
interface Begun {
  state: State
  begun: Promise<void>
  doubt: () => void
}

async function run<Result>(
  db: Database,
  opening: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (insideTransaction()) {
    throw new StoreError('transaction_nested', 'a transaction is already open in this context')
  }
  return await withConnection(db, async (client, doubt) => {
    const state: State = { open: true, metrics: [] }
    gather(client)
    const begun = open(client, opening, doubt)
    // The first statement reports this error; if there is none, it is dropped.
    begun.catch(() => undefined)
    try {
      if (!isPipelined(client)) await begun
      const tx = txOver(db, client, { state, begun, doubt })
      const result = await current.run(state, async () => await work(tx))
      state.open = false
      await begun
      await (state.committing ?? commit(client, doubt))
      if (state.metrics.length > 0) db.onDone(state.metrics)
      return result
    } catch (error) {
      state.open = false
      if (state.committing === undefined) await rollback(client, doubt)
      else await state.committing.catch(throwIfUnknown)
      throw error
    }
  })
}

/** A lost reply to the commit counts, not that of the statement before it. */
function throwIfUnknown(error: unknown): void {
  if (error instanceof StoreError && error.code === 'commit_unknown') throw error
}

/** How a standby refuses a writer's `begin`, and its writes. */
const STANDBY_CODES: ReadonlySet<string> = new Set(['0A000', '25006'])

async function open(client: PoolClient, opening: string, doubt: () => void): Promise<void> {
  try {
    await client.query(opening)
  } catch (error) {
    if (!STANDBY_CODES.has(codeOf(error))) throw error
    // The primary has moved: this connection is useless now.
    doubt()
    throw onStandby(error)
  }
}

/**
 * A statement that only reads or locks leaves nothing behind if the transaction did not begin. A
 * select of a function that writes must not be marked `alone`.
 */
const LOOKS = /^\s*select\b/i

function txOver(db: Database, client: PoolClient, { state, begun, doubt }: Begun): Tx {
  const turn = turnsOf(client, begun)
  return {
    commitNow() {
      if (!isPipelined(client)) return
      // Behind the statements, some of which may still wait for `begin`.
      state.committing = turn(true, async () => {
        gather(client)
        state.open = false
        await commit(client, doubt)
      })
      state.committing.catch(() => undefined)
    },
    async query<Row extends QueryResultRow>(
      text: string,
      values: readonly SqlValue[] = [],
      { prepare = true, whole = LOOKS.test(text) }: QueryOptions = {},
    ) {
      if (state.committing) throw new StoreError('transaction_ended', 'the commit has been sent')
      const sent = turn(whole, async () => {
        // An unawaited promise must not write on a connection that another caller has now.
        if (!state.open) throw new StoreError('transaction_ended', 'the transaction has ended')
        gather(client)
        // Only prepared texts are cached: lists have as many texts as combinations of filters.
        return await client.query<Row>({
          ...(db.prepared && prepare
            ? db.statement(text)
            : { text: renameSchema(text, db.schema) }),
          values: values.map(encodeValue),
          types: SQL_TYPES,
        })
      })
      const reply = sent.catch((error: unknown) => throwCause(error, state))
      reply.catch(() => undefined)
      // If `begin` failed, its error is reported, whatever became of the statement.
      await begun
      return (await reply).rows
    },
  }
}

/**
 * The codes of statements that follow a failed one: the transaction or their text no longer exists.
 */
const AFTERMATH_CODES: ReadonlySet<string> = new Set(['25P02', '26000'])

/** Of several statements sent together, the first awaited one throws the original cause. */
function throwCause(error: unknown, state: State): never {
  if (AFTERMATH_CODES.has(codeOf(error))) throw state.failure ?? error
  // PostgreSQL quotes the whole row there: a customer's data, or the hash of a key.
  if (error instanceof Error && 'detail' in error) error.detail = undefined
  state.failure ??= error
  throw error
}

async function commit(client: PoolClient, doubt: () => void): Promise<void> {
  let command: string
  try {
    command = (await client.query('commit')).command
  } catch (error) {
    if (!mayHaveRun(error)) throw error
    doubt()
    throw new StoreError('commit_unknown', 'the connection was lost during commit', error)
  }
  // The server answers a commit after a failed statement with a rollback, and no error.
  if (command !== 'COMMIT') {
    throw new StoreError('transaction_aborted', 'a statement failed, so nothing was committed')
  }
}

async function rollback(client: PoolClient, doubt: () => void): Promise<void> {
  try {
    await client.query('rollback')
  } catch {
    // On any error the connection is closed, and then the server rolls back.
    doubt()
  }
}

/**
 * A single reading statement without a transaction: one round trip instead of three, for what every
 * request needs first. The same statement refuses a standby, where a revoked key may still look
 * valid. Its rows have an `id` and no times, because the session's time zone is unknown.
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
