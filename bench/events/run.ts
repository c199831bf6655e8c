// `npm run bench events`: how many events a second one relay delivers, and how soon after their
// commit at a steady rate; with a handler that does nothing and one that takes five milliseconds.
// Deliveries are compared with the outbox: every event once, in the order of its object.
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
import type { RelayOrder, Delivered } from './relay_child.ts'

const flags = readFlags({
  rounds: [5, 1],
  /** Each payment has a first event; three of four have a second one. */
  orders: [12_000, 400],
  /** Notifications a second for measuring the lag, and for how long in each round. */
  rate: [200, 50],
  seconds: [10, 3],
})
const HANDLERS_MS = [0, 5] as const
const SECONDS_MAX = 300

type Bench = Stage & { service_url: string }
type Job = Omit<RelayOrder, 'url' | 'schema' | 'seconds_max'>

const relay = async ({ url, schema }: Stage, job: Job): Promise<Delivered> => {
  const order: RelayOrder = { url, schema, seconds_max: SECONDS_MAX, ...job }
  return await runJob<Delivered>('events/relay_child.ts', order)
}

/** Throws unless exactly these were delivered, each once and in order. */
function check({ ids, disorder }: Delivered, wanted: readonly string[]): void {
  strictEqual(disorder, 0, `${disorder} events delivered out of their object's order`)
  strictEqual(ids.length, wanted.length, `${ids.length} of ${wanted.length} events delivered`)
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

const timesOf = ({ seconds, lags }: Delivered): Measured => measured({ seconds, latencies: lags })

/** Everything in the outbox, from its beginning; the lag of old events is not reported. */
async function backlog(bench: Bench, round: number, handler_ms: number): Promise<Measured> {
  const wanted = await eventsOf(bench)
  await settle(bench.pool)
  const name = `backlog-${round}-${handler_ms}`
  const job = { name, start: 'beginning', handler_ms, events: wanted.length } as const
  const delivered = await relay(bench, job)
  check(delivered, wanted)
  return { per_second: timesOf(delivered).per_second }
}

/** Events as they arrive, at a rate the relay can follow. */
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
  const delivered = await listening
  await checkRows(pool, schema, { reports, answers })
  check(delivered, await eventsOf(bench, `${name}-`))
  return timesOf(delivered)
}

/** Waits until the relay has registered its subscriber: from then on it misses no event. */
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
