// Code cites only documents of the repository, and every citation exists.
import { describe, expect, test } from 'vitest'
import {
  addressOf,
  citationFaults,
  oldNumbers,
  outsideCitations,
} from '../../scripts/docs/citations.ts'
import { readTree, type Fault, type Tree } from '../../scripts/tidy/tree.ts'

const tree = readTree('.')
const shown = (faults: readonly Fault[]): string[] =>
  faults.map(({ file, line, why }) => `${file}:${line} ${why}`)

/** Decision numbers used before the ADRs; the numbers in between were never used. */
const OLD_NUMBERS = [
  ...between(1, 102),
  ...between(104, 110),
  ...between(112, 122),
  ...between(127, 134),
  ...between(137, 145),
  ...between(147, 161),
].map((number) => `D-${String(number).padStart(2, '0')}`)

function between(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

describe('citations', () => {
  test('every page, anchor, ADR and invariant that code cites exists', () => {
    expect(shown(citationFaults(tree))).toEqual([])
  })

  test('no document outside the repository is cited', () => {
    expect(shown(outsideCitations(tree))).toEqual([])
  })

  test('code cites ADRs, not their old numbers', () => {
    expect(shown(oldNumbers(tree))).toEqual([])
  })

  test('planted citations of missing documents are found, and no others', () => {
    const planted: Tree = new Map([
      ['docs/reference/protocol.md', '# Protocol\n\n## Retries\n'],
      ['docs/reference/invariants.md', '| <a id="i-01"></a>I-01 |'],
      ['docs/decisions.md', '| <a id="d-18"></a>D-18 |'],
      ['docs/decisions/0003-order-ids.md', '# 0003. Order ids'],
      ['good.ts', '// ADR 0003, protocol.md, docs/reference/protocol.md#retries, I-01'],
      ['bad.ts', '// ADR 0004, gone.md, protocol.md#gone, I-02, Wire 5.4, Spec 4.3, design 6.8'],
      ['old.ts', '// D-18'],
    ])
    expect(shown(citationFaults(planted))).toEqual([
      'bad.ts:1 ADR 0004 does not exist',
      'bad.ts:1 gone.md does not exist',
      'bad.ts:1 protocol.md#gone does not exist',
      'bad.ts:1 I-02 does not exist',
    ])
    expect(shown(outsideCitations(planted))).toEqual([
      'bad.ts:1 Wire 5.4 is not in the repository',
      'bad.ts:1 Spec 4.3 is not in the repository',
      'bad.ts:1 design 6.8 is not in the repository',
    ])
    expect(shown(oldNumbers(planted))).toEqual([
      'old.ts:1 D-18 has become an ADR or a page: see docs/decisions.md',
    ])
  })
})

describe('decisions', () => {
  const index = tree.get('docs/decisions.md') ?? ''
  const files = [...tree.keys()].filter((file) => file.startsWith('docs/decisions/'))

  test('every old number links to an ADR or a page that exists', () => {
    const rows = new Map(
      [
        ...index.matchAll(/^\| <a id="(d-\d+)"><\/a>(D-\d+) \|[^|]+\| \[[^\]]+\]\(([^)]+)\) \|$/gm),
      ].map(([, anchor, number, target]) => [number, { anchor, target: target ?? '' }]),
    )
    expect([...rows.keys()]).toEqual(OLD_NUMBERS)
    for (const [number, { anchor, target }] of rows) {
      expect(anchor).toBe(number?.toLowerCase())
      expect([number, addressOf(tree, `docs/${target}`)]).toEqual([number, `docs/${target}`])
    }
  })

  test('every ADR names the old numbers that link to it', () => {
    for (const file of files) {
      const status = /^Status:.*$/m.exec(tree.get(file) ?? '')?.[0] ?? ''
      const named = new Set(status.match(/D-\d+/g))
      const led = [...index.matchAll(/^\| <a[^>]*><\/a>(D-\d+) \|.*\((.*)\) \|$/gm)]
        .filter(([, , target]) => `docs/${target}` === file)
        .map(([, number]) => number ?? '')
      expect([file, [...named].toSorted()]).toEqual([file, led.toSorted()])
    }
  })

  test.each(files)('%s has title, status, context, decision and consequences', (file) => {
    const text = tree.get(file) ?? ''
    const number = /\/(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1] ?? ''
    expect(text).toMatch(
      new RegExp(`^# ${number}\\. .+\\n\\nStatus: (?:proposed|accepted|superseded)`),
    )
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(['Context', 'Decision', 'Consequences'])
    expect(index).toContain(`| [${number}](decisions/`)
  })
})

test('every file that the flows of the architecture page name exists', () => {
  const page = tree.get('docs/reference/architecture.md') ?? ''
  const named = [
    ...page.matchAll(/`((?:main|http|tasks|services|events|gateway|store|domain)\/[\w/]+\.ts)`/g),
  ]
  expect(named.length).toBeGreaterThan(30)
  const missing = named.filter(([, file]) => !tree.has(`packages/service/src/${file}`))
  expect(missing.map(([, file]) => file)).toEqual([])
})
