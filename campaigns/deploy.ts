// Rolling deploys with a migration under load, old and new code side by side, then rollbacks: no
// valid request fails, and each release reads what the other one wrote (F23, F24).
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { backfillLedger } from '../packages/service/src/services/ledger/backfill.ts'
import type { Scope } from '../packages/service/src/domain/caller.ts'
import { readArguments } from './bench/arguments.ts'
import { Balancer } from './bench/balancer.ts'
import { deploy, SECOND_PERSON_ABOVE, SERVER_KEY } from './bench/deployment.ts'
import { Fleet } from './bench/fleet.ts'
import { converge, heal } from './bench/heal.ts'
import { Load } from './bench/load.ts'
import { judgeRun } from './bench/judging.ts'
import { PostgresCluster } from './bench/postgres_cluster.ts'
import { seeded } from './bench/random.ts'
import { repeatOldIntents } from './bench/repeat_intents.ts'
import { earlierCommit, Releases } from './bench/releases.ts'
import { figuresOf, inFlightFigure, progress, report, seconds } from './bench/report.ts'

/** The scopes that every release knows: a process refuses a key that names one it does not know. */
const KEY_SCOPES: readonly Scope[] = [
  'payments:write',
  'payments:refund',
  'payments:capture',
  'invoices:write',
  'subscriptions:write',
  'staff:read',
  'staff:act',
]
const RATE = 200
const CONCURRENCY = 16
const REPEATED_MAX = 400
const REPEATED_QUICK_MAX = 40
const APIS = 2
/** A valid request may be slow on a busy machine; it may not fail. */
const TIMEOUT_MS = 20_000
/** A report: it holds the tables it reads for longer than any lock time-out. */
const REPORT_SECONDS = 4
/** What a correct client must never see; 409 and 429 included. */
const FAILED = /^(?:lost|408|409|429|5\d\d)$/

const given = readArguments({ n: 10, quick_n: 1 })
// A database of its own, so that no other load causes a failure.
const cluster = await PostgresCluster.create()
const base = await deploy({
  seed: given.seed,
  apis: 0,
  workers: 0,
  database_url: cluster.url,
  scopes: KEY_SCOPES,
})
const { parts, witness, lines } = base
const { db } = parts.ctx
// As after an upgrade: what the previous release writes is booked by the back-fill at the end.
await db.pool.query(`update ${db.schema}.setting set ledger_complete_at = null`)
const balancer = await Balancer.open()
const fleet = new Fleet(
  {
    database_url: base.database_url,
    schema: db.schema,
    server_key: SERVER_KEY,
    gateway_url: `http://127.0.0.1:${lines.gateway.port}`,
    timeout_ms_max: 10_000,
    breaker_rest_ms: 1_000,
    second_person_above: SECOND_PERSON_ABOVE,
  },
  balancer,
)
const releases = new Releases()
const commit = earlierCommit()
const old = releases.earlier(commit)
await fleet.start(old, APIS)
const deployment = { ...base, apis: [{ url: balancer.url, process: fleet.process }] }
const notification_url = `${balancer.url}/notification/`
await witness.settings({ notification_url, recurring_notification_url: notification_url })
progress(`${APIS} API processes and a worker of ${old.name}`)
const load = new Load(deployment, {
  random: seeded(given.seed + 1),
  rate: RATE,
  concurrency: CONCURRENCY,
  queued_rate: 2,
  timeout_ms: TIMEOUT_MS,
  concurrent_repeats: false,
  checkouts: false,
})
const { client } = load
const in_flight: number[] = []
const migrated_ms: number[] = []
const migrations: string[] = []
const end = performance.now() + given.seconds_max * 1_000
let rolls = 0

/** A long reader, beside which a migration must not make requests wait. */
async function longReport(): Promise<void> {
  const reader = await db.pool.connect()
  try {
    await reader.query(`begin; select count(*) from ${db.schema}.gateway_payment`)
    await sleep(REPORT_SECONDS * 1_000)
    await reader.query('commit')
  } finally {
    reader.release()
  }
}

