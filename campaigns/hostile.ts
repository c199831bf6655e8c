// Inputs of every hostile kind, through connections that do not wait for answers, each answer
// judged. First at a stated rate, alternating with none, to measure the effect on honest callers;
// then as fast as possible.
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyDatabase } from '../packages/service/src/main/verify.ts'
import { readArguments } from './bench/arguments.ts'
import { seeded } from './bench/random.ts'
import { progress, report } from './bench/report.ts'
import { runBeside } from './hostile/beside.ts'
import { keepSeeds } from './hostile/findings.ts'
import { GoodTraffic } from './hostile/good_traffic.ts'
import { Line } from './hostile/lines.ts'
import { searchLeaks } from './hostile/leaks.ts'
import { Shooter } from './hostile/shooter.ts'
import { runSlow } from './hostile/slow.ts'
import { canaryKey, openTarget, type HostileStats } from './hostile/target.ts'

/** Connections to each of the two processes, and unanswered requests on each. */
const LINES = 5
const DEPTH = 4
const CHAINS_AT_ONCE = 8
const QUIET_MS = 3_000
const HEAP_GROWTH_MAX = 1.1
/** Growth below this is noise: compiled code, pools that fill. */
const HEAP_SLACK_BYTES = 24 * 1_048_576

const given = readArguments({ n: 1_000_000, quick_n: 20_000, seconds: 90 * 60 }, ['slow'])
const server_key = canaryKey()
const target = await openTarget({ seed: given.seed, random: seeded(given.seed + 2), server_key })
const { world, port, peer_port, second_port, gateway, deployment } = target
const good = new GoodTraffic(`http://127.0.0.1:${port}`, world)
good.start()
await sleep(QUIET_MS / 3)
good.take()

if (given.switches.has('slow')) {
  await sleep(QUIET_MS)
  const { figures, faults } = await runSlow({ port, good, quiet: good.take() })
  await good.stop()
  report('hostile --slow', given, { figures, faults })
  await target.close()
}

const secrets = [server_key, world.jwt.secret, ...world.keys, world.staff_key, world.honest_key]
const shooter = new Shooter({ given, random: seeded(given.seed), target, secrets })
const lines = [port, peer_port].flatMap((at) => Array.from({ length: LINES }, () => new Line(at)))
const measured = await runBeside({
  good,
  shooter,
  lines: lines.filter((line) => line.port === port),
  stats: target.stats,
  windows: given.quick ? 3 : 9,
  window_ms: given.quick ? 2_000 : 5_000,
})

let warm: HostileStats[] | undefined
const watching = { over: false }
async function watch(): Promise<void> {
  while (!watching.over) {
    await sleep(given.quick ? 2_000 : 10_000)
    // What is filled once, such as compiled code and pools, is filled by then.
    if (warm === undefined && shooter.sum > given.n * 0.2) warm = await target.heaps()
    progress(`${shooter.sum} inputs, ${shooter.found.size} kinds of findings`)
  }
}

const cpuOf = (stats: readonly HostileStats[]): number =>
  stats.reduce((total, one) => total + one.cpu_ms, 0)
const before = {
  sum: shooter.sum,
  service_ms: cpuOf(await target.stats()),
  own: process.cpuUsage(),
}
const began = performance.now()
const watched = watch()
await Promise.all([
  ...lines.flatMap((line) =>
    Array.from({ length: DEPTH }, async () => await shooter.shootAll(line)),
  ),
  ...Array.from(
    { length: CHAINS_AT_ONCE },
    async (_, at) => await shooter.chains('chain', at % 2 === 0 ? port : peer_port),
  ),
  ...Array.from(
    { length: CHAINS_AT_ONCE / 2 },
    async () => await shooter.chains('gateway', second_port),
  ),
])
const took_s = (performance.now() - began) / 1_000
const flat_out = good.take()
await good.stop()
watching.over = true
for (const line of lines) line.close()
await watched
const own_cpu = process.cpuUsage(before.own)
const last = await target.heaps()
progress('ending two processes abnormally')
const charging = new GoodTraffic(`http://127.0.0.1:${port}`, world)
charging.start()
await target.crash('killed')
await target.crash('uncaught')
await charging.stop()
const CRASHES = 2
const { broken } = await verifyDatabase(deployment.database_url, { schema: deployment.schema })
progress('looking for secrets')
const searched = await searchLeaks(target)
const { sum, found } = shooter
const kept = keepSeeds([...found.values()].map(({ seed }) => seed))

