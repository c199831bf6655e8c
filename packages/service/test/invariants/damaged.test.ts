// Shows that each check can fail: runs it on a database damaged on purpose.
import { beforeAll, expect, test } from 'vitest'
import {
  checkInvariants,
  checkInvariantsWithin,
  type Checked,
} from '../../src/services/verify/check_invariants.ts'
import { useDatabase } from '../store/test_database.ts'
import { fillChain } from '../audit/chain_bench.ts'
import { AUDIT_DAMAGES } from './audit_damage.ts'
import { CHECKOUT_DAMAGES } from './checkout_damage.ts'
import { DAMAGES } from './damage.ts'
import { LEDGER_DAMAGES } from './ledger_damage.ts'
import { fillHonestly } from './honest_data.ts'

/** Checks of the server's own settings cannot be damaged by a test. */
const NOT_DAMAGED = ['I-29']

const here = useDatabase({ statement_timeout_ms: 30_000 })
const seen = new Set<string>()
let all: readonly Checked[] = []

beforeAll(async () => {
  await fillHonestly(here.db, 200)
  await fillChain(here.db, 10)
  all = await checkInvariants(here.db)
}, 60_000)

class Undo extends Error {}

/** Checks within the transaction that did the damage, which is then rolled back. */
async function checkDamaged(sql: string): Promise<Checked[]> {
  let found: Checked[] = []
  const damaged = here.do(async (tx) => {
    for (const statement of sql.split(';')) await tx.query(statement, [], { prepare: false })
    found = await checkInvariantsWithin(tx)
    throw new Undo()
  })
  await expect(damaged).rejects.toThrow(Undo)
  return found
}

test('a correct database breaks no promise', () => {
  expect(all.filter(({ violations }) => violations > 0)).toEqual([])
})

test.each([...DAMAGES, ...CHECKOUT_DAMAGES, ...LEDGER_DAMAGES, ...AUDIT_DAMAGES])(
  'the checker reports $breaks for $by',
  async ({ breaks, sql }) => {
    const found = await checkDamaged(sql)
    const finding = found.find(({ id }) => id === breaks)
    expect(finding?.violations).toBeGreaterThan(0)
    expect(finding?.examples[0]?.subject).toMatch(/\S/)
    seen.add(breaks)
  },
)

test('every promise was seen broken', () => {
  const never = all.map(({ id }) => id).filter((id) => !seen.has(id) && !NOT_DAMAGED.includes(id))
  expect(never).toEqual([])
})