/** Posts what the earlier release left out; returns how many payments that were. */
async function postUnbooked(): Promise<number> {
  const staff = { owner_id: 'campaign', staff: true, scopes: ['staff:act'] } as const
  let booked = 0
  for (let done = false; !done;) {
    const page = await backfillLedger(parts.ctx, staff, { finish: true })
    booked += page.booked
    done = page.done
  }
  return booked
}

const noteInFlight = (): void => {
  in_flight.push([...client.in_flight.values()].reduce((sum, count) => sum + count, 0))
}

await sleep(given.quick ? 1_000 : 3_000)
let deploys = 0
while (deploys < given.n && performance.now() < end) {
  const next = await releases.next()
  const report_over = longReport()
  noteInFlight()
  const began = performance.now()
  migrations.push(...(await fleet.migrate(next)))
  migrated_ms.push(performance.now() - began)
  await report_over
  progress(`migrated after ${seconds(migrated_ms.at(-1) ?? null)}`)
  noteInFlight()
  await fleet.roll(next)
  deploys += 1
  await sleep(500)
  noteInFlight()
  await fleet.roll(old)
  rolls += 2
  progress(`${deploys} deployed and rolled back`)
}
const failed = [...client.statuses].filter(([status]) => FAILED.test(status))
const failures = failed.reduce((sum, [, times]) => sum + times, 0)
const load_average = loadavg()[0] ?? 0
await load.finish()
const { first_charge_ms, drained_ms } = await heal({
  ...deployment,
  apis: [{ url: balancer.url, process: fleet.process }],
})
await converge(deployment)
const by = await db.pool.query<{ made_by: string | null; payments: number }>(
  `select (made_by is null)::text as made_by, count(*)::int as payments
   from ${db.schema}.gateway_payment group by 1 order by 1`,
)
const written = (by_old: boolean): number =>
  by.rows.find(({ made_by }) => made_by === String(by_old))?.payments ?? 0
const repeated = await repeatOldIntents(deployment, {
  seed: given.seed + 2,
  most: given.quick ? REPEATED_QUICK_MAX : REPEATED_MAX,
})
const { acknowledged } = load
const unbooked = await postUnbooked()
const { records, faults, figures } = await judgeRun(deployment, first_charge_ms)
const bad_ends = fleet.ends.filter((code) => code !== 0).length
report('deploy', given, {
  figures: [
    ...figuresOf(client),
    { what: 'deploys', measured: deploys, goal: `≥ ${given.n}`, missed: deploys < given.n },
    { what: 'rolls, rollbacks included', measured: rolls },
    { what: 'old code', measured: old.name },
    { what: 'payments that the back-fill booked', measured: unbooked },
    {
      what: 'valid requests that failed',
      measured:
        failures === 0 ? 0 : failed.map(([status, times]) => `${status}: ${times}`).join(', '),
      goal: '0',
      missed: failures > 0,
    },
    { what: 'of them answered by the balancer', measured: JSON.stringify(balancer.refused) },
    {
      what: 'migrations applied',
      measured: migrations.length,
      goal: `≥ ${deploys}`,
      missed: migrations.length < deploys,
    },
    {
      what: `longest \`gapura migrate\`, beside a reader of ${REPORT_SECONDS} s`,
      measured: seconds(Math.max(0, ...migrated_ms)),
    },
    { what: 'processes asked to end', measured: fleet.ends.length },
    {
      what: 'of them not cleanly',
      measured: bad_ends,
      goal: '0',
      missed: bad_ends > 0,
    },
    inFlightFigure(in_flight),
    { what: 'payments written by old code', measured: written(true) },
    {
      what: 'payments written by new code',
      measured: written(false),
      goal: '≥ 1',
      missed: written(false) === 0,
    },
    { what: 'notifications acknowledged', measured: records.acknowledged.notifications.length },
    { what: 'charges queued', measured: acknowledged.queued_orders.length },
    ...figures,
    ...repeated.figures,
    { what: 'a new charge afterwards', measured: seconds(first_charge_ms) },
    { what: 'queue and outbox empty afterwards', measured: seconds(drained_ms) },
    { what: 'load average at the end', measured: load_average.toFixed(1) },
  ],
  faults,
})
await fleet.stop()
await base.close()
