import { describe, expect, test } from 'vitest'
import { isSlowDown, nextAttemptIn, restAfter, RETRY_PLAN_MS, subscriberOf } from './webhook.ts'

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

describe('the next attempt', () => {
  test.each([
    [1, 5 * SECOND],
    [2, MINUTE],
    [3, 5 * MINUTE],
    [11, 19.5 * HOUR],
  ])('after %s is planned in %s ms, a fifth sooner or later', (attempts, planned) => {
    expect(nextAttemptIn(attempts, 0, 0.5)).toBe(planned)
    expect(nextAttemptIn(attempts, 0, 0)).toBe(Math.round(planned * 0.8))
    expect(nextAttemptIn(attempts, 0, 1)).toBe(Math.round(planned * 1.2))
  })

  test('does not exist after the twelfth, three days and three hours after the first', () => {
    expect(nextAttemptIn(12, 0, 0.5)).toBeUndefined()
    const total = RETRY_PLAN_MS.reduce((sum, ms) => sum + ms, 0)
    expect(Math.round(total / HOUR)).toBe(75)
  })

  test('is made later by Retry-After, never sooner, and at most a day later', () => {
    expect(nextAttemptIn(1, MINUTE, 0.5)).toBe(MINUTE)
    expect(nextAttemptIn(1, SECOND, 0.5)).toBe(5 * SECOND)
    expect(nextAttemptIn(1, 48 * HOUR, 0.5)).toBe(24 * HOUR)
  })
})

describe('an endpoint', () => {
  test.each([429, 502, 503, 504])('that answers %s asks for less', (status) => {
    expect(isSlowDown(status)).toBe(true)
    expect(restAfter(status, 1, 0)).toBe(10 * SECOND)
  })

  test.each([200, 400, 404, 410, 500, 501, null])('that answers %s does not', (status) => {
    expect(isSlowDown(status)).toBe(false)
    expect(restAfter(status, 1, 0)).toBe(0)
  })

  test.each([
    [4, 0],
    [5, 160 * SECOND],
    [6, 5 * MINUTE],
    [1_000, 5 * MINUTE],
  ])('that failed %s times in a row rests for %s ms', (in_a_row, rest) => {
    expect(restAfter(500, in_a_row, 0)).toBe(rest)
  })

  test('rests as long as Retry-After asks, at most a day', () => {
    expect(restAfter(429, 0, HOUR)).toBe(HOUR)
    expect(restAfter(429, 0, 48 * HOUR)).toBe(24 * HOUR)
    expect(restAfter(429, 0, 0)).toBe(5 * SECOND)
  })

  test('has its own name among the subscribers', () => {
    expect(subscriberOf('e-1')).toBe('webhook.e-1')
  })
})
