// Kills all of PostgreSQL under load, again and again: every acknowledged row is there when it is
// back, and the service reconnects by itself (F4).
import { setTimeout as sleep } from 'node:timers/promises'
import { readArguments } from './bench/arguments.ts'
import { deploy } from './bench/deployment.ts'
import { converge, heal } from './bench/heal.ts'
import type { InjectedFault } from './bench/killing.ts'
import { Load } from './bench/load.ts'
import { judgeRun } from './bench/judging.ts'
import { drawTimeline } from './bench/plot.ts'
import { PostgresCluster } from './bench/postgres_cluster.ts'
import { seeded } from './bench/random.ts'
import { repeatOldIntents } from './bench/repeat_intents.ts'
import { figuresOf, inFlightFigure, progress, report, seconds } from './bench/report.ts'

const RATE = 200
const CONCURRENCY = 24
const REPEATED_MAX = 400
const REPEATED_QUICK_MAX = 40
const ANSWERING_MS_MAX = 10_000
const WAIT_MS_MAX = 60_000

const given = readArguments({ n: 50, quick_n: 2 })
const random = seeded(given.seed)
const cluster = await PostgresCluster.create()
progress('the cluster is up')
const deployment = await deploy({
  seed: given.seed,
  apis: 1,
  workers: 1,
  database_url: cluster.url,
  broken: given.broken,
})
const { lines } = deployment
lines.gateway.weather = { latency_ms: 10, jitter_ms: 30 }
const load = new Load(deployment, {
  random: seeded(given.seed + 1),
  rate: RATE,
  concurrency: CONCURRENCY,
  queued_rate: 2,
})
const { client } = load
const injected: InjectedFault[] = []
const back_ms: number[] = []
const end = performance.now() + given.seconds_max * 1_000

/** From the moment the database answers to the next acknowledgement of the service. */
async function answering(): Promise<number | null> {
  const up = performance.now()
  const before = client.acknowledged_at.length
  while (performance.now() - up < WAIT_MS_MAX) {
    if (client.acknowledged_at.length > before) return performance.now() - up
    await sleep(20)
  }
  return null
}

await sleep(given.quick ? 2_000 : 5_000)
for (let kill = 0; kill < given.n && performance.now() < end; kill++) {
  const in_flight = [...client.in_flight.values()].reduce((sum, count) => sum + count, 0)
  injected.push({
    at_ms: performance.now() - client.began,
    who: 'PostgreSQL',
    how: 'kill',
    in_flight,
  })
  cluster.kill()
  await cluster.start()
  back_ms.push((await answering()) ?? Number.POSITIVE_INFINITY)
  await sleep(random.between(500, 3_000))
  progress(`${kill + 1} killed, back after ${seconds(back_ms.at(-1) ?? null)}`)
}
await load.finish()
const { first_charge_ms, drained_ms } = await heal(deployment)
await converge(deployment)
const repeated = await repeatOldIntents(deployment, {
  seed: given.seed + 2,
  most: given.quick ? REPEATED_QUICK_MAX : REPEATED_MAX,
})
const { acknowledged } = load
const { records, faults, figures } = await judgeRun(deployment, first_charge_ms)
const longest = Math.max(0, ...back_ms)
report('postgres', given, {
  figures: [
    ...figuresOf(client),
    { what: 'kills of the whole database', measured: injected.length },
    inFlightFigure(injected.map(({ in_flight }) => in_flight)),
    { what: 'charges acknowledged', measured: acknowledged.charges.length },
    { what: 'notifications acknowledged', measured: records.acknowledged.notifications.length },
    { what: 'refunds acknowledged', measured: acknowledged.refunds.length },
    { what: 'charges queued', measured: acknowledged.queued_orders.length },
    {
      what: 'service answering after the database, longest',
      measured: seconds(longest),
      goal: '≤ 10 s',
      timed: true,
      missed: longest > ANSWERING_MS_MAX,
    },
    ...figures,
    ...repeated.figures,
    { what: 'a new charge after the last fault', measured: seconds(first_charge_ms) },
    { what: 'queue and outbox empty after the last fault', measured: seconds(drained_ms) },
  ],
  faults,
})
await drawTimeline(given, 'postgres', { acknowledged_at: client.acknowledged_at, injected })
await deployment.close()
