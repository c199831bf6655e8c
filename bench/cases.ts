import type { Pool } from 'pg'
import { pgbench } from './bare.ts'
import { checkRows } from './check_rows.ts'
import { addOrders, reportsOf, SERVER_KEY } from './orders.ts'
import { load, startChild } from './processes.ts'

export interface Bench {
  url: string
  pool: Pool
  /** The service's schema, and the bare one. */
  schema: string
  bare: string
  requests: number
}

export interface Measured {
  per_second: number
  p50_ms?: number
  p99_ms?: number
}

export type Case = (bench: Bench, round: number) => Promise<Measured>

export interface Urls {
  grouped: string
  ungrouped: string
  plain: string
  echo: string
}

/** One statement per item on every connection of the pool: the writer without batches. */
const UNGROUPED = { flights: 10, group_max: 1 }

export async function startServers({ url, schema, bare }: Bench): Promise<Urls> {
  const gateway = { server_key: SERVER_KEY, base_url: 'http://127.0.0.1:9' }
  const service = { databaseUrl: url, schema, gateway }
  const plain = { database_url: url, schema: bare, server_key: SERVER_KEY }
  return {
    grouped: await startChild('service_child.ts', service),
    ungrouped: await startChild('service_child.ts', { ...service, inbox: UNGROUPED }),
    plain: await startChild('plain_child.ts', plain),
    echo: await startChild('plain_child.ts', { echo: true }),
  }
}

/** In the order of a round. Each round begins one case later, so that none is always first. */
export const casesOf = (urls: Urls): Record<string, Case> => ({
  'pgbench (a), 3 statements, 16 clients': bare('three'),
  'service, grouped, 256 connections': service(urls.grouped, 256),
  'service, ungrouped, 256 connections': service(urls.ungrouped, 256),
  'plain Express + pg, 256 connections': other(urls.plain, 256),
  'service, grouped, 64 connections': service(urls.grouped, 64),
  'pgbench (b), 1 statement, 16 clients': bare('one'),
  'Fastify echo, 256 connections': other(urls.echo, 256),
})

const service =
  (url: string, connections: number): Case =>
  async ({ pool, schema, requests }, round) => {
    const prefix = `r${round}-${connections}-${new URL(url).port}`
    await addOrders(pool, schema, { prefix, count: requests })
    await settle(pool)
    const reports = reportsOf(prefix, requests)
    const { answers, ...times } = await load(url, connections, reports)
    await checkRows(pool, schema, { reports, answers })
    return measured(times)
  }

const other =
  (url: string, connections: number): Case =>
  async ({ pool, bare, requests }, round) => {
    const prefix = `p${round}-${new URL(url).port}`
    await pool.query(
      `insert into ${bare}.payment (id, order_id, status, gross_amount)
       select $1::bigint * 1000000 + n, $2 || '-' || n, 'pending', 150000
       from generate_series(1, $3::integer) as n
       on conflict do nothing`,
      [round + 10, prefix, requests],
    )
    await settle(pool)
    const { answers, ...times } = await load(url, connections, reportsOf(prefix, requests))
    const refused = answers.filter(({ status }) => status !== 200)
    if (refused.length > 0) throw new Error(`${refused.length} of ${requests} refused`)
    return measured(times)
  }

const bare =
  (statements: 'three' | 'one'): Case =>
  async ({ url, pool, bare: schema, requests }) => {
    await settle(pool)
    const body = reportsOf('bare', 1)[0]?.body ?? ''
    return await pgbench({ url, schema, statements, clients: 16, transactions: requests, body })
  }

/** Keeps the dirty pages of one case from slowing down the next one. */
const settle = async (pool: Pool) => await pool.query('checkpoint')

export function measured({
  seconds,
  latencies,
}: {
  seconds: number
  latencies: number[]
}): Measured {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  return { per_second: latencies.length / seconds, p50_ms: at(0.5), p99_ms: at(0.99) }
}
