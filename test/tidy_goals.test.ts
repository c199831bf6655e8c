import { describe, expect, test } from 'vitest'
import { folderCycles } from '../scripts/tidy/cycles.ts'
import { goalsOf } from '../scripts/tidy/goals.ts'
import { readTree, type Tree } from '../scripts/tidy/tree.ts'
import { wordsLeft } from '../scripts/tidy/words.ts'

const repository = readTree(new URL('..', import.meta.url).pathname)

describe('what npm run tidy measures', () => {
  const services = 'packages/service/src/services'
  const importing: Tree = new Map([
    [`${services}/context.ts`, "import type { x } from '../domain/x.ts'"],
    [`${services}/payments/create_charge.ts`, "import { b } from '../invoices/b.ts'"],
    [`${services}/invoices/b.ts`, "import type { c } from '../refunds/c.ts'"],
    [`${services}/refunds/c.ts`, "import { d } from '../payments/d.ts'"],
    [`${services}/payments/d.ts`, "import { e } from '../audit/e.ts'"],
    [`${services}/audit/e.ts`, "import { f } from '../context.ts'"],
  ])

  test('folders that import one another are one cycle; their other imports are not in it', () => {
    const folders = ['payments', 'invoices', 'refunds'].map((name) => `${services}/${name}`)
    expect(folderCycles(importing, `${services}/`)).toEqual([folders])
    const cut = new Map([...importing, [`${services}/refunds/c.ts`, '']])
    expect(folderCycles(cut, `${services}/`)).toEqual([])
  })

  test('a word of the list is found in prose and in names, and not inside another word', () => {
    const words = (text: string) =>
      wordsLeft(new Map([['docs/a.md', text]])).map(({ line, word }) => `${line} ${word}`)
    expect(words('Nobody\nis told: noteDeed, order_of_nobody')).toEqual([
      '2 told',
      '1 nobody',
      '2 nobody',
      '2 deed',
    ])
    expect(words('the runbook, indeed; wall clock; room for more; the header')).toEqual([])
  })

  test('goals count lines, loaded files, described properties, scripts and citations', () => {
    const openapi = {
      components: {
        schemas: {
          A: {
            properties: {
              a: { description: 'One.' },
              properties: { type: 'object', properties: { b: {} } },
            },
            example: { properties: { c: {} } },
          },
        },
      },
    }
    const tree = new Map([
      ...importing,
      ['docs/a.md', 'Wire 3.4, Spec 4.2 and design 6.8, not ADR 0023'],
    ])
    const measured = Object.values(goalsOf(tree, openapi, { a: '', b: '' })).map(
      (one) => one.measured,
    )
    // create_charge loads itself and invoices/b.ts, whose only import is of types.
    expect(measured).toEqual([
      '6',
      '3',
      '0',
      '6',
      '0',
      '2 / 2',
      '0 / 0',
      '0 / 0',
      '1 of 3',
      '2',
      '3',
    ])
  })

  test('goals of the repository find something to measure', () => {
    const goals = goalsOf(repository, {}, {})
    const loaded = goals['create_charge loads: files / of services']?.measured ?? ''
    expect(Number(loaded.split(' ')[0])).toBeGreaterThan(20)
    const senders = goals['operation lifecycle: files that send']?.measured
    expect(Number(senders)).toBeGreaterThan(0)
  })
})