const deaths = target.deaths() - CRASHES
const errors = last.reduce((total, one) => total + one.errors, 0)
const faults = [
  ...[...found].map(
    ([kind, { times, seed }]) => `${times} times ${kind}: ${seed.found.slice(-160)}`,
  ),
  ...(deaths > 0 ? [`a process ended ${deaths} times`] : []),
  ...last.flatMap((one) =>
    one.errors > 0 ? [`${one.errors} failures of our own: ${one.last_error}`] : [],
  ),
  ...[...measured.failed, ...flat_out.failed]
    .slice(0, 5)
    .map((words) => `an honest caller got ${words.slice(0, 200)}`),
  ...searched.leaks.slice(0, 5).map((leak) => `a secret left: ${leak}`),
  ...(searched.planted.found < searched.planted.put ? ['the search for secrets is blind'] : []),
  ...broken.map(({ id, promise, violations }) => `${id} broken by ${violations}: ${promise}`),
]
const heap = (stats: readonly HostileStats[]): number =>
  stats.reduce((total, one) => total + one.heap_bytes, 0)
const [heap_then, heap_now] = [heap(warm ?? last), heap(last)]
const grown = heap_now > heap_then * HEAP_GROWTH_MAX + HEAP_SLACK_BYTES
const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MiB`
const each = (ms: number): string => `${(ms / Math.max(1, sum - before.sum)).toFixed(2)} ms`
const listed = (all: Iterable<[unknown, number]>): string =>
  [...all]
    .map(([what, times]) => `${String(what)}: ${times}`)
    .toSorted()
    .join(', ')

report('hostile', given, {
  figures: [
    { what: 'inputs', measured: sum, goal: `≥ ${given.n}`, missed: sum < given.n * 0.999 },
    { what: 'by category', measured: listed(shooter.counts) },
    { what: 'answers', measured: listed(shooter.statuses) },
    { what: 'answers of the garbled gateway', measured: listed(gateway.counts) },
    { what: 'inputs a second, flat out', measured: Math.round((sum - before.sum) / took_s) },
    {
      what: 'processor time of an input, in the three processes of the service and in the campaign',
      measured: `${each(cpuOf(last) - before.service_ms)}, ${each((own_cpu.user + own_cpu.system) / 1_000)}`,
    },
    { what: 'new seeds kept', measured: kept },
    {
      what: `secrets in ${searched.texts} log lines, rows and pages`,
      measured: searched.leaks.length,
      goal: '0',
      missed: searched.leaks.length > 0,
    },
    {
      what: 'leaks planted, and found by the same search',
      measured: `${searched.planted.put}, ${searched.planted.found}`,
    },
    { what: 'process ended', measured: deaths },
    { what: 'failures of our own in the log', measured: errors },
    {
      what: 'heap after a fifth, after all',
      measured: `${megabytes(heap_then)}, ${megabytes(heap_now)}`,
      goal: '≤ 10 % more',
      missed: grown,
    },
    ...measured.figures,
    {
      what: 'honest callers beside all that the machine can send, which has no goal: p50 and p99',
      measured: `${flat_out.p50_ms.toFixed(0)} and ${flat_out.p99_ms.toFixed(0)} ms of ${flat_out.count}`,
    },
  ],
  faults,
})
await target.close()
