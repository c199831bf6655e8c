import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { FairQueue, SERVICE_OWNER, type Leave } from '../../domain/fair_queue.ts'
import type { CommitMetric, StoreFailure } from '../../domain/telemetry.ts'
import { openPool } from './pool.ts'
import { failureOf, NO_CONNECTION_FREE, StoreError } from './errors.ts'

export interface DatabaseOptions {
  /** The schema of our tables. */
  schema?: string
  statement_timeout_ms?: number
  lock_timeout_ms?: number
  /** How long a transaction may be idle before the server ends it and releases its locks. */
  idle_timeout_ms?: number
  /** Off for transaction poolers that do not support prepared statements. */
  prepared?: boolean
  /** Connections of our own pool; a host's pool keeps its own. */
  connections_max?: number
  /** Whether a standby is accepted: for display only, never for decisions. */
  standby?: boolean
  /** Called with the error of a broken idle connection. The pool replaces the connection. */
  onConnectionError?: (error: Error) => void
  /** Called with the metrics of each transaction after its commit. It must not throw. */
  onDone?: (metrics: readonly CommitMetric[]) => void
  /** Called when the database did not do what was asked. It must not throw. */
  onFailed?: (reason: StoreFailure) => void
}

export interface Statement {
  text: string
  /** For the server's cache of prepared statements; the same text has the same name everywhere. */
  name: string
}

export interface Database {
  readonly pool: Pool
  readonly schema: string
  readonly statement_timeout_ms: number
  readonly lock_timeout_ms: number
  readonly idle_timeout_ms: number
  readonly prepared: boolean
  readonly standby: boolean
  readonly onDone: (metrics: readonly CommitMetric[]) => void
  readonly onFailed: (reason: StoreFailure) => void
  /** The queue for a connection, which everything but the inbox waits in. */
  readonly queue: Queue | null
  /** The statement with this database's schema name. */
  statement(text: string): Statement
  /** Closes the pool if we opened it. A host's pool stays open. */
  close(): Promise<void>
}

/** The server's own limits apply first; this is for a server that no longer answers. */
const SILENCE_BEYOND_MS = 10_000
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,40}$/

/** Uses a host's pool, which we never close, or opens our own pool for this URL. */
export function openDatabase(source: Pool | string, options: DatabaseOptions = {}): Database {
  const schema = options.schema ?? 'gapura'
  if (!SCHEMA_NAME.test(schema)) throw new RangeError(`must be a schema name: ${schema}`)
  const statement_timeout_ms = wholeMs(options.statement_timeout_ms ?? 5_000)
  const pool =
    typeof source === 'string' ? openOwnPool(source, statement_timeout_ms, options) : source
  const statements = new Map<string, Statement>()
  return {
    pool,
    schema,
    statement_timeout_ms,
    lock_timeout_ms: wholeMs(options.lock_timeout_ms ?? 2_000),
    idle_timeout_ms: wholeMs(options.idle_timeout_ms ?? 10_000),
    prepared: options.prepared ?? true,
    standby: options.standby ?? false,
    onDone: options.onDone ?? (() => undefined),
    onFailed: options.onFailed ?? (() => undefined),
    queue: connectionQueueOf(pool.options.max),
    statement(text) {
      const known = statements.get(text)
      if (known !== undefined) return known
      const renamed = renameSchema(text, schema)
      const digest = createHash('sha256').update(renamed).digest('hex')
      const made = { text: renamed, name: `gapura_${digest.slice(0, 24)}` }
      statements.set(text, made)
      return made
    },
    async close() {
      if (typeof source === 'string') await pool.end()
    },
  }
}

const openOwnPool = (url: string, statement_timeout_ms: number, options: DatabaseOptions): Pool =>
  openPool(url, {
    connections_max: options.connections_max ?? 10,
    silence_ms_max: statement_timeout_ms + SILENCE_BEYOND_MS,
    standby: options.standby ?? false,
    onConnectionError: options.onConnectionError ?? (() => undefined),
  })

function wholeMs(value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new RangeError(`must be a whole number of milliseconds: ${value}`)
  }
  return value
}

/**
 * SQL is written with `gapura.` before every name, so that it does not depend on the search path
 * and can be pasted into psql. Only this function puts another schema's name there.
 */
export const renameSchema = (text: string, schema: string): string =>
  schema === 'gapura'
    ? text
    : text
        .replaceAll(/\bgapura\./g, `${schema}.`)
        .replaceAll(/\bcreate schema gapura\b/g, `create schema ${schema}`)

