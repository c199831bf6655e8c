// Clocks of the service and of its processes jump under load, and the gateway is unreachable for
// days: nothing expires early, no process spins, and every status ends as at the gateway (F21).
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { moveClock } from '../packages/service/src/store/connection/settings.ts'
import { withTransaction } from '../packages/service/src/store/connection/transaction.ts'
import { readArguments } from './bench/arguments.ts'
import { AMOUNT, chargeInput } from './bench/charge_inputs.ts'
import { Client } from './bench/client.ts'
import { deploy } from './bench/deployment.ts'
import { gatewayAway, type Absent } from './bench/gateway_away.ts'
import { converge } from './bench/heal.ts'
import { judgeRun } from './bench/judging.ts'
import { Load } from './bench/load.ts'
import { ProcessClock } from './bench/process_clock.ts'
import { seeded } from './bench/random.ts'
import {
  figuresOf,
  inFlightFigure,
  progress,
  report,
  seconds,
  type Figure,
} from './bench/report.ts'

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
/** Forward and back, so that at the end the clocks agree with the gateway's, which is right. */
const JUMPS_S = [HOUR_S, -HOUR_S, DAY_S, -DAY_S, -5, 5, -HOUR_S, HOUR_S, -DAY_S, DAY_S]
/** Accounts that live for a day and stay unpaid: an early expiry would be by our own clock. */
const WAITING = 12
/** Less than a key is kept, and more: three days, and past the week that the gateway keeps one. */
const AWAY_QUICK_HOURS = 23
const AWAY_DAYS = [3, 8]
/** An idle worker; one that spins takes all it can get. */
const CPU_SHARE_MAX = 0.5
/** Status checks per jump: once when due, and not repeatedly. */
const ASKED_MAX = 2
const RESOLVED_MS_MAX = 60_000
const TICKS_PER_SECOND = 100

const given = readArguments({ n: JUMPS_S.length * 2, quick_n: 4 })
const random = seeded(given.seed)
const cpu_watch_ms = given.quick ? 2_000 : 5_000
const clock = new ProcessClock()
const deployment = await deploy({
  seed: given.seed,
  apis: 1,
  workers: 1,
  timeout_ms_max: 3_000,
  breaker_rest_ms: 500,
  environment: clock.environment,
  broken: given.broken,
})
const { parts, witness, lines, workers, apis, api_key, callers, intents } = deployment
const { db } = parts.ctx
const urls = apis.map(({ url }) => url)
const single = { urls, api_key, random: seeded(given.seed + 2), rate: 200, timeout_ms: 15_000 }
const waiting: { id: string; order_id: string }[] = []
const patient = new Client(single)

/** Moves our clock only: the gateway's stays right. */
async function jump(by_s: number): Promise<void> {
  await withTransaction(db, async (tx) => await moveClock(tx, by_s * 1_000))
  clock.set(random.pick([0, HOUR_S, -HOUR_S, DAY_S, -DAY_S, -5]))
}

/** The worker's share of one processor over a while, as the kernel counts it. */
async function cpuShare(): Promise<number> {
  const ticks = (): number => {
    const fields = readFileSync(`/proc/${workers[0]?.pid ?? 0}/stat`, 'utf8').split(') ')[1] ?? ''
    const [user = '0', system = '0'] = fields.split(' ').slice(11, 13)
    return Number(user) + Number(system)
  }
  const before = ticks()
  await sleep(cpu_watch_ms)
  return (ticks() - before) / TICKS_PER_SECOND / (cpu_watch_ms / 1_000)
}

