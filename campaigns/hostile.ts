// A stranger's day: inputs of every hostile kind, through connections that do not wait for answers,
// at one service process; judged one by one. Beside them honest callers, who must not notice.
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyDatabase } from '../packages/service/src/main/verify.ts'
import { readArguments } from './bench/arguments.ts'
import { seeded, type Random } from './bench/random.ts'
import { progress, report } from './bench/report.ts'
import { callerInput } from './hostile/caller_inputs.ts'
import { runChain } from './hostile/chains.ts'
import { keepSeeds, seedOf, type Seed } from './hostile/findings.ts'
import { GoodTraffic } from './hostile/good_traffic.ts'
import { CATEGORIES, type Category, type HostileInput, type World } from './hostile/input.ts'
import { jsonInput } from './hostile/json_inputs.ts'
import { judge } from './hostile/judge.ts'
import { Line, send, type Heard } from './hostile/lines.ts'
import { searchLeaks } from './hostile/leaks.ts'
import { moneyInput } from './hostile/money_inputs.ts'
import { schemaInput } from './hostile/schema_inputs.ts'
import { runSlow } from './hostile/slow.ts'
import { canaryKey, openTarget, type HostileStats } from './hostile/target.ts'
import { textInput } from './hostile/text_inputs.ts'
import { webhookInput } from './hostile/webhook_inputs.ts'
import { wireInput } from './hostile/wire_inputs.ts'

/** Connections, and requests on each that nobody has answered yet. */
const LINES = 6
const DEPTH = 4
const CHAINS_AT_ONCE = 8
const QUIET_MS = 3_000
const FOUND_MAX = 40
const HEAP_GROWTH_MAX = 1.1
/** Below this growth is noise: compiled code, pools that fill. */
const HEAP_SLACK_BYTES = 24 * 1_048_576
const LOOP_P99_MS_MAX = 50
const SLOWER_MAX = 2

/** What part of all inputs each category has. */
const SHARES: Readonly<Record<Category, number>> = {
  money: 0.18,
  json: 0.14,
  text: 0.14,
  schema: 0.13,
  webhook: 0.2,
  wire: 0.06,
  caller: 0.05,
  chain: 0.06,
  gateway: 0.04,
}

const GENERATORS: Partial<Record<Category, (random: Random, world: World) => HostileInput>> = {
  money: moneyInput,
  json: jsonInput,
  text: textInput,
  schema: schemaInput,
  webhook: webhookInput,
  wire: wireInput,
  caller: callerInput,
}
const MADE = CATEGORIES.filter((category) => category in GENERATORS)

const given = readArguments({ n: 1_000_000, quick_n: 20_000 }, ['slow'])
const random = seeded(given.seed)
const server_key = canaryKey()
const target = await openTarget({ seed: given.seed, random: seeded(given.seed + 2), server_key })
const { world, port, second_port, gateway, deployment } = target
const secrets = [server_key, world.jwt.secret, ...world.keys, world.staff_key]
const good = new GoodTraffic(`http://127.0.0.1:${port}`, world)
good.start()
await sleep(QUIET_MS / 3)
good.take()
await sleep(QUIET_MS)
const quiet = good.take()

if (given.switches.has('slow')) {
  const { figures, faults } = await runSlow({ port, good, quiet })
  await good.stop()
  report('hostile --slow', given, { figures, faults })
  await target.close()
}

const counts = new Map<Category, number>(CATEGORIES.map((category) => [category, 0]))
const statuses = new Map<number | string, number>()
const found = new Map<string, { times: number; seed: Seed }>()
const end = performance.now() + given.seconds_max * 1_000
const inTime = (): boolean => performance.now() < end && found.size < FOUND_MAX
const left = (category: Category): boolean =>
  (counts.get(category) ?? 0) < given.n * SHARES[category] && inTime()

/** Sends one, judges the answer, and keeps what is wrong with it. */
async function shoot(input: HostileInput, line: Line, at: number): Promise<Heard> {
  counts.set(input.category, (counts.get(input.category) ?? 0) + 1)
  const heard = await send(line, at, input)
  const status = typeof heard === 'string' ? heard : heard.status
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  for (const fault of judge(input, heard, { secrets })) {
    const said = typeof heard === 'string' ? '' : heard.body.slice(0, 200)
    const kind = `${input.category}: ${fault}, ${input.name}`
    const last = gateway.recent.at(-1)?.answer
    const answer = input.category === 'gateway' ? last : undefined
    const seed = seedOf(input, `${fault} ${said}`, world, answer)
    const known = found.get(kind)
    if (known === undefined) found.set(kind, { times: 1, seed })
    else known.times += 1
  }
  return heard
}

async function lane(line: Line): Promise<void> {
  for (;;) {
    const open = MADE.filter(left)
    if (open.length === 0) return
    const category = random.pick(open)
    const input = GENERATORS[category]?.(random, world)
    if (input === undefined) return
    await shoot(input, line, port)
  }
}

