// `npm run bench memory`: webhooks and charges together for ten minutes, on one process with its
// worker inside, while the server takes checkpoints and vacuums. Compares the memory held in the
// last tenth of the time with the memory held in the first.
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresCluster } from '../../campaigns/bench/postgres_cluster.ts'
import { callerOf, chargesOf, ordersOf } from '../charge_requests.ts'
import { checkCharges, checkLedger } from '../check_charges.ts'
import { checkRows } from '../check_rows.ts'
import { readFlags } from '../flags.ts'
import { addOrders, reportsOf, SERVER_KEY } from '../orders.ts'
import { load, send, startChild, startProcess } from '../processes.ts'
import { residentOf } from '../proc.ts'
import { goalOf, medianOf, shown } from '../report.ts'
import {
  onStage,
  progress,
  provePromises,
  serviceOrder,
  sizeOf,
  writeResults,
  type Stage,
} from '../stage.ts'
import { curveOf, type Sample } from './curve.ts'
import { between, housekeepingOf } from './housekeeping.ts'

const flags = readFlags({
  seconds: [600, 20],
  /** Requests per lap; laps follow one another until the time is over. */
  reports: [4_000, 256],
  charges: [500, 32],
})
/** Enough samples for a median of a twentieth of the time. */
const SAMPLE_MS = Math.min(1_000, flags.seconds * 5)

interface Service {
  url: string
  headers: { authorization: string }
  orders: string[]
}

/** One lap of both kinds, with every answer checked. Returns the number of requests. */
async function lap({ pool, schema }: Stage, service: Service, number: number): Promise<number> {
  const { url, headers, orders } = service
  const prefix = `m${number}`
  await addOrders(pool, schema, { prefix, count: flags.reports })
  const reports = reportsOf(prefix, flags.reports)
  const mine = ordersOf(`c${number}`, flags.charges)
  orders.push(...mine)
  const [reported, charged] = await Promise.all([
    load(url, 64, reports),
    send({ urls: [url], connections: 16, headers }, chargesOf(mine)),
  ])
  await checkRows(pool, schema, { reports, answers: reported.answers })
  await checkCharges(pool, schema, { orders: mine, answers: charged.answers })
  return reports.length + mine.length
}

/** Samples until stopped. */
async function watch(pid: number, stop: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = []
  const began = performance.now()
  while (!stop.aborted) {
    const at_s = (performance.now() - began) / 1_000
    samples.push({ at_s, resident_mb: await residentOf(pid) })
    await sleep(SAMPLE_MS, undefined, { signal: stop }).catch(() => undefined)
  }
  return samples
}

/**
 * The median over half a tenth of the time, so that a single garbage collection does not decide it.
 */
function heldUntil(samples: readonly Sample[], share: number): number {
  const end = (samples.at(-1)?.at_s ?? 0) * share
  const from = end - (samples.at(-1)?.at_s ?? 0) / 20
  const held = samples.filter(({ at_s }) => at_s >= from && at_s <= end)
  return medianOf(held.map(({ resident_mb }) => resident_mb))
}

/** The minimum after garbage collections: a leak raises it, a busy moment does not. */
const lowestOf = (samples: readonly Sample[]): number =>
  Math.min(...samples.map(({ resident_mb }) => resident_mb))

async function measure(stage: Stage, service: Service, pid: number) {
  const before = await housekeepingOf(stage.pool, stage.schema)
  const stop = new AbortController()
  const watching = watch(pid, stop.signal)
  const began = performance.now()
  let requests = 0
  let laps = 0
  for (; performance.now() - began < flags.seconds * 1_000; laps++) {
    requests += await lap(stage, service, laps)
    progress(`lap ${laps}: ${requests} requests, ${(await residentOf(pid)).toFixed(0)} MB`)
  }
  stop.abort()
  const samples = await watching
  const done = between(before, await housekeepingOf(stage.pool, stage.schema))
  const seconds = (performance.now() - began) / 1_000
  // The lap's orders were inserted before it, the charges during it: each is a payment.
  const payments = laps * (flags.reports + flags.charges)
  const kilobytes = (await sizeOf(stage.pool, stage.schema)) / 1_024 / payments
  return { samples, done, requests, seconds, kilobytes_per_payment: kilobytes }
}

const bench = async (stage: Stage): Promise<void> => {
  const gateway_url = await startChild('simulator_child.ts', { server_key: SERVER_KEY })
  const worker = { reads_per_second: 5 }
  const order = { ...serviceOrder(stage, gateway_url), worker }
  const { url, pid } = await startProcess('service_child.ts', order)
  const service = { url, headers: await callerOf(stage, 'shop'), orders: [] }
  const { samples, ...measured } = await measure(stage, service, pid)
  await checkLedger(gateway_url, service.orders)
  const hold = await provePromises(stage)
  const first = heldUntil(samples, 0.1)
  const last = heldUntil(samples, 1)
  const name = 'resident memory after the last tenth of the time ÷ after the first'
  const goal = goalOf({ name, rounds: [last / first], most: 1.2 })
  const { done, requests, seconds, kilobytes_per_payment } = measured
  if (!flags.quick) {
    const result = { flags, ...measured, first_mb: first, last_mb: last, goal, samples }
    await writeResults(stage, 'memory', { result, plot: curveOf(samples) })
  }
  process.stdout.write(`${requests} requests in ${seconds.toFixed(0)} s

| resident memory | MB |
|---|---|
| after the first tenth | ${shown(first)} |
| after the last | ${shown(last)} |
| lowest in the second tenth to the half | ${shown(lowestOf(samples.slice(samples.length / 10, samples.length / 2)))} |
| lowest in the second half | ${shown(lowestOf(samples.slice(samples.length / 2)))} |
| most | ${shown(Math.max(...samples.map(({ resident_mb }) => resident_mb)))} |

${name}: ${shown(goal.median)} (${goal.wanted}, ${goal.reached ? 'reached' : 'not reached'})
checkpoints: ${done.checkpoints_timed} timed, ${done.checkpoints_asked} asked for by the amount written; autovacuums: ${done.autovacuums}, autoanalyzes: ${done.autoanalyzes}
tables and indexes: ${kilobytes_per_payment.toFixed(1)} kB a payment
${hold}
`)
}

// The server on the machine is often one for tests, without autovacuum; this one has the defaults.
const cluster = await PostgresCluster.create()
try {
  await onStage(bench, cluster.url)
} finally {
  await cluster.remove()
}
