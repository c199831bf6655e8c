// The table of docs/asvs.md has every requirement of the standard, and every path in it exists.
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/asvs.md', ROOT), 'utf8')

/** How many requirements of levels 1 and 2 each section of release 5.0.0 has, where it applies. */
const SECTIONS: Readonly<Record<string, number>> = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.3': 4,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
}

const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) +\| (\d) +\| (.+?) +\| (\S+) +\| (.*?) *\|$/gm)]

test('every requirement of the chapters that apply has one row', () => {
  const ids = rows.map(([, id = '']) => id)
  expect(ids).toHaveLength(new Set(ids).size)
  const counted = Object.fromEntries(
    Object.keys(SECTIONS).map((section) => [
      section,
      ids.filter((id) => id.startsWith(`${section}.`)).length,
    ]),
  )
  expect(counted).toEqual(SECTIONS)
  expect(ids).toHaveLength(Object.values(SECTIONS).reduce((sum, count) => sum + count, 0))
})

test('each row has a state, and evidence unless the state needs none', () => {
  for (const [, id, level, asks, state, shown] of rows) {
    expect([id, ['1', '2'].includes(level ?? '')]).toEqual([id, true])
    expect([id, ['met', 'part', 'yours', 'n/a', 'no'].includes(state ?? '')]).toEqual([id, true])
    expect((asks ?? '').length).toBeGreaterThan(2)
    if (state !== 'n/a') expect([id, (shown ?? '').length > 3]).toEqual([id, true])
  }
})

/** A file, a command, a decision, a page, or another row. */
const EVIDENCE =
  /`(?:packages|test|docs|deploy|campaigns)\/|`npm run |\]\(|\bD-\d+|\bas \d+\.\d+\.\d+/

test('a requirement that is met in whole or in part names its evidence', () => {
  const claimed = rows.filter(([, , , , state]) => state === 'met' || state === 'part')
  expect(claimed.length).toBeGreaterThan(100)
  const bare = claimed.filter(([, , , , , shown]) => !EVIDENCE.test(shown ?? ''))
  expect(bare.map(([, id]) => id)).toEqual([])
  const states = new Map(rows.map(([, id, , , state]) => [id, state]))
  const pointers = claimed.flatMap(([, id, , , , shown]) =>
    [...(shown ?? '').matchAll(/\bas (\d+\.\d+\.\d+)/g)].map(([, to]) => ({ id, to })),
  )
  expect(pointers.filter(({ to }) => !['met', 'part'].includes(states.get(to) ?? ''))).toEqual([])
})

// test/docs/commands.test.ts checks the commands.
test('the files it names exist', () => {
  const named = [...page.matchAll(/`((?:packages|test|docs|deploy|campaigns)\/[\w./]*)`/g)]
  expect(named.length).toBeGreaterThan(50)
  const paths = named.map(([, path = '']) => path)
  expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([])
})
