// Loses the primary under load, in turn by a crash of PostgreSQL, by the death of its node and by a
// planned switchover: acknowledged writes are on the standby that takes over, and the service finds
// the new primary by itself (F5).
import { setTimeout as sleep } from 'node:timers/promises'
import { loadavg } from 'node:os'
import { readArguments } from './bench/arguments.ts'
import { deploy } from './bench/deployment.ts'
import { HaCluster } from './bench/ha_cluster.ts'
import { converge, heal } from './bench/heal.ts'
import type { InjectedFault } from './bench/killing.ts'
import { Load } from './bench/load.ts'
import { judgeRun } from './bench/judging.ts'
import { drawTimeline } from './bench/plot.ts'
import { seeded } from './bench/random.ts'
import { repeatOldIntents } from './bench/repeat_intents.ts'
import { figuresOf, inFlightFigure, progress, report, seconds } from './bench/report.ts'
import type { Figure } from './bench/report.ts'

const RATE = 200
const CONCURRENCY = 24
const REPEATED_MAX = 400
const REPEATED_QUICK_MAX = 40
const WAIT_MS_MAX = 120_000
/** In turn, so that every run of three or more has seen each. */
const FAULTS = ['crash', 'node death', 'switchover'] as const
const GOALS = { crash: 10_000, 'node death': 30_000, switchover: 10_000 }
type Fault = (typeof FAULTS)[number]

interface Failover extends Omit<InjectedFault, 'how'> {
  how: Fault
  /** Until another node led, and until it took a write over a new connection. */
  led_ms: number
  writable_ms: number
  gap_ms: number
}

const given = readArguments({ n: 10, quick_n: 3 })
const random = seeded(given.seed)
const cluster = await HaCluster.create()
progress('the cluster is complete')
const deployment = await deploy({
  seed: given.seed,
  apis: given.quick ? 1 : 2,
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
const injected: Failover[] = []
const end = performance.now() + given.seconds_max * 1_000
const now = (): number => performance.now() - client.began

async function strike(fault: Fault, leader: string): Promise<void> {
  if (fault === 'crash') cluster.killPostgres(leader)
  else if (fault === 'node death') cluster.killNode(leader)
  else await cluster.switchover(leader)
}

/** When another node led, and that writes are acknowledged again continuously. */
async function untilWriting(since: number, leader: string) {
  let led_ms = Number.POSITIVE_INFINITY
  while (now() - since < WAIT_MS_MAX) {
    const members = await cluster.members()
    const moved = members.some(({ name, role }) => role === 'leader' && name !== leader)
    if (moved) led_ms = Math.min(led_ms, now() - since)
    // Not the last ones of the old primary: a switchover takes a moment to begin.
    if (moved && client.written_at.filter((at) => at > now() - 1_000).length >= 10)
      return { led_ms, gap_ms: gapSince(since) }
    await sleep(100)
  }
  return { led_ms, gap_ms: Number.POSITIVE_INFINITY }
}

/** The longest time without an acknowledged write from the fault to now. */
function gapSince(since: number): number {
  const last = client.written_at.findLast((at) => at <= since) ?? since
  const times = [last, ...client.written_at.filter((at) => at > since), now()]
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)))
}

await sleep(given.quick ? 2_000 : 5_000)
for (let index = 0; index < given.n && performance.now() < end; index++) {
  const fault = FAULTS[index % FAULTS.length] ?? 'crash'
  const leader = await cluster.leader()
  const in_flight = [...client.in_flight.values()].reduce((sum, count) => sum + count, 0)
  const at_ms = now()
  await strike(fault, leader)
  const writable = cluster.untilWritable(WAIT_MS_MAX).then(() => now() - at_ms)
  const { led_ms, gap_ms } = await untilWriting(at_ms, leader)
  const writable_ms = await writable
  injected.push({ at_ms, who: leader, how: fault, in_flight, led_ms, writable_ms, gap_ms })
  progress(
    `${index + 1}: ${fault} of ${leader}; another led after ${seconds(led_ms)}, ` +
      `took writes after ${seconds(writable_ms)}, ` +
      `${seconds(gap_ms)} without an acknowledged write`,
  )
  await sleep(random.between(500, 3_000))
  if (fault === 'node death') cluster.revive(leader)
  await cluster.untilWhole()
}
progress('healing')
const load_average = loadavg()[0] ?? 0
await load.finish()
const { first_charge_ms, drained_ms } = await heal(deployment)
await converge(deployment)
const repeated = await repeatOldIntents(deployment, {
  seed: given.seed + 2,
  most: given.quick ? REPEATED_QUICK_MAX : REPEATED_MAX,
})
const { acknowledged } = load
const { records, faults, figures } = await judgeRun(deployment, first_charge_ms)

function gapFigure(fault: Fault): Figure {
  const gaps = injected.filter((one) => one.how === fault).map(({ gap_ms }) => gap_ms)
  const longest = Math.max(0, ...gaps)
  return {
    what: `longest without an acknowledged write, ${fault} (${gaps.length})`,
    measured: gaps.length === 0 ? 'not tried' : seconds(longest),
    goal: `≤ ${GOALS[fault] / 1_000} s`,
    timed: true,
    missed: longest > GOALS[fault],
  }
}

report('failover', given, {
  figures: [
    ...figuresOf(client),
    { what: 'writes acknowledged', measured: client.written_at.length },
    { what: 'failovers', measured: injected.length },
    inFlightFigure(injected.map(({ in_flight }) => in_flight)),
    { what: 'in flight at each', measured: injected.map(({ in_flight }) => in_flight).join(', ') },
    ...FAULTS.map(gapFigure),
    { what: 'each gap', measured: injected.map(({ gap_ms }) => seconds(gap_ms)).join(', ') },
    {
      what: 'of it until the database took writes',
      measured: injected.map(({ writable_ms }) => seconds(writable_ms)).join(', '),
    },
    {
      what: 'of it until another node led',
      measured: injected.map(({ led_ms }) => seconds(led_ms)).join(', '),
    },
    { what: 'charges acknowledged', measured: acknowledged.charges.length },
    { what: 'notifications acknowledged', measured: records.acknowledged.notifications.length },
    { what: 'refunds acknowledged', measured: acknowledged.refunds.length },
    { what: 'charges queued', measured: acknowledged.queued_orders.length },
    ...figures,
    ...repeated.figures,
    { what: 'a new charge after the last fault', measured: seconds(first_charge_ms) },
    { what: 'queue and outbox empty after the last fault', measured: seconds(drained_ms) },
    { what: 'load average at the end', measured: load_average.toFixed(1) },
  ],
  faults,
})
await drawTimeline(given, 'failover', { acknowledged_at: client.acknowledged_at, injected })
await deployment.close()
