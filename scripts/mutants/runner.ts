// A Stryker test runner that keeps one process: it imports the tests once and switches mutants on
// between runs, where the vitest runner starts a new worker for each mutant.
import { declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  determineHitLimitReached,
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  toMutantRunResult,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner'
import type { InstrumenterContext } from '@stryker-mutator/api/core'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { collectTests, useTestApi } from './collect.ts'
import { endSuites, runTests, type TestOutcome } from './run_tests.ts'
import { isInSample } from './sample.ts'
import type { CollectedTest, Suite } from './test_api.ts'

type Context = { [K in keyof InstrumenterContext]: InstrumenterContext[K] | undefined }

/** The object that the code changed by Stryker reads. */
const context = ((globalThis as unknown as Record<string, Context>)['__stryker__'] ??= {})

/** In the sandbox; a process that replaces one that was stopped reads it too. */
const TIMES = 'test_times.json'

/** Tests that share a database keep it from run to run: making one takes longer than most tests. */
const keeps = process.env['GAPURA_MUTANT_KEEP'] === 'yes'

/** Five seconds and five times as long as without a mutant: the machine may stand still for a while. */
const LIMIT_MS = 5_000
const LIMIT_FACTOR = 5
const UNKNOWN_MS = 60_000

const every = Number(process.env['GAPURA_MUTANT_EVERY'] ?? '1')

class InProcessRunner implements TestRunner {
  #tests: readonly CollectedTest[] = []
  #begun: Suite[] = []
  #unhandled: string[] = []
  #crash: (error: Error) => void = () => undefined

  capabilities() {
    // A mutant of a constant made while a module loads needs a new process.
    return { reloadEnvironment: false }
  }

  async init(): Promise<void> {
    process.on('unhandledRejection', (reason) => this.#unhandled.push(String(reason)))
    process.on('uncaughtException', (error) => this.#crash(error))
    useTestApi()
    this.#tests = await collectTests()
  }

  async dryRun(): Promise<DryRunResult> {
    const outcomes = await this.#run(this.#tests, false)
    const times = outcomes.map(({ test, milliseconds }) => [test.id, milliseconds])
    writeFileSync(TIMES, JSON.stringify(Object.fromEntries(times)))
    const result = { status: DryRunStatus.Complete as const, tests: outcomes.map(reported) }
    if (context.mutantCoverage === undefined) return result
    return { ...result, mutantCoverage: context.mutantCoverage }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    if (!isInSample(options.activeMutant.id, every)) {
      return { status: MutantRunStatus.Error, errorMessage: 'not in the sample' }
    }
    let outcomes = await this.#runMutant(options)
    const failed = outcomes.find(({ failure }) => failure !== undefined)
    // What an earlier mutant left in the database may be the cause. Then it is run again in a new one.
    if (keeps && failed !== undefined && !(await this.#passes(failed.test))) {
      await this.#renew()
      outcomes = await this.#runMutant(options)
    }
    const result = { status: DryRunStatus.Complete as const, tests: outcomes.map(reported) }
    return toMutantRunResult(determineHitLimitReached(context.hitCount, options.hitLimit) ?? result)
  }

  async dispose(): Promise<void> {
    await this.#end()
  }

  async #runMutant({ hitLimit, activeMutant, testFilter }: MutantRunOptions) {
    context.hitCount = 0
    context.hitLimit = hitLimit
    context.activeMutant = activeMutant.id
    const outcomes = await this.#run(fastestFirst(this.#tests, testFilter), true)
    context.activeMutant = undefined
    return outcomes
  }

  /** Whether the test passes with no mutant. */
  async #passes(test: CollectedTest): Promise<boolean> {
    context.hitLimit = undefined
    const [outcome] = await this.#run([test], true)
    return outcome?.failure === undefined
  }

  /** Also files that did not begin: importing one has made its database. */
  async #end(): Promise<void> {
    await endSuites([
      ...new Set([...this.#tests.map(({ suite }) => rootOf(suite)), ...this.#begun]),
    ])
    this.#begun = []
  }

  async #renew(): Promise<void> {
    await this.#end()
    this.#tests = await collectTests()
  }

  async #run(tests: readonly CollectedTest[], stopAtFailure: boolean): Promise<TestOutcome[]> {
    this.#unhandled = []
    const known = times()
    const { promise: crashed, reject } = Promise.withResolvers<never>()
    crashed.catch(() => undefined)
    this.#crash = reject
    const outcomes = await runTests(tests, {
      onTest: (id) => {
        context.currentTestId = id
      },
      stopAtFailure,
      begun: this.#begun,
      limitOf: (test) => LIMIT_MS + LIMIT_FACTOR * (known[test.id] ?? UNKNOWN_MS),
      crashed,
    })
    if (keeps) return outcomes
    await endSuites(this.#begun)
    this.#begun = []
    const [unhandled] = this.#unhandled
    const last = outcomes.at(-1)
    if (unhandled !== undefined && last !== undefined) last.failure ??= unhandled
    return outcomes
  }
}

/** How long each test took without a mutant; empty until that is known. */
const times = (): Record<string, number> =>
  existsSync(TIMES) ? (JSON.parse(readFileSync(TIMES, 'utf8')) as Record<string, number>) : {}

/** Most mutants fall to a fast test, so slow ones come last. */
function fastestFirst(tests: readonly CollectedTest[], ids?: readonly string[]): CollectedTest[] {
  const known = times()
  return tests
    .filter(({ id }) => ids === undefined || ids.includes(id))
    .toSorted((one, other) => (known[one.id] ?? 0) - (known[other.id] ?? 0))
}

const rootOf = (suite: Suite): Suite => (suite.parent === undefined ? suite : rootOf(suite.parent))

function reported({ test: { id, name }, failure, milliseconds }: TestOutcome) {
  const common = { id, name, timeSpentMs: milliseconds }
  return failure === undefined
    ? { ...common, status: TestStatus.Success as const }
    : { ...common, status: TestStatus.Failed as const, failureMessage: failure }
}

function inProcessRunner(): TestRunner {
  return new InProcessRunner()
}
inProcessRunner.inject = tokens()

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'in-process', inProcessRunner),
]
