import { describe, expect, test } from 'vitest'
import { nextCheckAt, type CheckFacts } from './check_plan.ts'
import { PAYMENT_TYPES } from './payment_type.ts'

const created_at = new Date('2026-11-15T03:00:00Z')
const minutesAfter = (minutes: number): Date => new Date(created_at.getTime() + minutes * 60_000)

const facts = (more: Partial<CheckFacts> = {}): CheckFacts => ({
  payment_type: 'bank_transfer',
  status: 'pending',
  fraud: null,
  bank: 'bca',
  store: null,
  created_at,
  expiry_time: null,
  paid_at: null,
  ...more,
})

/** The minutes at which a payment that stays as it is gets asked about. */
function schedule(of: CheckFacts, count: number): number[] {
  const minutes: number[] = []
  let now = of.created_at
  for (let i = 0; i < count; i++) {
    const next = nextCheckAt(of, now)
    if (next === null) break
    expect(next.getTime()).toBeGreaterThan(now.getTime())
    minutes.push((next.getTime() - created_at.getTime()) / 60_000)
    now = next
  }
  return minutes
}

describe('a payment that stays pending', () => {
  test('virtual account: 15 min, 1 h, 3 h, 6 h, then every 12 h, and two minutes past expiry', () => {
    const expiry_time = minutesAfter(24 * 60)
    expect(schedule(facts({ expiry_time }), 7)).toEqual([
      15,
      60,
      180,
      360,
      1080,
      24 * 60 + 2,
      36 * 60 + 2,
    ])
  })

  test('wallet: 2, 6, 16 minutes and two past its expiry, then hourly', () => {
    const gopay = facts({ payment_type: 'gopay', expiry_time: minutesAfter(15) })
    expect(schedule(gopay, 5)).toEqual([2, 6, 16, 17, 77])
  })

  test('OVO after 75 seconds', () => {
    expect(schedule(facts({ payment_type: 'ovo' }), 1)).toEqual([1.25])
  })

  test('card waiting for 3-D Secure after 11 minutes', () => {
    expect(schedule(facts({ payment_type: 'credit_card' }), 1)).toEqual([11])
  })

  test.each(PAYMENT_TYPES)('%s is asked about without end', (payment_type) => {
    expect(schedule(facts({ payment_type }), 100)).toHaveLength(100)
  })

  test('a charge whose answer is not known is asked about like a pending one', () => {
    const moments = schedule(facts({ status: 'initiated' }), 5)
    expect(moments).toEqual(schedule(facts(), 5))
    expect(moments).toHaveLength(5)
  })

  test('a check made early or twice leaves the plan as it was', () => {
    expect(nextCheckAt(facts(), minutesAfter(3))).toEqual(minutesAfter(15))
    expect(nextCheckAt(facts(), minutesAfter(15))).toEqual(minutesAfter(60))
  })
})

describe('a payment that has moved on', () => {
  test('capture: the next day at 17:00 in Jakarta', () => {
    // 10:00 in Jakarta, so next day 17:00 is 10:00 UTC.
    expect(nextCheckAt(facts({ status: 'capture' }), created_at)).toEqual(
      new Date('2026-11-16T10:00:00Z'),
    )
  })

  test('settled and in review: daily until the decision', () => {
    const in_review = facts({ status: 'settlement', fraud: 'challenge', paid_at: created_at })
    expect(nextCheckAt(in_review, created_at)).toEqual(minutesAfter(24 * 60))
  })

  test('authorize: daily', () => {
    expect(nextCheckAt(facts({ status: 'authorize' }), created_at)).toEqual(minutesAfter(24 * 60))
  })

  test.each([
    { payment_type: 'bank_transfer', bank: 'permata', store: null },
    { payment_type: 'echannel', bank: null, store: null },
    { payment_type: 'cstore', bank: null, store: 'indomaret' },
  ] as const)('a settlement that may be reversed is asked about once: $payment_type', (of) => {
    const settled = facts({ ...of, status: 'settlement', paid_at: created_at })
    expect(schedule(settled, 5)).toEqual([6])
  })

  test.each(['settlement', 'deny', 'cancel', 'expire', 'refund', 'chargeback'] as const)(
    '%s: nothing left to learn',
    (status) => {
      expect(nextCheckAt(facts({ status, paid_at: created_at }), created_at)).toBeNull()
    },
  )
})
