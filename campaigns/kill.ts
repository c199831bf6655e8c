// Kills and pauses processes under load, at any moment and at every named point: nothing that was
// acknowledged is lost, nothing is done twice (F1, F2, F3).
import { setTimeout as sleep } from 'node:timers/promises'
import { moveClock } from '../packages/service/src/store/connection/settings.ts'
import { withTransaction } from '../packages/service/src/store/connection/transaction.ts'
import { CRASH_POINTS } from '../packages/service/src/services/context.ts'
import { readArguments } from './bench/arguments.ts'
import { deploy } from './bench/deployment.ts'
import { converge, heal } from './bench/heal.ts'
import { Killing } from './bench/killing.ts'
import { Load } from './bench/load.ts'
import { judgeRun } from './bench/judging.ts'
import { drawTimeline } from './bench/plot.ts'
import { seeded } from './bench/random.ts'
import { repeatOldIntents } from './bench/repeat_intents.ts'
import { figuresOf, inFlightFigure, progress, report, seconds } from './bench/report.ts'
import { storiesOf } from './bench/story.ts'

const RATE = 200
const CONCURRENCY = 32
const QUEUED_RATE = 15
const RESUMED_MS_MAX = 30_000
const POINT_TIMES = 5
const SERVED_BETWEEN = 20
const REPEATED_MAX = 600
const REPEATED_QUICK_MAX = 60
/** Points of a refusal or an unclear answer are reached only if there are some. */
const REFUSALS = ['charge', 'refund', 'direct_refund', 'create_invoice']

const given = readArguments({ n: 500, quick_n: 6 })
const random = seeded(given.seed)
const deployment = await deploy({
  seed: given.seed,
  apis: 2,
  workers: given.quick ? 1 : 2,
  timeout_ms_max: 3_000,
  broken: given.broken,
})
const { witness, parts, lines } = deployment
lines.gateway.weather = { latency_ms: 20, jitter_ms: 80 }
for (const operation of REFUSALS) {
  const match = { operation }
  const body = { status_code: operation.includes('refund') ? '412' : '400', status_message: 'no' }
  const options = { http_status: operation === 'create_invoice' ? 400 : 200, body }
  await witness.control('faults', { effect: 'status', match, probability: 0.03, options })
  await witness.control('faults', { effect: 'drop_after', match, probability: 0.03 })
}
const load = new Load(deployment, {
  random: seeded(given.seed + 1),
  rate: RATE,
  concurrency: CONCURRENCY,
  queued_rate: QUEUED_RATE,
})
const killing = new Killing(deployment, load.client, random)
const end = performance.now() + given.seconds_max * 1_000
const inTime = (): boolean => performance.now() < end
const pauses = given.quick ? { min: 5_000, max: 6_000 } : { min: 5_000, max: 40_000 }
await sleep(given.quick ? 1_000 : 5_000)
const points = given.quick
  ? []
  : CRASH_POINTS.flatMap((point) => Array<string>(POINT_TIMES).fill(point))
const random_kills = Math.max(given.quick ? given.n : 20, given.n - points.length)
/** At a higher rate kills would hit only processes that do nothing. */
async function served(): Promise<void> {
  const wanted = load.client.acknowledged_at.length + SERVED_BETWEEN
  while (load.client.acknowledged_at.length < wanted && inTime()) await sleep(20)
}
async function injectUntil(count: number): Promise<void> {
  while (killing.injected.length < count && inTime()) {
    await killing.injectFault(pauses)
    await sleep(random.between(100, 900))
    await served()
    const { length } = killing.injected
    if (length % 20 === 0) progress(`${length} faults injected`)
  }
}
await injectUntil(random_kills)
for (const point of points) {
  if (!inTime()) break
  await killing.dieAt(point)
  await served()
  if (killing.injected.length % 20 === 0) progress(`${killing.injected.length} faults injected`)
}
// A point that was not reached is no fault: others make up the number.
if (!given.quick) await injectUntil(given.n)
progress('healing')
lines.gateway.weather = {}
// A 404 is believed only after a minute; a quick run moves the clocks past it.
if (given.quick) {
  await withTransaction(parts.ctx.db, async (tx) => await moveClock(tx, 66_000))
}
await load.finish()
progress('load ended')
await killing.finish()
progress('every pause has ended')
const { first_charge_ms, drained_ms } = await heal(deployment)
progress('converging')
await converge(deployment)
const repeated = await repeatOldIntents(deployment, {
  seed: given.seed + 2,
  most: given.quick ? REPEATED_QUICK_MAX : REPEATED_MAX,
})
progress('judging')
const { client, acknowledged } = load
const { records, faults, figures } = await judgeRun(deployment, first_charge_ms)
const stories = await storiesOf(faults, { db: parts.ctx.db, witness })
const count = (how: string): number => killing.injected.filter((one) => one.how === how).length
const resumed = Math.max(0, ...killing.resumed_ms)
const unreached = new Set(killing.missed_points)
report('kill', given, {
  figures: [
    ...figuresOf(client),
    { what: 'kills', measured: count('kill') },
    { what: 'pauses', measured: count('pause') },
    {
      what: 'deaths at named points',
      measured: `${count('crash point')} of ${points.length}`,
    },
    {
      what: 'named points not reached',
      measured: unreached.size === 0 ? 'none' : [...unreached].join(', '),
    },
    inFlightFigure(killing.injected.map(({ in_flight }) => in_flight)),
    { what: 'payments', measured: records.payments.length },
    { what: 'notifications acknowledged', measured: records.acknowledged.notifications.length },
    { what: 'refunds acknowledged', measured: acknowledged.refunds.length },
    { what: 'charges queued', measured: acknowledged.queued_orders.length },
    { what: 'events delivered', measured: records.events.effects.length },
    ...figures,
    ...repeated.figures,
    { what: 'workers killed with claimed jobs', measured: killing.resumed_ms.length },
    {
      what: 'such a job claimed again, longest',
      measured: seconds(resumed),
      goal: '≤ 30 s',
      timed: true,
      missed: resumed > RESUMED_MS_MAX,
    },
    { what: 'a new charge after the last fault', measured: seconds(first_charge_ms) },
    { what: 'queue and outbox empty after the last fault', measured: seconds(drained_ms) },
  ],
  faults,
  stories,
})
await drawTimeline(given, 'kill', {
  acknowledged_at: client.acknowledged_at,
  injected: killing.injected,
})
await deployment.close()
