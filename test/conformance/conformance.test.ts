// Every table row and every sentence of the interface specification: checked over HTTP or inside the
// service, or decided where it leaves a gap.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf } from '../../scripts/docs/citations.ts'
import { sectionOf } from '../../scripts/docs/sections.ts'
import { readTree } from '../../scripts/tidy/tree.ts'
import { ACCESS_CHECKS } from './access_checks.ts'
import { CLIENT_CHECKS } from './client_checks.ts'
import type { Deployment } from './deployment.ts'
import { INVOICE_CHECKS } from './invoice_checks.ts'
import { LINES } from './lines.ts'
import { INSIDE_CHECKS } from './inside_checks.ts'
import { LAYER_CHECKS } from './layer_checks.ts'
import { PAYER_CHECKS } from './money_checks.ts'
import { openDeployment } from './own_deployment.ts'
import { CALLER_CHECKS, type Check } from './payment_checks.ts'
import { report } from './report.ts'
import { specIsPresent, specSentences } from './spec.ts'
import { SUBSCRIPTION_CHECKS, SUBSCRIPTION_INPUT_CHECKS } from './subscription_checks.ts'
import { TASK_CHECKS } from './task_checks.ts'
import { WEBHOOK_CHECKS } from './webhook_checks.ts'

const CHECKS: Record<string, Check> = {
  ...INSIDE_CHECKS,
  ...LAYER_CHECKS,
  ...CLIENT_CHECKS,
  ...TASK_CHECKS,
  ...CALLER_CHECKS,
  ...PAYER_CHECKS,
  ...WEBHOOK_CHECKS,
  ...ACCESS_CHECKS,
  ...INVOICE_CHECKS,
  ...SUBSCRIPTION_INPUT_CHECKS,
  ...SUBSCRIPTION_CHECKS,
}

/** A deployment somebody else runs, by its address and three Authorization headers. */
function givenDeployment(): Deployment | undefined {
  const { CONFORMANCE_BASE_URL: base_url, CONFORMANCE_SIMULATOR_URL: simulator_url } = process.env
  if (base_url === undefined) return undefined
  const as = (name: string) => ({ authorization: process.env[`CONFORMANCE_${name}`] ?? '' })
  return {
    base_url: base_url.replace(/\/$/, ''),
    owner: as('OWNER'),
    other: as('OTHER'),
    staff: as('STAFF'),
    simulator_url: simulator_url ?? null,
    inside: null,
  }
}

const given = givenDeployment()
let deployment = given as Deployment
let close = (): Promise<void> => Promise.resolve()

beforeAll(async () => {
  if (given !== undefined) return
  const own = await openDeployment()
  deployment = own
  close = async () => await own[Symbol.asyncDispose]()
})
afterAll(() => close())

const BY_PAYER = { ...PAYER_CHECKS, ...WEBHOOK_CHECKS, ...SUBSCRIPTION_CHECKS }
const BY_SERVICE = { ...INSIDE_CHECKS, ...LAYER_CHECKS, ...CLIENT_CHECKS, ...TASK_CHECKS }
const cannot = (check: string): boolean =>
  given !== undefined && (check in BY_SERVICE || (check in BY_PAYER && !given.simulator_url))

describe.skipIf(!specIsPresent)('the specification', () => {
  test('is matched sentence by sentence', () => {
    const known = new Set(LINES.map(({ hash }) => hash))
    expect(specSentences().filter(({ hash }) => !known.has(hash))).toEqual([])
    expect(LINES.map(({ hash }) => hash)).toEqual(specSentences().map(({ hash }) => hash))
  })

  test('leaves open exactly what it says is not shown', () => {
    const open = specSentences().filter(({ text }) => text.includes('not shown'))
    const gaps = new Set(LINES.filter(({ how }) => how === 'gap').map(({ hash }) => hash))
    const sentences = open.filter(({ text }) => !text.startsWith('|'))
    const decided = sentences.filter(({ hash }) => gaps.has(hash)).length
    // One sentence states both that an object exists and that its fields are not shown: it is checked.
    expect(decided).toBe(sentences.length - 1)
  })

  test('is decided in sections that say what the row claims', () => {
    const tree = readTree('.')
    const silent = LINES.flatMap(({ id, how, by, terms }) => {
      if (how !== 'gap') return []
      const text = sectionOf(tree, addressOf(tree, by) ?? '')
      const absent = terms.filter((term) => !text.includes(term))
      return terms.length === 0 || absent.length > 0 ? [{ id, by, absent }] : []
    })
    expect(silent).toEqual([])
  })

  test('names only checks and decisions that exist', () => {
    const tree = readTree('.')
    const missing = LINES.filter(({ how, by }) =>
      how === 'check' ? !(by in CHECKS) : addressOf(tree, by) === undefined,
    )
    expect(missing).toEqual([])
  })

  test('and what meets it is written down in docs/conformance.md', () => {
    const page = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8')
    expect(page).toBe(report(LINES))
  })

  const checks = [...new Set(LINES.filter(({ how }) => how === 'check').map(({ by }) => by))]

  const linesOf = (check: string): string =>
    LINES.filter(({ by }) => by === check)
      .map(({ id }) => id)
      .join(' ')
  const possible = checks.filter((check) => !cannot(check)).map((check) => [linesOf(check), check])

  // The titles are the ids of the lines a check holds; the command reads them there.
  test.each(possible)('%s', async (_, check = '') => {
    await expect(CHECKS[check]?.(deployment)).resolves.toBeUndefined()
  })
})
