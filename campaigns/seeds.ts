// Seeded simulation on a real PostgreSQL: several logical processes in this one, and the seed
// chooses which statement, reply, notification or fault comes next. The same seed and commit give
// the same trace.
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readArguments } from './bench/arguments.ts'
import { progress, report, type Figure } from './bench/report.ts'
import { installVirtual } from './seeds/virtual.ts'

installVirtual()
// Afterwards, so that nothing keeps the real clock.
const { openCluster } = await import('./seeds/cluster.ts')
const { installGateway } = await import('./seeds/gateway.ts')
const { runSeed } = await import('./seeds/run.ts')
const { LONG_SCENARIOS, scenarioOf } = await import('./seeds/scenarios.ts')
const { RUSHES } = await import('./seeds/rush.ts')
const { shrink, storyOf } = await import('./seeds/shrink.ts')
const { FAULT_SHARES } = await import('./seeds/faults.ts')
type SeedOrder = Parameters<typeof runSeed>[1]

/** Every so many seeds are run twice; with `--replay` all. */
const REPLAYED_EVERY = 4
const FAILURES_MAX = 5
/** No new seed begins after this in the quick form. */
const QUICK_SECONDS_MAX = 8
const STORY_LINES_MAX = 120
const SEED_MAX = 100_000_000
/** The others are rushes: a long run takes the time of twenty. */
const LONG_EVERY = 40
/** A long run begins only if so much time is left, so that the last seed ends soon after it. */
const LONG_SECONDS_MIN = 30

interface NamedSeed {
  seed: number
  scenario: string
}

/** Every seed that ever failed; a new one is added with its correction. `--fresh` plays them first. */
const FAILED_SEEDS = JSON.parse(
  readFileSync(new URL('seeds/failed_seeds.json', import.meta.url), 'utf8'),
) as NamedSeed[]

const given = readArguments({ n: 200, quick_n: 20, seconds: 900 }, [
  'replay',
  'trace',
  'first',
  'fresh',
])
const is_fresh = given.switches.has('fresh')
// Before the clocks of a run exist, so not from a seed. CI names one for each tree of files, so that
// what passed before a change was handed in passes after it.
if (is_fresh && !process.argv.includes('--seed')) given.seed = randomInt(SEED_MAX)
progress(`seeds from ${given.seed}`)
const names = { long: Object.keys(LONG_SCENARIOS), rush: Object.keys(RUSHES) }
// Its end takes the server of the campaign with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
installGateway()
const cluster = await openCluster()
const commit = commitOf()
const seconds_max = given.quick ? Math.min(given.seconds_max, QUICK_SECONDS_MAX) : given.seconds_max
const began = performance.now()
const counts = {
  seeds: 0,
  long: 0,
  steps: 0,
  steps_with_faults: 0,
  lock_waits: 0,
  checks: 0,
  replayed: 0,
  identical: 0,
}
const faults = new Map<string, number>()
const intents = new Map<string, number>()
const broken: string[] = []
const stories: string[] = []

/** By the seed, or the one that is named with `--only`. */
function scenarioBy(seed: number): string {
  if (given.only !== undefined) return given.only
  if (seed % LONG_EVERY !== 0) return names.rush[seed % names.rush.length] ?? ''
  return names.long[(seed / LONG_EVERY) % names.long.length] ?? ''
}

const orderOf = ({ seed, scenario }: NamedSeed): SeedOrder => {
  const { apis, workers, stories: played } = scenarioOf({ scenario })
  return { seed, scenario, apis, workers, stories: played, faults_until: Number.MAX_SAFE_INTEGER }
}

function add(sums: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [what, times] of more) sums.set(what, (sums.get(what) ?? 0) + times)
}

/** By the number of the long run before it too, so that not every long run or none is run twice. */
const isReplayed = (at: number): boolean =>
  given.switches.has('replay') ||
  (!given.switches.has('first') && (at + Math.floor(at / LONG_EVERY)) % REPLAYED_EVERY === 0)

