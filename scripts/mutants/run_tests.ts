// Runs collected tests in their order with their hooks.
import { setTimeout as sleep } from 'node:timers/promises'
import { finishers, type CollectedTest, type Suite } from './test_api.ts'

export interface TestOutcome {
  test: CollectedTest
  failure: string | undefined
  milliseconds: number
}

export interface RunSettings {
  /** Called with the test's id before its hooks, and with undefined after them. */
  onTest: (id: string | undefined) => void
  stopAtFailure: boolean
  /** Suites whose beforeAll has run; this run adds its own. */
  begun: Suite[]
  /** A test that takes longer has failed. */
  limitOf: (test: CollectedTest) => number
  /** Rejects when the process would have ended with an error. */
  crashed: Promise<never>
}

export async function runTests(
  tests: readonly CollectedTest[],
  settings: RunSettings,
): Promise<TestOutcome[]> {
  const outcomes: TestOutcome[] = []
  for (const test of [...Map.groupBy(tests, ({ file }) => file).values()].flat()) {
    const started = performance.now()
    const failure = await failureOf(async () => {
      await beginSuites(test.suite, settings.begun)
      settings.onTest(test.id)
      const stop = new AbortController()
      const limit = sleep(settings.limitOf(test), undefined, { signal: stop.signal }).then(() => {
        throw new Error('the test took too long')
      })
      await Promise.race([runTest(test), limit, settings.crashed]).finally(() => stop.abort())
    })
    settings.onTest(undefined)
    outcomes.push({ test, failure, milliseconds: performance.now() - started })
    if (failure !== undefined && settings.stopAtFailure) break
  }
  return outcomes
}

async function beginSuites(innermost: Suite, begun: Suite[]): Promise<void> {
  for (const suite of outerFirst(innermost)) {
    if (begun.includes(suite)) continue
    begun.push(suite)
    for (const run of suite.hooks.beforeAll) await run()
  }
}

/** Runs what follows their last test. What fails there counts for no test. */
export async function endSuites(begun: readonly Suite[]): Promise<void> {
  for (const suite of begun.toReversed()) {
    for (const run of suite.hooks.afterAll.toReversed()) {
      await failureOf(async () => {
        await run()
      })
    }
  }
}

async function runTest(test: CollectedTest): Promise<void> {
  const suites = outerFirst(test.suite)
  try {
    for (const suite of suites) for (const run of suite.hooks.beforeEach) await run()
    await test.run()
  } finally {
    for (const suite of suites.toReversed()) {
      for (const run of suite.hooks.afterEach.toReversed()) await run()
    }
    for (const run of finishers.splice(0).toReversed()) await run()
  }
}

async function failureOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function outerFirst(suite: Suite): Suite[] {
  return suite.parent === undefined ? [suite] : [...outerFirst(suite.parent), suite]
}
