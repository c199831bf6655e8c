// `npm run bench charges`: the time a charge takes beside the gateway's own time, and how many
// charges a second are stored. The gateway is the simulator in its own process, which answers at
// once; direct calls with the same bodies at the same rate measure the gateway's share.
import { strictEqual } from 'node:assert/strict'
import { bareCharges, createBareCharges, widthsOf, type Widths } from './bare_charge.ts'
import { measured, type Measured } from '../cases.ts'
import { callerOf, chargesOf, ordersOf } from '../charge_requests.ts'
import { checkCharges, checkLedger } from '../check_charges.ts'
import { readFlags } from '../flags.ts'
import { SERVER_KEY } from '../orders.ts'
import { send, startChild } from '../processes.ts'
import { goalOf, plotOf, tableOf, type Goal, type Rounds } from '../report.ts'
import {
  onStage,
  progress,
  provePromises,
  serviceOrder,
  settle,
  writeResults,
  type Stage,
} from '../stage.ts'

const flags = readFlags({
  rounds: [5, 1],
  /** Requests a second for measuring latency, and for how long in each round. */
  rate: [50, 50],
  seconds: [10, 2],
  /** Charges per round for measuring throughput. */
  charges: [3_000, 256],
})
const CONNECTIONS = 64
const CLIENTS = 16

interface Bench extends Stage {
  bare: string
  gateway_url: string
  service_url: string
  headers: { authorization: string }
  /** All charges sent to the service, and all sent to the simulator directly. */
  orders: string[]
  direct: string[]
}

const charged = async (
  { pool, schema, service_url, headers, orders }: Bench,
  prefix: string,
  { count, ...pace }: { count: number; connections: number; rate?: number },
): Promise<Measured> => {
  const mine = ordersOf(prefix, count)
  orders.push(...mine)
  await settle(pool)
  const result = await send({ urls: [service_url], headers, ...pace }, chargesOf(mine))
  await checkCharges(pool, schema, { orders: mine, answers: result.answers })
  return measured(result)
}

const PACE = { count: flags.rate * flags.seconds, connections: 32, rate: flags.rate }

/** What the service sent for this order is stored with its operation, and holds no secret here. */
async function wireBodyOf({ pool, schema }: Bench, order_id: string): Promise<string> {
  const { rows } = await pool.query<{ request: string }>(
    `select operation.request::text as request
     from ${schema}.gateway_operation as operation
     join ${schema}.gateway_payment as payment on payment.id = subject_id
     where order_id = $1`,
    [order_id],
  )
  return rows[0]?.request ?? ''
}

/** The same bodies for the simulator alone. */
async function direct(bench: Bench, prefix: string): Promise<Measured> {
  const template = await wireBodyOf(bench, 'warm-0')
  const mine = ordersOf(prefix, PACE.count)
  bench.direct.push(...mine)
  await settle(bench.pool)
  const authorization = `Basic ${Buffer.from(`${SERVER_KEY}:`).toString('base64')}`
  const requests = mine.map((order_id) => ({
    path: '/v2/charge',
    headers: { authorization, 'x-idempotency-key': order_id },
    body: template.replace('"warm-0"', JSON.stringify(order_id)),
  }))
  const { answers, ...times } = await send({ urls: [bench.gateway_url], ...PACE }, requests)
  for (const { body } of answers) {
    strictEqual((JSON.parse(body) as { status_code: string }).status_code, '201', body)
  }
  return measured({ ...times })
}

const ALONE = `simulator alone, ${flags.rate}/s`
const PACED = `service, ${flags.rate}/s`
const FULL = `service, ${CONNECTIONS} connections`
const BARE = `pgbench, two transactions, ${CLIENTS} clients`

const casesOf = (
  bench: Bench,
  widths: Widths,
): [string, (round: number) => Promise<Measured>][] => [
  [ALONE, async (round) => await direct(bench, `d${round}`)],
  [PACED, async (round) => await charged(bench, `p${round}`, PACE)],
  [
    FULL,
    async (round) =>
      await charged(bench, `f${round}`, { count: flags.charges, connections: CONNECTIONS }),
  ],
  [
    BARE,
    async () => {
      const { pool, url, bare: schema } = bench
      await settle(pool)
      return await bareCharges(pool, {
        url,
        schema,
        clients: CLIENTS,
        charges: flags.charges,
        widths,
      })
    },
  ],
]

async function measure(bench: Bench): Promise<Rounds> {
  // Warms up code and caches, and makes the rows whose widths and body the references copy.
  await charged(bench, 'warm', { count: Math.min(500, flags.charges), connections: 16 })
  const cases = casesOf(bench, await widthsOf(bench.pool, bench.schema, 'warm-0'))
  const rounds: Rounds = Object.fromEntries(cases.map(([name]) => [name, []]))
  for (let round = 1; round <= flags.rounds; round++) {
    const turn = round % cases.length
    for (const [name, run] of [...cases.slice(turn), ...cases.slice(0, turn)]) {
      const one = await run(round)
      progress(
        `${round} ${name}: ${one.per_second.toFixed(0)}/s ${one.p50_ms?.toFixed(1) ?? ''} ms`,
      )
      rounds[name]?.push(one)
    }
  }
  return rounds
}

function goalsOf(rounds: Rounds): Goal[] {
  const over = (which: 'p50_ms' | 'p99_ms'): number[] =>
    (rounds[PACED] ?? []).map((one, at) => (one[which] ?? 0) - (rounds[ALONE]?.[at]?.[which] ?? 0))
  const ratios = (rounds[FULL] ?? []).map(
    ({ per_second }, at) => per_second / (rounds[BARE]?.[at]?.per_second ?? 0),
  )
  const at = `at ${flags.rate}/s, total − simulator`
  return [
    goalOf({ name: `own overhead p50 ${at}`, rounds: over('p50_ms'), most: 4, unit: ' ms' }),
    goalOf({ name: `own overhead p99 ${at}`, rounds: over('p99_ms'), most: 12, unit: ' ms' }),
    goalOf({ name: `${FULL} ÷ ${BARE}`, rounds: ratios, least: 0.5 }),
  ]
}

await onStage(async (stage) => {
  const bare = stage.another('bare')
  await createBareCharges(stage.pool, bare)
  const gateway_url = await startChild('simulator_child.ts', { server_key: SERVER_KEY })
  const service_url = await startChild('service_child.ts', serviceOrder(stage, gateway_url))
  const headers = await callerOf(stage, 'shop')
  const bench = { ...stage, bare, gateway_url, service_url, headers, orders: [], direct: [] }
  const rounds = await measure(bench)
  await checkLedger(gateway_url, [...bench.orders, ...bench.direct])
  const hold = await provePromises(stage)
  const goals = goalsOf(rounds)
  if (!flags.quick) {
    await writeResults(stage, 'charges', { result: { flags, rounds, goals }, plot: plotOf(rounds) })
  }
  process.stdout.write(`${tableOf(rounds, goals)}\n\n${hold}\n`)
})
