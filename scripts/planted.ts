// Measures how many planted bugs the tests find. Exits with 1 if one was not found.
//   npm run suite planted                          every bug, with the tests named for it
//   npm run suite planted -- --only <name>         one bug (may be repeated)
//   npm run suite planted -- --quick               a handful, as in CI
//   npm run suite planted -- --all-tests           the whole suite instead of the named tests
//   npm run suite planted -- --times 2             every bug must be found in each of two rounds
//   npm run suite planted -- --simulation 600      the seeded simulation alone, so many seconds a bug
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measure, type Measured, type PlantedBug } from './planted/runner.ts'

const MINUTE_MS = 60_000
const TIMES_MAX = 10

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    'all-tests': { type: 'boolean', default: false },
    simulation: { type: 'string' },
    times: { type: 'string', default: '1' },
  },
})
const root = new URL('..', import.meta.url).pathname
const rounds = Number(values.times)
if (!Number.isInteger(rounds) || rounds < 1 || rounds > TIMES_MAX) {
  fail(`--times must be a whole number from 1 to ${TIMES_MAX}`)
}
const simulation_seconds = Number(values.simulation ?? 0)
if (!Number.isInteger(simulation_seconds) || simulation_seconds < 0) {
  fail('--simulation must be a whole number of seconds')
}
const simulation =
  simulation_seconds === 0 ? undefined : { seconds: simulation_seconds, seed: randomInt(1_000_000) }
const bugs = chosen()

const stopped = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort())

if (simulation !== undefined) console.log(`seeds from ${simulation.seed}`)
console.log(`the tests without a bug first, then ${bugs.length} bugs; rounds: ${rounds}`)
const all_tests = values['all-tests']
const { control, results } = await measure({
  root,
  bugs,
  rounds,
  all_tests,
  simulation,
  control_limit_ms: (all_tests ? 60 : 15) * MINUTE_MS,
  bug_limit_ms: (all_tests ? 60 : 3) * MINUTE_MS,
  signal: stopped.signal,
  note: ({ name, outcome, seconds, detail }) =>
    console.log(
      `${name.padEnd(36)} ${outcome.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s  ${detail}`,
    ),
})
if (control.outcome !== 'green') fail(`the control is ${control.outcome}: ${control.detail}`)
if (stopped.signal.aborted) fail('stopped before the end')
close(results)

function chosen(): PlantedBug[] {
  const all = JSON.parse(
    readFileSync(new URL('../test/planted/bugs.json', import.meta.url), 'utf8'),
  ) as PlantedBug[]
  const { only, quick } = values
  const unknown = only?.find((name) => !all.some((bug) => bug.name === name))
  if (unknown !== undefined) fail(`no planted bug is named ${unknown}`)
  if (only !== undefined) return all.filter(({ name }) => only.includes(name))
  if (simulation !== undefined) return all.filter(({ simulated }) => simulated !== undefined)
  return quick ? all.filter((bug) => bug.quick) : all
}

/** A bug counts as found if it was found in every round. */
function close(measured: readonly Measured[]): void {
  const run = bugs.filter(({ pending }) => !pending)
  const lost = run.filter(({ name }) =>
    measured.some((one) => one.name === name && one.outcome !== 'found'),
  )
  const pending = bugs.length - run.length
  const waits = pending > 0 ? `, ${pending} pending` : ''
  console.log(`\n${run.length - lost.length} of ${run.length} found${waits}`)
  for (const { name } of lost) console.log(`not found: ${name}`)
  process.exitCode = lost.length === 0 ? 0 : 1
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
