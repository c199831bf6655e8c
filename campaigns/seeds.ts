// Seeded simulation on a real PostgreSQL: several logical processes in this one, and the seed
// chooses which statement, reply, notification or fault comes next. The same seed and commit give
// the same trace.
import { execFileSync } from 'node:child_process'
import { readArguments } from './bench/arguments.ts'
import { progress, report, type Figure } from './bench/report.ts'
import { installVirtual } from './seeds/virtual.ts'

installVirtual()
// Afterwards, so that nothing keeps the real clock.
const { openCluster } = await import('./seeds/cluster.ts')
const { installGateway } = await import('./seeds/gateway.ts')
const { runSeed } = await import('./seeds/run.ts')
const { SCENARIOS, scenarioOf } = await import('./seeds/scenarios.ts')
const { shrink, storyOf } = await import('./seeds/shrink.ts')
const { FAULT_SHARES } = await import('./seeds/faults.ts')
type SeedOrder = Parameters<typeof runSeed>[1]

/** Every so many seeds are run twice; with `--replay` all. */
const REPLAYED_EVERY = 10
const FAILURES_MAX = 5
/** No new seed begins after this in the quick form. */
const QUICK_SECONDS_MAX = 8
const STORY_LINES_MAX = 120

const given = readArguments({ n: 200, quick_n: 6, seconds: 900 }, ['replay', 'trace'])
const names = Object.keys(SCENARIOS)
// Its end takes the server of the campaign with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
installGateway()
const cluster = await openCluster()
const commit = commitOf()
const seconds_max = given.quick ? Math.min(given.seconds_max, QUICK_SECONDS_MAX) : given.seconds_max
const began = performance.now()
const counts = { seeds: 0, steps: 0, lock_waits: 0, replayed: 0, identical: 0 }
const faults = new Map<string, number>()
const broken: string[] = []
const stories: string[] = []

const orderOf = (seed: number): SeedOrder => {
  const scenario = names[seed % names.length] ?? 'charges'
  const { apis, workers, stories: played } = scenarioOf({ scenario })
  return { seed, scenario, apis, workers, stories: played, faults_until: Number.MAX_SAFE_INTEGER }
}

async function playSeed(seed: number): Promise<void> {
  const order = orderOf(seed)
  const result = await runSeed(cluster, order)
  counts.seeds += 1
  counts.steps += result.steps
  counts.lock_waits += result.lock_waits
  for (const [fault, times] of result.faults) faults.set(fault, (faults.get(fault) ?? 0) + times)
  if (given.switches.has('trace')) stories.push(...result.trace)
  if (given.switches.has('replay') || seed % REPLAYED_EVERY === given.seed % REPLAYED_EVERY) {
    const again = await runSeed(cluster, order)
    const at = result.trace.findIndex((line, index) => line !== again.trace[index])
    counts.replayed += 1
    if (again.digest === result.digest) counts.identical += 1
    else stories.push(`seed ${seed} differs at`, result.trace[at] ?? '', again.trace[at] ?? '')
  }
  progress(`seed ${seed} ${order.scenario}: ${result.steps} steps, trace ${result.digest}`)
  if (result.broken.length === 0) return
  const what = `seed ${seed} (${order.scenario}) of commit ${commit}`
  broken.push(...result.broken.map((promise) => `${what}: ${promise}`))
  progress(`broken: ${result.broken.join('; ')}`)
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

for (let seed = given.seed; seed < given.seed + given.n; seed++) {
  if (performance.now() - began > seconds_max * 1_000 || stories.length > 1_000) break
  await playSeed(seed)
  if (broken.length >= FAILURES_MAX) break
}
const seconds = (performance.now() - began) / 1_000
const faultFigures: Figure[] = Object.keys(FAULT_SHARES).map((what) => ({
  what,
  measured: faults.get(what) ?? 0,
}))
report('seeds', given, {
  figures: [
    { what: 'commit', measured: commit },
    { what: 'seeds', measured: counts.seeds },
    { what: 'steps', measured: counts.steps },
    { what: 'steps a second, verdicts included', measured: Math.round(counts.steps / seconds) },
    { what: 'waits for a lock', measured: counts.lock_waits },
    {
      what: 'replays with the same trace',
      measured: `${counts.identical} of ${counts.replayed}`,
      goal: 'all',
      missed: counts.identical < counts.replayed,
    },
    ...faultFigures,
  ],
  faults: broken,
  stories,
})
await cluster.close()
process.exit()