async function chains(category: 'chain' | 'gateway'): Promise<void> {
  const at = category === 'chain' ? port : second_port
  const line = new Line(at)
  const pay = async (order_id: string): Promise<void> => {
    await deployment.witness.control(`transactions/${order_id}/pay`)
  }
  while (left(category)) {
    await runChain({
      category,
      random,
      world,
      shoot: async (input) => await shoot(input, line, at),
      ...(category === 'chain' && { pay }),
    })
  }
  line.close()
}

const sum = (): number => [...counts.values()].reduce((total, count) => total + count, 0)
const loops: HostileStats[][] = []
let warm: HostileStats[] | undefined
const watching = { over: false }
async function watch(): Promise<void> {
  while (!watching.over) {
    await sleep(given.quick ? 2_000 : 10_000)
    const stats = await target.stats()
    loops.push(stats)
    // What is filled once, as compiled code and pools, is filled by then.
    if (warm === undefined && sum() > given.n * 0.2) warm = stats
    progress(`${sum()} inputs, ${found.size} kinds of findings`)
  }
}

const began = performance.now()
const watched = watch()
const lines = Array.from({ length: LINES }, () => new Line(port))
await Promise.all([
  ...lines.flatMap((line) => Array.from({ length: DEPTH }, async () => await lane(line))),
  ...Array.from({ length: CHAINS_AT_ONCE }, async () => await chains('chain')),
  ...Array.from({ length: CHAINS_AT_ONCE / 2 }, async () => await chains('gateway')),
])
const took_s = (performance.now() - began) / 1_000
const beside = good.take()
await good.stop()
watching.over = true
for (const line of lines) line.close()
await watched
const last = await target.stats()
const { broken } = await verifyDatabase(deployment.database_url, { schema: deployment.schema })
progress('looking for secrets')
const searched = await searchLeaks(target)
const kept = keepSeeds([...found.values()].map(({ seed }) => seed))

const deaths = target.starts() - 2
const errors = last.reduce((total, one) => total + one.errors, 0)
const faults = [
  ...[...found].map(
    ([kind, { times, seed }]) => `${times} times ${kind}: ${seed.found.slice(-160)}`,
  ),
  ...(deaths > 0 ? [`the process ended ${deaths} times`] : []),
  ...last.flatMap((one) =>
    one.errors > 0 ? [`${one.errors} failures of our own: ${one.last_error}`] : [],
  ),
  ...beside.failed.slice(0, 5).map((words) => `an honest caller got ${words.slice(0, 200)}`),
  ...searched.leaks.slice(0, 5).map((leak) => `a secret left: ${leak}`),
  ...(searched.planted.found < searched.planted.put ? ['the search for secrets is blind'] : []),
  ...broken.map(({ id, promise, violations }) => `${id} broken by ${violations}: ${promise}`),
]
const heap = (stats: readonly HostileStats[]): number =>
  stats.reduce((total, one) => total + one.heap_bytes, 0)
const [heap_then, heap_now] = [heap(warm ?? last), heap(last)]
const grown = heap_now > heap_then * HEAP_GROWTH_MAX + HEAP_SLACK_BYTES
const loop_p99 = Math.max(0, ...loops.map(([plain]) => plain?.loop_p99_ms ?? 0))
const slower = quiet.p99_ms === 0 ? 0 : beside.p99_ms / quiet.p99_ms
const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MiB`
const listed = (all: Iterable<[unknown, number]>): string =>
  [...all]
    .map(([what, times]) => `${String(what)}: ${times}`)
    .toSorted()
    .join(', ')

report('hostile', given, {
  figures: [
    {
      what: 'inputs',
      measured: sum(),
      goal: `≥ ${given.n}`,
      missed: sum() < Math.floor(given.n * 0.999),
    },
    { what: 'by category', measured: listed(counts) },
    { what: 'answers', measured: listed(statuses) },
    { what: 'answers of the garbled gateway', measured: listed(gateway.counts) },
    { what: 'inputs a second', measured: Math.round(sum() / took_s) },
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
    {
      what: 'event loop held up, p99 of the worst look',
      measured: `${loop_p99.toFixed(0)} ms`,
      goal: `≤ ${LOOP_P99_MS_MAX} ms`,
      timed: true,
      missed: loop_p99 > LOOP_P99_MS_MAX,
    },
    {
      what: 'honest callers, p50 and p99',
      measured: `quiet ${quiet.p50_ms.toFixed(0)} and ${quiet.p99_ms.toFixed(0)} ms of ${quiet.count}, beside ${beside.p50_ms.toFixed(0)} and ${beside.p99_ms.toFixed(0)} ms of ${beside.count}`,
      goal: `p99 ≤ ${SLOWER_MAX} times`,
      timed: true,
      missed: slower > SLOWER_MAX,
    },
  ],
  faults,
})
await target.close()
