// Measures the tests: plants one bug after another in a copy of the tree and runs the tests that are
// expected to find it. A green run without a bug comes first; without it "found" proves nothing.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { copyTree } from './copy_tree.ts'
import { runSimulation } from './run_simulation.ts'
import { runTests, type TestRun } from './run_tests.ts'

export interface PlantedBug {
  name: string
  /** What the bug breaks. */
  why: string
  file: string
  replace: string
  with: string
  /** Globs of the test files that are expected to find it. */
  tests: readonly string[]
  /** Part of the title of the test that must fail; another may fail because the machine is busy. */
  title?: string
  /** About order, concurrency, loss or time: the scenario of the simulation that should show it. */
  simulated?: string
  /** One of the few that CI runs. */
  quick?: boolean
  /** Not run until the change that the note names has landed. */
  pending?: boolean
  note?: string
}

export interface Measured {
  name: string
  outcome: 'found' | 'missed' | 'invalid' | 'not applicable' | 'pending'
  /** The test that found it, or the reason why none did. */
  detail: string
  seconds: number
}

export interface Measurement {
  control: TestRun
  /** One for each bug and round; empty if the control is not green. */
  results: readonly Measured[]
}

export interface MeasureOptions {
  root: string
  bugs: readonly PlantedBug[]
  rounds: number
  /** The whole suite instead of the named tests. */
  all_tests: boolean
  /** The seeded simulation alone, with fresh seeds from this one, instead of tests. */
  simulation?: { seconds: number; seed: number } | undefined
  control_limit_ms: number
  bug_limit_ms: number
  signal?: AbortSignal
  note: (measured: Measured) => void
}

const NO_TESTS: TestRun = { outcome: 'invalid', detail: 'no test file is named', seconds: 0 }

/** Runs the control, then every bug as often as there are rounds. */
export async function measure(options: MeasureOptions): Promise<Measurement> {
  const { root, bugs, rounds, all_tests, signal } = options
  const copy = mkdtempSync(path.join(tmpdir(), 'gapura-planted-'))
  try {
    copyTree(root, copy)
    const named = bugs.filter(({ pending }) => !pending).flatMap(({ tests }) => tests)
    const files = filesOf(copy, named)
    // Without a file vitest would run the whole suite.
    if (files.length === 0) return { control: NO_TESTS, results: [] }
    const { simulation, control_limit_ms: limit_ms } = options
    const control = simulation
      ? await runSimulation(copy, { ...simulation, signal })
      : await runTests(copy, { files: all_tests ? [] : files, limit_ms, bail: false, signal })
    const results: Measured[] = []
    if (control.outcome !== 'green') return { control, results }
    for (let round = 0; round < rounds; round++) {
      for (const bug of bugs) {
        if (signal?.aborted) return { control, results }
        const measured = await measureBug(copy, bug, options)
        results.push(measured)
        options.note(measured)
      }
    }
    return { control, results }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function measureBug(
  copy: string,
  bug: PlantedBug,
  { all_tests, bug_limit_ms, simulation, signal }: MeasureOptions,
): Promise<Measured> {
  const { name, pending, note = '' } = bug
  if (pending) return { name, outcome: 'pending', detail: note, seconds: 0 }
  const obstacle = obstacleOf(copy, bug)
  if (obstacle !== undefined)
    return { name, outcome: 'not applicable', detail: obstacle, seconds: 0 }
  const files = filesOf(copy, bug.tests)
  if (files.length === 0) {
    return { name, outcome: 'invalid', detail: 'no file matches its tests', seconds: 0 }
  }
  const file = path.join(copy, bug.file)
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replace(bug.replace, () => bug.with),
  )
  try {
    const which = all_tests ? { files: [] } : { files, title: bug.title }
    const run = simulation
      ? await runSimulation(copy, { ...simulation, scenario: bug.simulated, signal })
      : await runTests(copy, { ...which, limit_ms: bug_limit_ms, bail: true, signal })
    return { name, outcome: OUTCOMES[run.outcome], detail: run.detail, seconds: run.seconds }
  } finally {
    writeFileSync(file, text)
  }
}

const OUTCOMES = {
  green: 'missed',
  red: 'found',
  timeout: 'missed',
  invalid: 'invalid',
} as const satisfies Record<TestRun['outcome'], Measured['outcome']>

/** Why a bug cannot be planted in this tree, or nothing. */
export function obstacleOf(root: string, { file, replace }: PlantedBug): string | undefined {
  let text: string
  try {
    text = readFileSync(path.join(root, file), 'utf8')
  } catch {
    return `no such file: ${file}`
  }
  const times = text.split(replace).length - 1
  if (times === 1) return undefined
  return times === 0 ? 'text not found' : `text found ${times} times`
}

/** Each file that matches, once. */
export const filesOf = (root: string, globs: readonly string[]): string[] => [
  ...new Set(globs.flatMap((glob) => globSync(glob, { cwd: root }))),
]
