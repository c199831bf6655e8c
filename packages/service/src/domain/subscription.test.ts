import { expect, test } from 'vitest'
import { nextSubscriptionCheck, type SubscriptionStatus } from './subscription.ts'

const NOW = new Date('2026-11-14T00:00:00Z')
const at = (time: string): Date => new Date(time)
const next = (status: SubscriptionStatus, next_execution_at: Date | null) =>
  nextSubscriptionCheck({ status, next_execution_at }, NOW)?.toISOString() ?? null

test('an active one is asked about after its cycle, and twice a day for what others changed', () => {
  expect(next('active', at('2026-11-14T03:00:00Z'))).toBe('2026-11-14T03:05:00.000Z')
  expect(next('active', at('2026-12-14T00:00:00Z'))).toBe('2026-11-14T12:00:00.000Z')
  expect(next('active', null)).toBe('2026-11-14T12:00:00.000Z')
})

test('a cycle that is due and not done is asked about every half hour', () => {
  expect(next('active', at('2026-11-13T23:00:00Z'))).toBe('2026-11-14T00:30:00.000Z')
  expect(next('active', at('2026-11-13T23:55:00Z'))).toBe('2026-11-14T00:30:00.000Z')
})

test.each(['inactive', 'disabled', 'cancelled'] as const)(
  'an ended one (%s) is asked about until a week after its next cycle would have been',
  (status) => {
    expect(next(status, at('2026-11-08T00:00:00Z'))).toBe('2026-11-15T00:00:00.000Z')
    expect(next(status, at('2026-11-07T00:00:00Z'))).toBeNull()
    expect(next(status, null)).toBeNull()
  },
)

test.each(['initiated', 'failure'] as const)(
  'one that is %s is the resolver’s affair',
  (status) => {
    const subscription = { status, next_execution_at: at('2026-11-15T00:00:00Z') }
    expect(nextSubscriptionCheck(subscription, NOW)).toBeNull()
  },
)
