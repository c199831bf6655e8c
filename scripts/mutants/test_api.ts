// Stands in for `vitest` in the process of scripts/mutants/runner.ts: it collects tests once and runs
// chosen ones many times. Its own import of `vitest`, for `expect`, is the real one.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect as vitestExpect, expectTypeOf, vi } from 'vitest'

export { expectTypeOf, vi }

type Run = (...values: unknown[]) => unknown

const matchersOf: (value: unknown) => unknown = vitestExpect
const POLL_MS_MAX = 15_000

/** vitest's own asks for the test that it runs in, which only vitest knows. */
const poll = (look: () => unknown) => {
  const matcherOf =
    (name: string) =>
    async (...values: unknown[]) => {
      const end = Date.now() + POLL_MS_MAX
      for (;;) {
        try {
          const matchers = matchersOf(await look()) as Record<string, Run>
          matchers[name]?.(...values)
          return
        } catch (error) {
          if (Date.now() > end) throw error
          await sleep(20)
        }
      }
    }
  return new Proxy({}, { get: (_, name) => matcherOf(String(name)) })
}

export const expect = new Proxy(vitestExpect, {
  get: (target, name) => (name === 'poll' ? poll : (Reflect.get(target, name) as unknown)),
})
type HookKind = 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach'

export interface Suite {
  name: string
  parent: Suite | undefined
  hooks: Record<HookKind, Run[]>
}

export interface CollectedTest {
  id: string
  name: string
  file: string
  suite: Suite
  run: () => unknown
}

export const collected: CollectedTest[] = []
export const finishers: Run[] = []
let current = newSuite('', undefined)
let current_file = ''

/** Tests collected from now on belong to this file. */
export function beginFile(file: string): void {
  current_file = file
  current = newSuite('', undefined)
}

function newSuite(name: string, parent: Suite | undefined): Suite {
  return { name, parent, hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] } }
}

/** Each value of the table is one row; if all rows are lists, they are spread over the parameters. */
function eachOf(one: (name: string, run: Run) => void) {
  return (rows: readonly unknown[]) => (name: string, run: Run) => {
    const spread = rows.every((row) => Array.isArray(row))
    for (const row of rows) {
      one(name, () => (spread ? run(...(row as unknown[])) : run(row)))
    }
  }
}

function addTest(name: string, run: Run): void {
  // The number makes rows of a table different.
  const id = `${current_file}#${collected.length} ${name}`
  collected.push({ id, name, file: current_file, suite: current, run })
}

function addSuite(name: string, define: Run): void {
  const outer = current
  current = newSuite(name, outer)
  define()
  current = outer
}

const hook = (kind: HookKind) => (run: Run) => {
  current.hooks[kind].push(run)
}

export const test = Object.assign(addTest, { each: eachOf(addTest) })
export const describe = Object.assign(addSuite, { each: eachOf(addSuite) })
export const beforeAll = hook('beforeAll')
export const afterAll = hook('afterAll')
export const beforeEach = hook('beforeEach')
export const afterEach = hook('afterEach')
export const onTestFinished = (run: Run) => {
  finishers.push(run)
}
