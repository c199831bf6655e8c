// Every fault raises exactly its alerts, no later than stated; a calm time raises none. A real
// Prometheus scrapes real processes each second, with the shipped rules in seconds for minutes.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ALERT_FAULTS } from './bench/alert_faults.ts'
import { statement, SteadyLoad, type AlertFault, type AlertScene } from './bench/alert_scene.ts'
import { readArguments } from './bench/arguments.ts'
import { deploy } from './bench/deployment.ts'
import { readOpenWork } from './bench/our_records.ts'
import { PostgresCluster } from './bench/postgres_cluster.ts'
import { isInstalled, Prometheus } from './bench/prometheus.ts'
import { progress, report, type Figure } from './bench/report.ts'

const given = readArguments({ n: ALERT_FAULTS.length, quick_n: 2 })
const POLL_MS = 250
/** After the last expected alert: what else fires is unexpected. */
const WATCHED_MS = given.quick ? 3_000 : 8_000
/** Without an alert for so long, a fault may begin. */
const CALM_BEFORE_MS = 4_000
const CALM_WITHIN_MS = 180_000
/** Charges that are under way at any moment. */
const OPEN_MAX = 3
/** Chosen faults alone are tried after a few seconds. */
const CALM_S = given.quick || given.only !== undefined ? 5 : 3_600
/** Tables, indexes and their growth over two hours of load. */
const DISK_MB = 1_024

if (!isInstalled()) {
  process.stdout.write('LEFT OUT: no Prometheus here; no alert was tried.\n0 promises broken\n')
  process.exit(0)
}
const chosen = ALERT_FAULTS.filter(
  ({ name, quick }) =>
    (!given.quick || quick === true) &&
    (given.only?.split(',').some((part) => name.includes(part)) ?? true),
)
const cluster = await PostgresCluster.create(given.quick ? {} : { disk_mb: DISK_MB })
const deployment = await deploy({
  seed: given.seed,
  apis: 1,
  workers: 1,
  database_url: cluster.url,
  breaker_rest_ms: 1_000,
  webhook_key: randomBytes(32).toString('base64'),
  metrics: true,
})
const load = new SteadyLoad(deployment)
const scene: AlertScene = { deployment, cluster, load }
const faults: string[] = []
const figures: Figure[] = []

/** Resolves when nothing is open and no alert has fired for a while; false if that does not happen. */
async function untilCalm(prometheus: Prometheus): Promise<boolean> {
  const end = performance.now() + CALM_WITHIN_MS
  let since = performance.now()
  while (performance.now() < end) {
    const firing = await prometheus.firing()
    const { operations } = await readOpenWork(deployment.parts.ctx.db)
    if (firing.length > 0 || operations > OPEN_MAX) since = performance.now()
    if (performance.now() - since >= CALM_BEFORE_MS) return true
    await sleep(POLL_MS)
  }
  progress(`still firing: ${(await prometheus.firing()).join(', ')}`)
  return false
}

/** The delay of each alert that fires again, until all are there and a while longer. */
async function watch(prometheus: Prometheus, { expected }: AlertFault, before: Set<string>) {
  const began = performance.now()
  const seen = new Map<string, number>()
  const longest_ms = Math.max(0, ...Object.values(expected)) * 1_000
  let complete_at: number | undefined
  while (performance.now() - (complete_at ?? began + longest_ms) < WATCHED_MS) {
    const at = performance.now() - began
    for (const name of await prometheus.firing())
      if (!seen.has(name) && !before.has(name)) seen.set(name, at)
    if (Object.keys(expected).every((name) => seen.has(name))) complete_at ??= performance.now()
    await sleep(POLL_MS)
  }
  return seen
}

/** A Prometheus that has seen nothing of the recovery before. */
async function afterCalm({ name }: AlertFault): Promise<Prometheus> {
  const first = await Prometheus.start(deployment.metrics_ports)
  if (!(await untilCalm(first))) faults.push(`${name}: it was not calm before`)
  await first.stop()
  return await Prometheus.start(deployment.metrics_ports)
}

async function tryFault(prometheus: Prometheus, fault: AlertFault): Promise<void> {
  const { name, expected, begin } = fault
  const before = new Set(await prometheus.firing())
  const end = await begin(scene)
  const seen = await watch(prometheus, fault, before)
  await end()
  for (const [alert, within_s] of Object.entries(expected)) {
    const ms = seen.get(alert)
    if (ms === undefined) faults.push(`${name}: ${alert} did not fire`)
    else if (ms > within_s * 1_000) faults.push(`${name}: ${alert} fired after ${inSeconds(ms)}`)
  }
  for (const alert of seen.keys())
    if (!(alert in expected)) faults.push(`${name}: ${alert} fired, unexpected`)
  const measured = [...seen].map(([alert, ms]) => `${alert} ${inSeconds(ms)}`).join(', ')
  progress(`${name}: ${measured}`)
  figures.push({ what: name, measured })
  await recover()
}

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** What staff would do after the fault. */
async function recover(): Promise<void> {
  for (const { process } of deployment.apis) await process.untilReady()
  await statement(
    scene,
    `update gapura.gateway_alarm set closed_at = gapura.now(), closed_by = 'campaign', note = 'tried'
     where closed_at is null`,
  )
}

async function stayCalm(prometheus: Prometheus, seconds: number): Promise<void> {
  progress(`no fault for ${seconds} s`)
  const end = performance.now() + seconds * 1_000
  const fired = new Set<string>()
  while (performance.now() < end) {
    for (const name of await prometheus.firing()) {
      if (!fired.has(name)) progress(`calm: ${name}`)
      fired.add(name)
    }
    await sleep(POLL_MS)
  }
  figures.push({ what: `alerts in ${seconds} s without a fault`, measured: fired.size })
  for (const name of fired) faults.push(`${name} fired without a fault`)
}

progress('deployed')
const first = await Prometheus.start(deployment.metrics_ports)
await stayCalm(first, given.calm ?? CALM_S)
if (!given.quick) await first.stop()
for (const fault of chosen) {
  const prometheus = given.quick ? first : await afterCalm(fault)
  await tryFault(prometheus, fault)
  if (!given.quick) await prometheus.stop()
}
await load.stop()
const answers = [...load.answers].map(([status, count]) => `${status}: ${count}`).join(', ')
figures.push({ what: 'answers to charges', measured: answers })
report('alerts', given, { figures, faults })
await deployment.close()
