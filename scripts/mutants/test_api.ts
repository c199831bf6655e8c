// Stands in for `vitest` in the process of scripts/mutants/runner.ts: it collects tests once and runs
// chosen ones many times. Its own import of `vitest`, for `expect`, is the real one.
import { expect, expectTypeOf, vi } from 'vitest'

export { expect, expectTypeOf, vi }

type Run = (...values: unknown[]) => unknown
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
