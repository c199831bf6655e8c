// `npm run bench sweep`: a million payments due for a status check, under a budget of requests. The
// gateway's ledger shows whether the budget was kept; live charges beside the sweep are compared
// with the same charges without it, in alternating rounds.
import { strictEqual } from 'node:assert/strict'
import { measured, type Measured } from '../cases.ts'
import { callerOf, chargesOf, ordersOf } from '../charge_requests.ts'
import { checkCharges } from '../check_charges.ts'
import { readFlags } from '../flags.ts'
import { addManyOrders, SERVER_KEY } from '../orders.ts'
import { runJob, send, startChild } from '../processes.ts'
import { plotOf, shown, tableOf, type Rounds } from '../report.ts'
import {
  analyze,
  onStage,
  progress,
  provePromises,
  serviceOrder,
  settle,
  writeResults,
  type Stage,
} from '../stage.ts'
import { askedAt, askedMoreThan, checkBudget, checkSwept } from './asked.ts'
import type { SweepOrder, SweepResult } from './sweep_child.ts'

const flags = readFlags({
  payments: [1_000_000, 5_000],
  /** Of all measurements; half of it with the sweep. */
  seconds: [60, 8],
  rounds: [3, 1],
  /** Status checks a second. */
  budget: [50, 20],
  /** Live charges a second. */
  rate: [20, 10],
})
const SLICE_S = flags.seconds / (2 * flags.rounds)
/** As many as can be checked, and a few more: the rest of the million is due after them. */
const KNOWN = Math.ceil(flags.budget * (flags.seconds / 2 + flags.rounds) * 1.2)

interface Bench extends Stage {
  gateway_url: string
  service_url: string
  headers: { authorization: string }
}

/** Real charges; every second one is paid without a notification, and all are due first. */
async function addKnown(bench: Bench) {
  const { pool, schema, gateway_url, service_url, headers } = bench
  const orders = ordersOf('known', KNOWN)
  const order = { urls: [service_url], connections: 16, headers }
  const { answers } = await send(order, chargesOf(orders))
  await checkCharges(pool, schema, { orders, answers })
  const paid = orders.filter((_, n) => n % 2 === 0)
  const payer = await send(
    { urls: [gateway_url], connections: 4 },
    paid.map((order_id) => ({ path: `/_sim/transactions/${order_id}/pay`, body: '{}' })),
  )
  for (const { status, body } of payer.answers) strictEqual(status, 200, body)
  await pool.query(
    `update ${schema}.gateway_payment
     set next_check_at = now() - interval '2 hours'
     where order_id like 'known-%'`,
  )
  return { orders, paid: new Set(paid) }
}

async function live({ pool, schema, service_url, headers }: Bench, prefix: string) {
  const orders = ordersOf(prefix, Math.ceil(flags.rate * SLICE_S))
  const order = { urls: [service_url], connections: 16, headers, rate: flags.rate }
  const result = await send(order, chargesOf(orders))
  await checkCharges(pool, schema, { orders, answers: result.answers })
  return measured(result)
}

async function swept(bench: Bench, prefix: string) {
  const { url, schema, gateway_url } = bench
  const order: SweepOrder = {
    url,
    schema,
    gateway_url,
    server_key: SERVER_KEY,
    reads_per_second: flags.budget,
    seconds: SLICE_S,
  }
  const { length: before } = await askedAt(gateway_url)
  const beside = async (): Promise<Measured> => {
    await askedMoreThan(gateway_url, before)
    return await live(bench, prefix)
  }
  const job = runJob<SweepResult>('sweep/sweep_child.ts', order)
  const [sweep, charges] = await Promise.all([job, beside()])
  return { sweep, charges }
}

const QUIET = `charges at ${flags.rate}/s, quiet`
const BESIDE = `charges at ${flags.rate}/s, beside the sweep`

async function measure(bench: Bench) {
  const rounds: Rounds = { [QUIET]: [], [BESIDE]: [] }
  const claims: number[] = []
  let checked = 0
  const note = (name: string, round: number, one: Measured): void => {
    progress(`${round} ${name}: ${one.p50_ms?.toFixed(1)} ms, p99 ${one.p99_ms?.toFixed(1)}`)
    rounds[name]?.push(one)
  }
  await live(bench, 'warm')
  for (let round = 1; round <= flags.rounds; round++) {
    await settle(bench.pool)
    const quiet = async () => note(QUIET, round, await live(bench, `q${round}`))
    if (round % 2 === 1) await quiet()
    const { sweep, charges } = await swept(bench, `b${round}`)
    note(BESIDE, round, charges)
    progress(`${round} sweep: ${JSON.stringify(sweep.outcomes)}`)
    strictEqual(sweep.outcomes.unreachable, 0, 'the gateway could not be reached')
    claims.push(...sweep.claims)
    checked += sweep.outcomes.moved + sweep.outcomes.unchanged
    if (round % 2 === 0) await quiet()
  }
  return { rounds, claims, checked }
}

const timesOf = (latencies: readonly number[]): Measured =>
  measured({ seconds: 1, latencies: [...latencies] })

await onStage(async (stage) => {
  const gateway_url = await startChild('simulator_child.ts', { server_key: SERVER_KEY })
  const service_url = await startChild('service_child.ts', serviceOrder(stage, gateway_url))
  const bench = { ...stage, gateway_url, service_url, headers: await callerOf(stage, 'shop') }
  const { pool, schema } = stage
  const owners = Math.ceil(flags.payments / 100)
  const waiting = { prefix: 'old', count: flags.payments, owners, check_in_s: -3_600 }
  await addManyOrders(pool, schema, waiting)
  await analyze(stage)
  progress(`${flags.payments} payments are due`)
  const known = await addKnown(bench)
  const { rounds, claims, checked } = await measure(bench)
  const asked = await askedAt(gateway_url)
  checkBudget(asked, flags.budget)
  await checkSwept(pool, schema, { ...known, count: checked })
  const hold = await provePromises(stage)
  const half = Math.ceil(claims.length / 2)
  const [early, later] = [timesOf(claims.slice(0, half)), timesOf(claims.slice(half))]
  const rate = asked.length / (flags.seconds / 2)
  if (!flags.quick) {
    const result = { flags, rounds, asked: asked.length, asked_per_second: rate, claims }
    await writeResults(stage, 'sweep', { result, plot: plotOf(rounds) })
  }
  process.stdout.write(`${tableOf(rounds, [])}

${asked.length} questions, ${shown(rate)} a second on average where ${flags.budget} and one second ahead are allowed, kept in every stretch of time; ${checked} payments now as the gateway says
| claim of a page of 20, ${flags.payments.toLocaleString('en')} due | p50 ms | p99 ms |
|---|---|---|
| first half of ${claims.length} | ${shown(early.p50_ms ?? 0)} | ${shown(early.p99_ms ?? 0)} |
| second half | ${shown(later.p50_ms ?? 0)} | ${shown(later.p99_ms ?? 0)} |

${hold}
`)
})
