// A Stryker test runner that keeps one process: it imports the tests once and switches mutants on
// between runs, where the vitest runner starts a new worker for each mutant.
import { declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner'
import type { InstrumenterContext } from '@stryker-mutator/api/core'
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TestOutcome } from './run_tests.ts'

type Context = { [K in keyof InstrumenterContext]: InstrumenterContext[K] | undefined }

/** The object that the code changed by Stryker reads. */
const context = ((globalThis as unknown as Record<string, Context>)['__stryker__'] ??= {})

class InProcessRunner implements TestRunner {
  #unhandled: string[] = []

  capabilities() {
    // A mutant of a constant made while a module loads needs a new process.
    return { reloadEnvironment: false }
  }

  async init(): Promise<void> {
    process.on('unhandledRejection', (reason) => this.#unhandled.push(String(reason)))
    useTestApi()
    const { beginFile } = await import('./test_api.ts')
    const globs = (process.env['GAPURA_MUTANT_TESTS'] ?? '').split(',')
    for (const file of globSync(globs).toSorted()) {
      beginFile(file)
      await import(pathToFileURL(path.resolve(file)).href)
    }
  }

  async dryRun(): Promise<DryRunResult> {
    context.activeMutant = undefined
    const result = await this.#run(undefined, false)
    if (context.mutantCoverage === undefined) return result
    return { ...result, mutantCoverage: context.mutantCoverage }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    context.hitCount = 0
    context.hitLimit = options.hitLimit
    context.activeMutant = options.activeMutant.id
    const result = await this.#run(options.testFilter, true)
    context.activeMutant = undefined
    return toMutantRunResult(determineHitLimitReached(context.hitCount, options.hitLimit) ?? result)
  }

  async #run(ids: string[] | undefined, stopAtFailure: boolean) {
    const { collected } = await import('./test_api.ts')
    const { runTests } = await import('./run_tests.ts')
    this.#unhandled = []
    const tests = ids === undefined ? collected : collected.filter(({ id }) => ids.includes(id))
    const outcomes = await runTests(tests, {
      onTest: (id) => {
        context.currentTestId = id
      },
      stopAtFailure,
    })
    const [unhandled] = this.#unhandled
    const last = outcomes.at(-1)
    if (unhandled !== undefined && last !== undefined) last.failure ??= unhandled
    return { status: DryRunStatus.Complete as const, tests: outcomes.map(reported) }
  }
}

function reported({ test: { id, name }, failure, milliseconds }: TestOutcome) {
  const common = { id, name, timeSpentMs: milliseconds }
  return failure === undefined
    ? { ...common, status: TestStatus.Success as const }
    : { ...common, status: TestStatus.Failed as const, failureMessage: failure }
}

/** Tests that import `vitest` get test_api.ts, and packages resolve to their sources. */
function useTestApi(): void {
  const test_api = new URL('test_api.ts', import.meta.url).href
  registerHooks({
    resolve(specifier, resolving, next) {
      if (specifier === 'vitest' && resolving.parentURL !== test_api) {
        return { url: test_api, shortCircuit: true }
      }
      return next(specifier, {
        ...resolving,
        conditions: ['@gapura/source', ...resolving.conditions],
      })
    },
  })
}

function inProcessRunner(): TestRunner {
  return new InProcessRunner()
}
inProcessRunner.inject = tokens()

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'in-process', inProcessRunner),
]
