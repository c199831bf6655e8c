import { describe, expect, test } from 'vitest'
import { isExpired, isFailed, isPaid, netAmount } from './payment.ts'

describe('what a payment says of itself', () => {
  test('paid and failed exclude one another', () => {
    const settled = { transaction_status: 'settlement', fraud_status: null } as const
    const denied = { transaction_status: 'capture', fraud_status: 'deny' } as const
    const review = { transaction_status: 'capture', fraud_status: 'challenge' } as const
    expect([isPaid(settled), isFailed(settled)]).toEqual([true, false])
    expect([isPaid(denied), isFailed(denied)]).toEqual([false, true])
    expect([isPaid(review), isFailed(review)]).toEqual([false, false])
  })

  test('expired by our clock is a hint for a pending payment only', () => {
    const now = new Date('2026-11-15T00:00:00Z')
    const past = new Date(now.getTime() - 1)
    expect(isExpired({ transaction_status: 'pending', expiry_time: past }, now)).toBe(true)
    expect(isExpired({ transaction_status: 'pending', expiry_time: now }, now)).toBe(false)
    expect(isExpired({ transaction_status: 'pending', expiry_time: null }, now)).toBe(false)
    expect(isExpired({ transaction_status: 'settlement', expiry_time: past }, now)).toBe(false)
    expect(isExpired({ transaction_status: 'expire', expiry_time: null }, now)).toBe(true)
  })

  test('net is gross less what went back', () => {
    expect(netAmount({ gross_amount: 10_000n, refunded_amount: 2_500n })).toBe(7_500n)
  })
})
