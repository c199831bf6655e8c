// Every bullet and table row of the interface specification: checked over HTTP or by name, decided
// where it leaves a gap.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf } from '../../scripts/docs/citations.ts'
import { readTree } from '../../scripts/tidy/tree.ts'
import { ACCESS_CHECKS } from './access_checks.ts'
import type { Deployment } from './deployment.ts'
import { INVOICE_CHECKS } from './invoice_checks.ts'
import { LINES } from './lines.ts'
import { NAME_CHECKS } from './name_checks.ts'
import { openDeployment } from './own_deployment.ts'
import { CALLER_CHECKS, PAYER_CHECKS, type Check } from './payment_checks.ts'
import { report } from './report.ts'
import { specIsPresent, specLines } from './spec.ts'
import { SUBSCRIPTION_CHECKS, SUBSCRIPTION_INPUT_CHECKS } from './subscription_checks.ts'
import { WEBHOOK_CHECKS } from './webhook_checks.ts'

const CHECKS: Record<string, Check> = {
  ...NAME_CHECKS,
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
  }
}

const given = givenDeployment()
let deployment: Deployment
let close = (): Promise<void> => Promise.resolve()

beforeAll(async () => {
  const own = given === undefined ? await openDeployment() : undefined
  deployment = given ?? (own as Deployment)
  close = own?.close ?? close
})
afterAll(() => close())

const BY_PAYER = { ...PAYER_CHECKS, ...WEBHOOK_CHECKS, ...SUBSCRIPTION_CHECKS }
const needsPayer = (check: string): boolean => check in BY_PAYER
const cannot = (check: string): boolean =>
  needsPayer(check) && given !== undefined && given.simulator_url === null

describe.skipIf(!specIsPresent)('the specification', () => {
  test('is matched line by line', () => {
    const known = new Set(LINES.map(({ hash }) => hash))
    expect(specLines().filter(({ hash }) => !known.has(hash))).toEqual([])
    expect(LINES.map(({ hash }) => hash)).toEqual(specLines().map(({ hash }) => hash))
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
