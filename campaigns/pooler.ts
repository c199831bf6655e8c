// The service behind PgBouncer in transaction mode, without prepared statements, under load, with the
// pooler killed again and again: every promise holds as on connections of one's own.
import { setTimeout as sleep } from 'node:timers/promises'
import { readArguments } from './bench/arguments.ts'
import { deploy, SHARED_DATABASE_URL } from './bench/deployment.ts'
import { converge, heal } from './bench/heal.ts'
import { Load } from './bench/load.ts'
import { judgeRun } from './bench/judging.ts'
import { Pooler } from './bench/pooler.ts'
import { seeded } from './bench/random.ts'
import { repeatOldIntents } from './bench/repeat_intents.ts'
import { figuresOf, progress, report, seconds } from './bench/report.ts'

const RATE = 100
const CONCURRENCY = 24
const REPEATED_MAX = 400
const REPEATED_QUICK_MAX = 40

const given = readArguments({ n: 20, quick_n: 2 })
const random = seeded(given.seed)
const pooler = await Pooler.create(SHARED_DATABASE_URL)
const deployment = await deploy({
  seed: given.seed,
  apis: 2,
  workers: 2,
  pooler_port: pooler.port,
  broken: given.broken,
})
deployment.lines.gateway.weather = { latency_ms: 10, jitter_ms: 30 }
const load = new Load(deployment, {
  random: seeded(given.seed + 1),
  rate: RATE,
  concurrency: CONCURRENCY,
  queued_rate: 2,
})
const end = performance.now() + given.seconds_max * 1_000
let kills = 0
await sleep(given.quick ? 4_000 : 20_000)
while (kills < given.n && performance.now() < end) {
  pooler.kill()
  await sleep(random.between(50, 1_000))
  await pooler.start()
  await sleep(random.between(1_000, 3_000))
  progress(`${++kills} killed`)
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
report('pooler', given, {
  figures: [
    { what: 'pooler', measured: `${pooler.version}, transaction mode` },
    ...figuresOf(load.client),
    { what: 'kills of the pooler', measured: kills },
    { what: 'charges acknowledged', measured: acknowledged.charges.length },
    { what: 'notifications acknowledged', measured: records.acknowledged.notifications.length },
    { what: 'refunds acknowledged', measured: acknowledged.refunds.length },
    { what: 'charges queued', measured: acknowledged.queued_orders.length },
    ...figures,
    ...repeated.figures,
    { what: 'a new charge after the last fault', measured: seconds(first_charge_ms) },
    { what: 'queue and outbox empty after the last fault', measured: seconds(drained_ms) },
  ],
  faults,
})
await deployment.close()