for (let made = 0; made < WAITING; made++) {
  const order_id = `w-${randomUUID()}`
  const answer = await intents.perform(patient, {
    kind: 'charge',
    caller: random.pick(callers),
    path: '/charge/',
    amount: AMOUNT,
    chosen_order_id: order_id,
    body: (intent_id) => chargeInput('bank_transfer', { order_id, metadata: { intent_id } }),
  })
  if (answer?.status === 201) waiting.push({ id: String(answer.body['id']), order_id })
}
const calls_before = (await witness.calls()).length
const load = new Load(deployment, {
  random: seeded(given.seed + 1),
  rate: 100,
  concurrency: 12,
  queued_rate: 2,
  timeout_ms: 15_000,
  subscriptions: false,
  checkouts: false,
})
const { client } = load
const in_flight: number[] = []
const end = performance.now() + given.seconds_max * 1_000
// Slow enough that a jump finds charges between our record and the gateway's.
lines.gateway.weather = { latency_ms: 100, jitter_ms: 1_500 }
await sleep(2_000)
let jumps = 0
/** In pairs, or the two clocks would end apart. */
while (jumps < given.n && (jumps % 2 === 1 || performance.now() < end)) {
  in_flight.push([...client.in_flight.values()].reduce((sum, count) => sum + count, 0))
  await jump(JUMPS_S[jumps % JUMPS_S.length] ?? 0)
  jumps += 1
  // In the long form past two rounds of the resolver.
  await sleep(given.quick ? 3_000 : 12_000)
  progress(`${jumps} jumps`)
}
clock.set(0)
lines.gateway.weather = {}
await load.finish()
const calls = (await witness.calls()).slice(calls_before)
const asked = waiting.map(
  ({ order_id }) => calls.filter((call) => call.order_id === order_id).length,
)
const statuses = await witness.orders()
const expired = waiting.filter(
  ({ order_id }) => statuses.get(order_id)?.transaction_status !== 'pending',
)
const { rows: ours } = await db.pool.query<{ order_id: string }>(
  `select order_id from ${db.schema}.gateway_payment
   where order_id = any($1) and transaction_status = 'pending'`,
  [waiting.map(({ order_id }) => order_id)],
)
const early = expired.length + waiting.length - ours.length

progress('idle: measuring processor time')
const shares: number[] = []
for (const by_s of given.quick ? [DAY_S, -DAY_S] : [DAY_S, -DAY_S, -DAY_S, DAY_S]) {
  await jump(by_s)
  await sleep(1_000)
  shares.push(await cpuShare())
}
clock.set(0)

const days = given.away_days === undefined ? AWAY_DAYS : [given.away_days]
const short = given.quick && given.away_days === undefined
const payable = waiting.map(({ order_id }) => order_id)
const absences: Absent[] = []
for (const hours of short ? [AWAY_QUICK_HOURS] : days.map((count) => count * 24)) {
  const seed = given.seed + 3 + hours
  absences.push(await gatewayAway(deployment, { hours, seed, quick: given.quick, payable }))
}
// Unpaid accounts have expired at the gateway by now, and their day is over here, too. So is the
// day by which a jump may have put off a next look.
await deployment.pass(120)
await deployment.pass(48 * 60)
await converge(deployment)
const first_charges = absences.map(({ first_charge_ms }) => first_charge_ms)
const first_charge_ms = first_charges.includes(null) ? null : Math.max(...first_charges.map(Number))
const { records, faults, figures } = await judgeRun(deployment, first_charge_ms)
const asked_most = Math.max(0, ...asked)
const share_most = Math.max(0, ...shares)

function figuresOfAbsence({ hours, knocks, repeated, ...absent }: Absent): Figure[] {
  const { open_at_return, resolved_ms, drained_ms } = absent
  const late = resolved_ms === null || resolved_ms > RESOLVED_MS_MAX
  return [
    { what: 'hours the gateway was away', measured: hours },
    { what: 'connections tried meanwhile', measured: knocks },
    { what: 'intents repeated meanwhile', measured: repeated },
    { what: 'operations open at its return', measured: open_at_return },
    {
      what: 'all resolved after its return',
      measured: given.quick ? 'not measured' : seconds(resolved_ms),
      goal: '≤ 60 s',
      timed: true,
      missed: !given.quick && late,
    },
    { what: 'queue and outbox empty afterwards', measured: seconds(drained_ms) },
  ]
}

report('time', given, {
  figures: [
    ...figuresOf(client),
    { what: 'jumps of the clock', measured: jumps },
    {
      what: 'clocks of the processes moved as well',
      measured: clock.movable ? 'yes' : 'no: apt-get install faketime',
      ...(!given.quick && { goal: 'yes', missed: !clock.movable }),
    },
    inFlightFigure(in_flight),
    { what: 'expired early', measured: early, goal: '0', missed: early > 0 },
    {
      what: 'status checks of one waiting payment over all jumps, at most',
      measured: asked_most,
      goal: `≤ ${ASKED_MAX * jumps}`,
      missed: asked_most > ASKED_MAX * jumps,
    },
    {
      what: 'of one processor used by an idle worker after a jump, at most',
      measured: `${Math.round(share_most * 100)} %`,
      goal: `≤ ${CPU_SHARE_MAX * 100} %`,
      missed: share_most > CPU_SHARE_MAX,
    },
    ...figures,
    ...absences.flatMap(figuresOfAbsence),
    { what: 'payments', measured: records.payments.length },
    { what: 'a new charge afterwards', measured: seconds(first_charge_ms) },
    { what: 'load average', measured: (loadavg()[0] ?? 0).toFixed(1) },
  ],
  faults,
})
await deployment.close()
