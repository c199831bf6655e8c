// The runner on a tree of three files: what it calls found, missed, invalid or not applicable.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { filesOf, measure, obstacleOf, type PlantedBug } from '../../scripts/planted/runner.ts'

const repository = new URL('../..', import.meta.url).pathname
const listed = JSON.parse(
  readFileSync(new URL('bugs.json', import.meta.url), 'utf8'),
) as PlantedBug[]

const SOURCE = `export const add = (a: number, b: number): number => a + b
export const half = (a: number): number => a / 2
`
const TESTS = `import { expect, test } from 'vitest'
import { add } from '../src/sum.ts'
test('two and two are four', () => expect(add(2, 2)).toBe(4))
`

let root = ''
const file = (name: string): string => path.join(root, name)

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'gapura-planted-fixture-'))
  mkdirSync(file('src'))
  mkdirSync(file('test'))
  writeFileSync(file('package.json'), '{ "type": "module" }')
  symlinkSync(path.join(repository, 'node_modules'), file('node_modules'))
})
beforeEach(() => {
  writeFileSync(file('src/sum.ts'), SOURCE)
  writeFileSync(file('test/sum.test.ts'), TESTS)
})
afterAll(() => rmSync(root, { recursive: true }))

const bug = (replace: string, planted: string, more: Partial<PlantedBug> = {}): PlantedBug => ({
  name: replace,
  why: 'the sum is wrong',
  file: 'src/sum.ts',
  replace,
  with: planted,
  tests: ['test/*.test.ts'],
  title: 'two and two',
  ...more,
})

const run = async (bugs: readonly PlantedBug[], bug_limit_ms = 60_000) => {
  const noted: string[] = []
  const measured = await measure({
    root,
    bugs,
    rounds: 1,
    all_tests: false,
    control_limit_ms: 60_000,
    bug_limit_ms,
    note: ({ outcome }) => noted.push(outcome),
  })
  expect(measured.results.map(({ outcome }) => outcome)).toEqual(noted)
  return measured
}

describe('a planted bug', () => {
  test('that a test fails with is found, one that no test fails with is missed', async () => {
    const { control, results } = await run([bug('a + b', 'a - b'), bug('a / 2', 'a / 3')])
    expect(control.outcome).toBe('green')
    expect(results).toMatchObject([
      { outcome: 'found', detail: expect.stringContaining('two and two are four') as string },
      { outcome: 'missed' },
    ])
  })

  test('that a hook after passed tests fails with is found; with a hook before them it is invalid', async () => {
    const hooked = (hook: string) =>
      `${TESTS}\nimport { ${hook} } from 'vitest'\nimport { half } from '../src/sum.ts'
${hook}(() => expect(half(4)).toBe(2))\n`
    writeFileSync(file('test/sum.test.ts'), hooked('afterAll'))
    expect((await run([bug('a / 2', 'a / 3')])).results).toMatchObject([{ outcome: 'found' }])
    writeFileSync(file('test/sum.test.ts'), hooked('beforeAll'))
    expect((await run([bug('a / 2', 'a / 3')])).results).toMatchObject([{ outcome: 'invalid' }])
  })

  test('is planted in a copy: the tree is unchanged and the copy is removed', async () => {
    const copies = mkdtempSync(path.join(tmpdir(), 'gapura-planted-copies-'))
    onTestFinished(() => {
      vi.unstubAllEnvs()
      rmSync(copies, { recursive: true })
    })
    vi.stubEnv('TMPDIR', copies)
    await run([bug('a + b', 'a - b')])
    expect(readFileSync(file('src/sum.ts'), 'utf8')).toBe(SOURCE)
    expect(readdirSync(copies)).toEqual([])
  })

  test('that fails another test than the named one is missed; a title of no test is invalid', async () => {
    const beside = `${TESTS}
import { describe } from 'vitest'
describe('one and one', () => test('(are two)?', () => expect(add(1, 1)).toBe(2)))\n`
    writeFileSync(file('test/sum.test.ts'), beside)
    const wrong = 'a === 1 ? 3 : a + b'
    const { results } = await run([
      bug('a + b', wrong),
      bug('a + b', wrong, { title: 'one (are two)?' }),
      bug('a + b', wrong, { title: 'three' }),
    ])
    expect(results.map(({ outcome }) => outcome)).toEqual(['missed', 'found', 'invalid'])
  })

  test('whose text does not occur, or occurs twice, is not applicable', async () => {
    const { results } = await run([
      bug('a * b', 'a - b'),
      bug('a: number', 'a: string'),
      bug('a', 'b', { file: 'src/gone.ts' }),
    ])
    expect(results).toMatchObject([
      { outcome: 'not applicable', detail: 'text not found' },
      { outcome: 'not applicable', detail: 'text found 2 times' },
      { outcome: 'not applicable', detail: 'no such file: src/gone.ts' },
    ])
  })

  test('that leaves code that cannot run is invalid, not found', async () => {
    const { results } = await run([
      bug('a + b', 'a +* b', { name: 'syntax' }),
      bug('a + b', 'a + c', { name: 'name' }),
      bug('export const add', "import './gone.ts'\nexport const add", { name: 'module' }),
      bug('a + b', 'a - b', { name: 'tests', tests: ['test/gone.test.ts'] }),
    ])
    expect(results.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['syntax', 'invalid'],
      ['name', 'invalid'],
      ['module', 'invalid'],
      ['tests', 'invalid'],
    ])
  })

  test('that makes the tests hang is missed at the time limit', async () => {
    const { results } = await run([bug('=> a + b', '=> { for (;;) {} }')], 3_000)
    expect(results).toMatchObject([{ outcome: 'missed', detail: 'no end after 3 s' }])
  })

  test('that is pending is not run', async () => {
    const { results } = await run([
      bug('a + b', 'a - b'),
      bug('a * b', 'a - b', { pending: true, note: 'waits' }),
    ])
    expect(results[1]).toMatchObject({ outcome: 'pending', detail: 'waits' })
  })
})

test('a control that is red stops the run before any bug is planted', async () => {
  writeFileSync(file('test/sum.test.ts'), TESTS.replace('toBe(4)', 'toBe(5)'))
  const { control, results } = await run([bug('a + b', 'a - b')])
  expect(control).toMatchObject({
    outcome: 'red',
    detail: expect.stringContaining('two and two are four: AssertionError') as string,
  })
  expect(results).toEqual([])
})

describe('the list of planted bugs', () => {
  test('names each bug once', () => {
    const names = listed.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })

  test.each(listed.filter(({ pending }) => !pending))('$name can be planted', (one) => {
    expect(obstacleOf(repository, one)).toBeUndefined()
    expect(one.tests.filter((glob) => filesOf(repository, [glob]).length === 0)).toEqual([])
  })
})
