// The service starts no program and creates no code from text, so neither can be attacked.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)

const ABSENT: readonly [what: string, pattern: RegExp][] = [
  ['starting a process', /child_process|node:cluster/],
  ['starting a thread', /worker_threads/],
  ['evaluating text', /\beval\s*\(|\bnew Function\b|node:vm\b/],
  ['writing markup from text', /\.(?:innerHTML|outerHTML)\s*=|document\.write|insertAdjacentHTML/],
]

/** Files of banks and portals are read on a thread that ends with them; it runs a file of ours. */
const ON_A_THREAD = ['file_thread', 'read_apart'].map(
  (name) => `packages/service/src/services/statements/${name}.ts: starting a thread`,
)

const faultsIn = (text: string): string[] =>
  ABSENT.filter(([, pattern]) => pattern.test(text)).map(([what]) => what)

test('the source of the service and of its pages has none of them', () => {
  const files = ['packages/service/src', 'packages/dashboard/src'].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,js}`, { cwd: ROOT }),
  )
  expect(files.length).toBeGreaterThan(200)
  const faults = files.flatMap((file) =>
    faultsIn(readFileSync(new URL(file, ROOT), 'utf8')).map((what) => `${file}: ${what}`),
  )
  expect(faults.toSorted()).toEqual(ON_A_THREAD)
})

test.each([
  ["import { spawn } from 'node:child_process'", 'starting a process'],
  ["import { Worker } from 'node:worker_threads'", 'starting a thread'],
  ['const run = new Function(text)', 'evaluating text'],
  ['eval (text)', 'evaluating text'],
  ['place.innerHTML = text', 'writing markup from text'],
])('a planted %s is found', (line, what) => {
  expect(faultsIn(line)).toEqual([what])
})