async function playSeed(named: NamedSeed, at: number): Promise<void> {
  const order = orderOf(named)
  const { seed } = named
  const result = await runSeed(cluster, order)
  counts.seeds += 1
  counts.long += names.long.includes(order.scenario) ? 1 : 0
  counts.steps += result.steps
  counts.steps_with_faults += result.steps_with_faults
  counts.lock_waits += result.lock_waits
  counts.checks += result.checks
  add(faults, result.faults)
  add(intents, result.intents)
  if (given.switches.has('trace')) stories.push(...result.trace)
  if (isReplayed(at)) {
    const again = await runSeed(cluster, order, false)
    const step = result.trace.findIndex((line, index) => line !== again.trace[index])
    counts.replayed += 1
    if (again.digest === result.digest) counts.identical += 1
    else stories.push(`seed ${seed} differs at`, result.trace[step] ?? '', again.trace[step] ?? '')
    result.broken.push(...again.broken.filter((promise) => !result.broken.includes(promise)))
  }
  progress(`seed ${seed} ${order.scenario}: ${result.steps} steps, trace ${result.digest}`)
  if (result.broken.length === 0) return
  const what = `seed ${seed} (${order.scenario}) of commit ${commit}`
  broken.push(...result.broken.map((promise) => `${what}: ${promise}`))
  progress(`broken: ${result.broken.join('; ')}`)
  progress(`replay: npm run campaign seeds -- --only ${order.scenario} --seed ${seed} --n 1`)
  if (given.switches.has('first')) return
  const small = await shrink({ order, result }, async (one) => await runSeed(cluster, one))
  const story = storyOf(small.result.trace)
  stories.push(`${what}, shrunk to ${JSON.stringify(small.order)}`, ...small.result.broken)
  stories.push(...story.slice(0, STORY_LINES_MAX))
  if (story.length > STORY_LINES_MAX) stories.push(`… ${story.length - STORY_LINES_MAX} more lines`)
}

function commitOf(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

const failures_max = given.switches.has('first') ? 1 : FAILURES_MAX
const mayGoOn = (): boolean => broken.length < failures_max && stories.length <= 1_000

/** Seeds one after the other while there is time. */
async function playFresh(): Promise<void> {
  const began_fresh = performance.now()
  for (let at = 0; at < given.n && mayGoOn(); at++) {
    const left_s = seconds_max - (performance.now() - began_fresh) / 1_000
    if (left_s < 0) return
    const seed = given.seed + at
    const scenario = scenarioBy(seed)
    if (left_s > LONG_SECONDS_MIN || given.only !== undefined || !names.long.includes(scenario))
      await playSeed({ seed, scenario }, at)
  }
}

for (const [at, named] of (is_fresh ? FAILED_SEEDS : []).entries())
  if (mayGoOn()) await playSeed(named, at)
await playFresh()
const seconds = (performance.now() - began) / 1_000
const faultFigures: Figure[] = Object.keys(FAULT_SHARES).map((what) => ({
  what,
  measured: faults.get(what) ?? 0,
}))
report('seeds', given, {
  figures: [
    { what: 'commit', measured: commit },
    { what: 'seeds, of these long', measured: `${counts.seeds}, ${counts.long}` },
    {
      what: 'steps, of these with faults',
      measured: `${counts.steps}, ${counts.steps_with_faults}`,
    },
    { what: 'steps a second, verdicts included', measured: Math.round(counts.steps / seconds) },
    { what: 'waits for a lock', measured: counts.lock_waits },
    { what: 'times all invariants were checked during a run', measured: counts.checks },
    {
      what: 'replays with the same trace',
      measured: `${counts.identical} of ${counts.replayed}`,
      goal: 'all',
      missed: counts.identical < counts.replayed,
    },
    ...faultFigures,
    {
      what: 'intents',
      measured: [...intents]
        .map((one) => one.join(' '))
        .toSorted()
        .join(', '),
    },
  ],
  faults: broken,
  stories,
})
await cluster.close()
process.exit()