/** Lends a connection. It returns to the pool, or is destroyed if its state is unknown. */
export async function withConnection<Result>(
  db: Database,
  use: (client: PoolClient, doubt: () => void) => Promise<Result>,
): Promise<Result> {
  const leave = await db.queue?.enter()
  try {
    return await lent(db, use)
  } catch (error) {
    const reason = failureOf(error)
    if (reason !== undefined) db.onFailed(reason)
    throw error
  } finally {
    leave?.()
  }
}

/** The same database without the queue: for work that must never wait behind callers. */
export const withoutQueue = (db: Database): Database => ({ ...db, queue: null })

/** The same database, whose connections wait in this owner's queue. */
export const forOwner = (db: Database, owner_id: string): Database =>
  db.queue instanceof FairConnectionQueue ? { ...db, queue: db.queue.forOwner(owner_id) } : db

async function lent<Result>(
  db: Database,
  use: (client: PoolClient, doubt: () => void) => Promise<Result>,
): Promise<Result> {
  const client = await db.pool.connect()
  let doubtful = false
  // A lent connection emits its error here too; without a listener it would end the process.
  const onError = (): void => {
    doubtful = true
  }
  client.on('error', onError)
  try {
    return await use(client, onError)
  } finally {
    client.off('error', onError)
    client.release(doubtful)
  }
}

const SERVER_VERSION_MIN = 150_000

interface ServerSettings {
  version: string
  fsync: string
  full_page_writes: string
  standby: string
}

/**
 * Refuses a server that could lose what it acknowledged, is too old, or is a standby: money is
 * decided on the primary only (I-29). All faults are listed at once.
 */
export async function checkServer(db: Database): Promise<void> {
  const faults = await serverFaultsOf(db)
  if (faults.length > 0) {
    throw new StoreError('server_unsafe', `PostgreSQL is not safe for money: ${faults.join('; ')}`)
  }
}

/** The same faults as a list. */
export async function serverFaultsOf(db: Database): Promise<string[]> {
  const settings = await withConnection(db, async (client) => {
    const { rows } = await client.query<ServerSettings>(`
      select
        current_setting('server_version_num') as version,
        current_setting('fsync') as fsync,
        current_setting('full_page_writes') as full_page_writes,
        pg_is_in_recovery()::text as standby`)
    return rows[0]
  })
  return settings === undefined ? ['it says nothing of itself'] : serverFaults(settings)
}

export function serverFaults(settings: ServerSettings): string[] {
  const faults: string[] = []
  if (Number(settings.version) < SERVER_VERSION_MIN) faults.push('it is older than 15')
  if (settings.fsync !== 'on') faults.push('fsync is off')
  if (settings.full_page_writes !== 'on') faults.push('full_page_writes is off')
  if (settings.standby !== 'false') faults.push('it is a standby')
  return faults
}

// A few connections of a pool are reserved for the webhook (ADR 0021): everything else queues here,
// before the pool, so that a notification never waits behind callers. Owners take turns, so that
// one owner's requests do not wait behind another's.
/** Left free for the inbox. */
const RESERVED = 2
/** A smaller pool reserves nothing. */
const POOL_MIN = 5
/** As the pool's own timeout, and with its message, which callers treat as "try later". */
const WAIT_MS_MAX = 5_000
/** More requests than a process can answer within the wait: each costs memory while it waits. */
const WAITING_MAX = 10_000

/** A queue for a connection. */
export interface Queue {
  enter: () => Promise<Leave>
}

export class FairConnectionQueue implements Queue {
  readonly #slots: FairQueue

  constructor(max: number) {
    this.#slots = new FairQueue({
      slots_max: max,
      waiting_max: WAITING_MAX,
      wait_ms_max: WAIT_MS_MAX,
      startTimer: (fire, ms) => {
        const timer = setTimeout(fire, ms)
        return () => clearTimeout(timer)
      },
      refusal: () => new Error(NO_CONNECTION_FREE),
    })
  }

  /** The same queue for one owner, whose requests wait only behind the owner's own. */
  forOwner(owner_id: string): Queue {
    return { enter: async () => await this.enter(owner_id) }
  }

  /** Resolves once a connection may be taken. */
  async enter(owner_id: string = SERVICE_OWNER): Promise<Leave> {
    return await this.#slots.enter({ owner_id, urgent: false })
  }
}

/** The queue of a pool of this size; null if the pool is too small for one. */
export const connectionQueueOf = (connections_max: number): FairConnectionQueue | null =>
  connections_max < POOL_MIN ? null : new FairConnectionQueue(connections_max - RESERVED)
