// Connections of our own pool. After a failover a connection may lead to a server that refuses
// writes, or to a machine that is gone; neither may stay in the pool.
import { Pool, type PoolClient } from 'pg'
import { endWhenSilent } from './pipelining.ts'
import { StoreError } from './errors.ts'

export interface PoolOptions {
  connections_max: number
  /** How long a statement may run without any data from the server. */
  silence_ms_max: number
  /** Whether a standby is accepted. */
  standby: boolean
  onConnectionError: (error: Error) => void
}

const CONNECT_TIMEOUT_MS = 5_000
/** An idle connection whose other end vanished is detected after this and ten seconds more. */
const KEEP_ALIVE_AFTER_MS = 5_000

export function openPool(url: string, options: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max: options.connections_max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'gapura',
    // Statements that need no reply in between are sent at once (ADR 0016).
    pipeline: true,
    ...(!options.standby && { verify: refuseStandby }),
  })
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', options.onConnectionError)
  pool.on('connect', (client) => {
    // The same for a connection that breaks while the job queue uses it.
    client.on('error', options.onConnectionError)
    endWhenSilent(client, options.silence_ms_max)
  })
  return pool
}

export const onStandby = (cause?: unknown): StoreError =>
  new StoreError('server_standby', 'the connection leads to a standby', cause)

/** The job queue does not recognise a standby and would keep such a connection while it polls. */
function refuseStandby(client: PoolClient, verified: (error?: Error) => void): void {
  client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby').then(
    ({ rows }) => verified(rows[0]?.standby === true ? onStandby() : undefined),
    (error: unknown) => verified(error instanceof Error ? error : new Error('the check failed')),
  )
}
