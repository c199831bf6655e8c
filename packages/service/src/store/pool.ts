// Connections of our own. After a failover a connection may lead to a server that takes no writes
// any more, or to a machine that is gone without a word; neither may stay in the pool.
import { Pool, type PoolClient } from 'pg'
import { StoreError } from './store_error.ts'

export interface PoolOptions {
  connections_max: number
  /** How long a statement may be under way without a word from the server. */
  silence_ms_max: number
  /** Whether a standby will do. */
  standby: boolean
  onConnectionError: (error: Error) => void
}

const CONNECT_TIMEOUT_MS = 5_000
/** An idle connection whose other end vanished is found out after this and ten seconds more. */
const KEEP_ALIVE_AFTER_MS = 5_000

export function openPool(url: string, options: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max: options.connections_max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'gapura',
    // What needs no answer in between is sent at once (ADR 0016).
    pipeline: true,
    ...(!options.standby && { verify: refuseStandby }),
  })
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', options.onConnectionError)
  pool.on('connect', (client) => {
    // And one that breaks while the queue has it, which takes connections without our asking.
    client.on('error', options.onConnectionError)
    endWhenSilent(client, options.silence_ms_max)
  })
  return pool
}

export const onStandby = (cause?: unknown): StoreError =>
  new StoreError('server_standby', 'the connection leads to a standby', cause)

/** The queue has no word for a standby and would keep such a connection as long as it polls. */
function refuseStandby(client: PoolClient, verified: (error?: Error) => void): void {
  client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby').then(
    ({ rows }) => verified(rows[0]?.standby === true ? onStandby() : undefined),
    (error: unknown) => verified(error instanceof Error ? error : new Error('not verified')),
  )
}

/** What the driver has and does not declare. */
interface Wire {
  connection: {
    stream: {
      setTimeout: (ms: number, whenSilent?: () => void) => void
      cork: () => void
      uncork: () => void
      destroy: (error: Error) => void
    }
  }
  readyForQuery: boolean
}

const isWire = (client: object): client is Wire =>
  'connection' in client &&
  typeof client.connection === 'object' &&
  client.connection !== null &&
  'stream' in client.connection

const gathering = new WeakSet()

/**
 * Has everything sent on a pipelined connection in this turn of the loop leave together: to wake the server up
 * is dearer than most statements are.
 */
export function gather(client: PoolClient): void {
  if (!client.pipeline || gathering.has(client) || !isWire(client)) return
  const { stream } = client.connection
  gathering.add(client)
  stream.cork()
  process.nextTick(() => {
    gathering.delete(client)
    stream.uncork()
  })
}

const limits = new WeakMap<object, number>()

/**
 * Bytes sent to a machine that is gone are repeated by the system for a quarter of an hour, and
 * whoever waits for the answer waits as long. The server ends every statement of ours well before
 * this limit, so silence beyond it is no server's.
 */
function endWhenSilent(client: object, ms: number): void {
  if (!isWire(client)) return
  const { stream } = client.connection
  limits.set(client, ms)
  stream.setTimeout(ms, () => {
    if (client.readyForQuery) return
    const error = new Error(`the database said nothing for ${ms} ms`)
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
  })
}

/** Lets a statement that may take its time, as a migration's, be silent meanwhile. */
export async function patiently<Result>(
  client: object,
  work: () => Promise<Result>,
): Promise<Result> {
  const ms = limits.get(client)
  // A host's connection: its silence is not ours to end.
  if (ms === undefined || !isWire(client)) return await work()
  const { stream } = client.connection
  stream.setTimeout(0)
  try {
    return await work()
  } finally {
    stream.setTimeout(ms)
  }
}
