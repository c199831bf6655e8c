// `npm run bench events`: how many events a second one relay tells, how soon after their commit at a
// steady rate; with a handler that does nothing and one that takes five milliseconds. What was told is
// held against the outbox: every event once, in the order of its object.
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkRows } from '../check_rows.ts'
import { readFlags } from '../flags.ts'
import { addOrders, reportsOf } from '../orders.ts'
import { load, runJob, send, startChild } from '../processes.ts'
import { plotOf, tableOf, type Rounds } from '../report.ts'
import {
  onStage,
  progress,
  provePromises,
  serviceOrder,
  settle,
  writeResults,
  type Stage,
} from '../stage.ts'
import { measured, type Measured } from '../cases.ts'
import type { RelayOrder, Told } from './relay_child.ts'

const flags = readFlags({
  rounds: [5, 1],
  /** Each has its first event; three of four have a second one. */
  orders: [12_000, 400],
  /** Reports a second for the lag, and for how long in each round. */
  rate: [200, 50],
  seconds: [10, 3],
})
const HANDLERS_MS = [0, 5] as const
const SECONDS_MAX = 300

type Bench = Stage & { service_url: string }
type Job = Omit<RelayOrder, 'url' | 'schema' | 'seconds_max'>

const relay = async ({ url, schema }: Stage, job: Job): Promise<Told> => {
  const order: RelayOrder = { url, schema, seconds_max: SECONDS_MAX, ...job }
  return await runJob<Told>('events/relay_child.ts', order)
}

/** Throws unless exactly these were told, each once and in order. */
function check({ ids, disorder }: Told, wanted: readonly string[]): void {
  strictEqual(disorder, 0, `${disorder} events told out of their object's order`)
  strictEqual(ids.length, wanted.length, `${ids.length} of ${wanted.length} events told`)
  deepStrictEqual(new Set(ids), new Set(wanted))
}

async function eventsOf({ pool, schema }: Stage, prefix = ''): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select event.id
     from ${schema}.gateway_event as event
     join ${schema}.gateway_payment as payment on payment.id = object_id
     where order_id like $1 || '%' and ($1 = '' or type = 'payment_settled')`,
    [prefix],
  )
  return rows.map(({ id }) => id)
}

const timesOf = ({ seconds, lags }: Told): Measured => measured({ seconds, latencies: lags })

/** Everything in the outbox, from its beginning. The age of old events says nothing. */
async function backlog(bench: Bench, round: number, handler_ms: number): Promise<Measured> {
  const wanted = await eventsOf(bench)
  await settle(bench.pool)
  const name = `backlog-${round}-${handler_ms}`
  const job = { name, start: 'beginning', handler_ms, events: wanted.length } as const
  const told = await relay(bench, job)
  check(told, wanted)
  return { per_second: timesOf(told).per_second }
}

/** Events as they come, at a rate the relay can follow. */
async function steady(bench: Bench, round: number, handler_ms: number): Promise<Measured> {
  const { pool, schema, service_url } = bench
  const name = `steady-${round}-${handler_ms}`
  const count = flags.rate * flags.seconds
  await addOrders(pool, schema, { prefix: name, count })
  const reports = reportsOf(name, count)
  const events = reports.filter(({ kind }) => kind === 'settles').length
  await settle(pool)
  const listening = relay(bench, { name, start: 'now', orders: `${name}-`, handler_ms, events })
  await registered(bench, name)
  const order = { urls: [service_url], connections: 32, rate: flags.rate }
  const requests = reports.map(({ body }) => ({ path: '/notification/', body }))
  const { answers } = await send(order, requests)
  const told = await listening
  await checkRows(pool, schema, { reports, answers })
  check(told, await eventsOf(bench, `${name}-`))
  return timesOf(told)
}

/** Waits until the relay has made its name known: from then on it misses nothing. */
async function registered({ pool, schema }: Stage, name: string): Promise<void> {
  for (let tries = 0; tries < SECONDS_MAX * 10; tries++) {
    const { rowCount } = await pool.query(
      `select from ${schema}.event_subscriber where name = $1`,
      [name],
    )
    if (rowCount === 1) return
    await sleep(100)
  }
  throw new Error(`${name} did not begin`)
}

async function measure(bench: Bench): Promise<Rounds> {
  const cases = HANDLERS_MS.flatMap((ms) => {
    const handler = ms === 0 ? 'handler does nothing' : `handler takes ${ms} ms`
    return [
      [`backlog, ${handler}`, async (round: number) => await backlog(bench, round, ms)],
      [`${flags.rate}/s, ${handler}`, async (round: number) => await steady(bench, round, ms)],
    ] as const
  })
  const rounds: Rounds = Object.fromEntries(cases.map(([name]) => [name, []]))
  for (let round = 1; round <= flags.rounds; round++) {
    const turn = round % cases.length
    for (const [name, run] of [...cases.slice(turn), ...cases.slice(0, turn)]) {
      const one = await run(round)
      progress(`${round} ${name}: ${one.per_second.toFixed(0)}/s ${one.p50_ms ?? ''}`)
      rounds[name]?.push(one)
    }
  }
  return rounds
}

await onStage(async (stage) => {
  const service_url = await startChild('service_child.ts', serviceOrder(stage))
  const { pool, schema } = stage
  await addOrders(pool, schema, { prefix: 'old', count: flags.orders })
  const reports = reportsOf('old', flags.orders)
  const { answers } = await load(service_url, 64, reports)
  await checkRows(pool, schema, { reports, answers })
  const rounds = await measure({ ...stage, service_url })
  const hold = await provePromises(stage)
  if (!flags.quick) {
    await writeResults(stage, 'events', { result: { flags, rounds }, plot: plotOf(rounds) })
  }
  process.stdout.write(`${tableOf(rounds, [])}\n\n${hold}\n`)
})
