// The time of the whole check by number of payments: `npm run suite invariants` checks a million
// and prints it; CI checks enough to show that correct data breaks no promise.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkInvariants } from '../../src/services/verify/check_invariants.ts'
import { useDatabase } from '../store/test_database.ts'
import { fillHonestly } from './honest_data.ts'

const asked = process.env['GAPURA_INVARIANT_PAYMENTS']
const PAYMENTS = Number(asked ?? 5_000)
const SECONDS_MAX = 5

const here = useDatabase({ statement_timeout_ms: 60_000 })
const lines: string[] = []

beforeAll(async () => await fillHonestly(here.db, PAYMENTS), 900_000)

afterAll(() => {
  if (asked !== undefined) process.stdout.write(`\n${lines.join('\n')}\n`)
})

test(`nothing is wrong with ${PAYMENTS} honest payments`, { timeout: 120_000 }, async () => {
  const times: number[] = []
  let checked: Awaited<ReturnType<typeof checkInvariants>> = []
  for (let round = 0; round < 3; round++) {
    const began = performance.now()
    checked = await checkInvariants(here.db)
    times.push((performance.now() - began) / 1_000)
  }
  const broken = checked.filter(({ violations }) => violations > 0)
  expect(broken).toEqual([])
  const median = times.toSorted((one, other) => one - other)[1] ?? 0
  for (const { id, took_ms, promise } of checked) {
    lines.push(`${id.padEnd(6)} ${String(took_ms).padStart(6)} ms  ${promise}`)
  }
  lines.push(`${checked.length} promises, ${PAYMENTS} payments: ${median.toFixed(2)} s`)
  expect(median).toBeLessThan(SECONDS_MAX)
})
