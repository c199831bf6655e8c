import { flushCompileCache } from 'node:module'
import type { GapuraOptions } from '../../packages/service/src/index.ts'

/** Whether the processes reach the database through a pooler (`npm run suite pooler-campaigns`). */
export const POOLED = process.env['GAPURA_CAMPAIGN_POOLER'] === '1'

/** What a process of the campaign receives at its start. */
export interface ProcessOrder {
  port: number
  /** For health and metrics; without it there are none. */
  admin_port?: number
  database_url: string
  schema: string
  server_key: string
  gateway_url: string
  timeout_ms_max: number
  breaker_rest_ms: number
  /** Refunds above this many rupiah wait for a second staff member. */
  second_person_above?: number
  /** Encrypts the secrets of webhook endpoints; without it there are none. */
  webhook_key?: string
  /**
   * A rule of the service that this process breaks on purpose, to show that the verdict sees it.
   */
  broken?: string
}

/** By then the code that serves a request has been compiled, too. */
const COMPILED_AFTER_MS = 4_000

let crash_at: string | undefined

/** Listens for `crash <point>`, and ends with its parent: a campaign leaves nothing behind. */
export function obey(): void {
  process.stdin.on('data', (chunk: Buffer) => {
    crash_at = /^crash (\S+)/.exec(chunk.toString())?.[1]
  })
  process.stdin.on('end', () => process.exit(1))
  // A killed process writes nothing at its end, and its successor would compile everything again.
  setTimeout(() => flushCompileCache(), COMPILED_AFTER_MS).unref()
}

export const orderOf = (): ProcessOrder => JSON.parse(process.argv[2] ?? '{}') as ProcessOrder

export const optionsOf = (order: ProcessOrder): GapuraOptions & { databaseUrl: string } => ({
  databaseUrl: order.database_url,
  schema: order.schema,
  ...(POOLED && { database: { prepared: false } }),
  // All requests of a campaign come from one owner; a rate limit would hide a finding.
  limits: { requests_at_once: 0 },
  gateway: {
    server_key: order.server_key,
    base_url: order.gateway_url,
    timeout_ms_max: order.timeout_ms_max,
    breaker_rest_ms: order.breaker_rest_ms,
  },
  ...(order.second_person_above !== undefined && {
    refunds: { second_person_above: order.second_person_above },
  }),
  ...(order.webhook_key !== undefined && {
    webhooks: { keys: [order.webhook_key], allow_private: true },
  }),
  reached: (point) => {
    // Without handlers and without a flush, like a power loss.
    if (point === crash_at) process.kill(process.pid, 'SIGKILL')
  },
})
