import { expect, test } from 'vitest'
import { lookAgainIn } from '../../src/services/operations/engine.ts'

const MINUTE_MS = 60_000
const sent = (ago_ms: number) => ({ quiet_ms: ago_ms, age_ms: ago_ms })

test('an unreachable gateway is looked at every half minute, so that its return is noticed', () => {
  expect(lookAgainIn(sent(1_000), false)).toBe(5_000)
  expect(lookAgainIn(sent(20_000), false)).toBe(20_000)
  expect(lookAgainIn(sent(20 * MINUTE_MS), false)).toBe(30_000)
  expect(lookAgainIn(sent(20 * 60 * MINUTE_MS), false)).toBe(30_000)
  expect(lookAgainIn(sent(8 * 24 * 60 * MINUTE_MS), false)).toBe(30_000)
})

test('an answer that comes too soon is looked up again when it can be believed', () => {
  expect(lookAgainIn(sent(1_000), true)).toBe(5_000)
  expect(lookAgainIn(sent(41_000), true)).toBe(19_000)
  expect(lookAgainIn(sent(59_999), true)).toBe(1)
})

test('an outcome that cannot be known is looked up ever more rarely, at last every hour', () => {
  expect(lookAgainIn(sent(10 * MINUTE_MS), true)).toBe(10 * MINUTE_MS)
  expect(lookAgainIn(sent(25 * 60 * MINUTE_MS), true)).toBe(60 * MINUTE_MS)
})
