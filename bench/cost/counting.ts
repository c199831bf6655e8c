// What an operation costs in statements, round trips, rows, index entries and WAL. Counts, not times:
// the same code gives the same figures on any machine, so CI compares them with what was recorded.
import type { PostgresCluster } from '../../campaigns/bench/postgres_cluster.ts'
import { runJob, send } from '../processes.ts'
import type { Delivered, RelayOrder } from '../events/relay_child.ts'
import { OPERATIONS, type Operation, type Place } from './operations.ts'
import { since, type WireCounter } from './wire_counter.ts'
import { walEnd, writtenBetween } from './written.ts'

/** Per operation; under load, round trips and statements are per transaction. */
export interface Counts {
  statements: number
  round_trips: number
  commits: number
  rows: number
  hot_updates: number
  index_entries: number
  wal_bytes: number
}

export interface Counting {
  cluster: PostgresCluster
  wire: WireCounter
  place: Place
  /** Operations counted in each case. */
  count: number
}

async function countWork(
  { cluster, wire, place, count }: Counting,
  work: () => Promise<unknown>,
): Promise<Counts> {
  const start = await walEnd(place.pool)
  const before = wire.counts()
  await work()
  const said = since(wire.counts(), before)
  const written = await writtenBetween(cluster, start, await walEnd(place.pool))
  const each = Object.entries({ ...said, ...written }).map(([name, n]) => [name, n / count])
  return Object.fromEntries(each) as Counts
}

async function countOperation(counting: Counting, operation: Operation): Promise<Counts> {
  const { place, count } = counting
  const { connections, name, prepare } = operation
  const order = { urls: [place.service_url], connections, headers: place.headers }
  const prefix = name.replaceAll(' ', '-')
  // Opens the connections and prepares the statements on each of them.
  const warm = await prepare(place, `${prefix}-warm`, Math.max(16, connections * 2))
  await warm.check((await send(order, warm.requests)).answers)
  const { requests, check } = await prepare(place, prefix, count)
  await place.pool.query('checkpoint')
  let answers: Awaited<ReturnType<typeof send>>['answers'] = []
  const counts = await countWork(counting, async () => {
    ;({ answers } = await send(order, requests))
  })
  await check(answers)
  if (connections === 1) return counts
  const { statements, round_trips, commits } = counts
  return { ...counts, statements: statements / commits, round_trips: round_trips / commits }
}

/** Everything in the outbox, to one new subscriber. */
async function countDelivery(counting: Counting): Promise<Counts> {
  const { place, wire } = counting
  const { pool, schema } = place
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from ${schema}.gateway_event`,
  )
  const events = rows[0]?.count ?? 0
  const order: RelayOrder = {
    url: wire.url,
    schema,
    name: 'counted',
    start: 'beginning',
    handler_ms: 0,
    events,
    seconds_max: 60,
  }
  const delivering = async () => {
    const { ids } = await runJob<Delivered>('events/relay_child.ts', order)
    if (ids.length !== events) throw new Error(`${ids.length} of ${events} events delivered`)
  }
  return await countWork({ ...counting, count: events }, delivering)
}

/** Every operation, one after the other. */
export async function countAll(counting: Counting): Promise<Record<string, Counts>> {
  const counted: Record<string, Counts> = {}
  for (const operation of OPERATIONS) {
    counted[operation.name] = await countOperation(counting, operation)
  }
  counted['event delivered'] = await countDelivery(counting)
  return counted
}

const COMPARED = ['statements', 'round_trips', 'index_entries', 'wal_bytes'] as const
/** A share of the recorded figure. */
const WORSE_MAX = 0.05
/** What the server itself writes now and then, and one message more or less in all. */
const SLACK = { statements: 0.05, round_trips: 0.05, index_entries: 0.05, wal_bytes: 100 }
/** How many share a transaction or a poll depends on the machine; what each writes does not. */
const UNDER_LOAD = ['index_entries'] as const

/** Figures that are more than 5 % above what was recorded. */
export function worseThan(
  counted: Record<string, Counts>,
  recorded: Record<string, Counts>,
): string[] {
  return Object.entries(counted).flatMap(([name, counts]) => {
    const baseline = recorded[name]
    if (baseline === undefined) return [`${name}: nothing is recorded; run without --quick`]
    const names = name.endsWith('alone') ? COMPARED : UNDER_LOAD
    return names
      .filter((figure) => counts[figure] > baseline[figure] * (1 + WORSE_MAX) + SLACK[figure])
      .map(
        (figure) => `${name}: ${figure} ${shown(counts[figure])}, was ${shown(baseline[figure])}`,
      )
  })
}

const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1))

const COLUMNS = [
  'statements',
  'round_trips',
  'commits',
  'rows',
  'hot_updates',
  'index_entries',
  'wal_bytes',
] as const

export function countTable(counted: Record<string, Counts>): string {
  const lines = Object.entries(counted).map(
    ([name, counts]) =>
      `| ${name} | ${COLUMNS.map((column) => shown(counts[column])).join(' | ')} |`,
  )
  return [
    `| operation | statements | round trips | commits | rows | of them HOT | index entries | WAL bytes |`,
    '|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}
