import { describe, expect, test } from 'vitest'
import {
  chargedBackAmount,
  isExpired,
  isFailed,
  isFurtherAttempt,
  isPaid,
  netAmount,
} from './payment.ts'
import type { PaymentStatus } from './payment_status.ts'

describe('what a payment says of itself', () => {
  test('paid and failed exclude one another', () => {
    const settled = { transaction_status: 'settlement', fraud_status: null } as const
    const denied = { transaction_status: 'capture', fraud_status: 'deny' } as const
    const review = { transaction_status: 'capture', fraud_status: 'challenge' } as const
    expect([isPaid(settled), isFailed(settled)]).toEqual([true, false])
    expect([isPaid(denied), isFailed(denied)]).toEqual([false, true])
    expect([isPaid(review), isFailed(review)]).toEqual([false, false])
    // A refusal counts for a capture only: money that was settled first is in review.
    expect(isFailed({ transaction_status: 'settlement', fraud_status: 'deny' })).toBe(false)
  })

  test('a further attempt is a refused payment of a checkout', () => {
    expect(isFurtherAttempt({ refused: true, checkout_id: 'page' })).toBe(true)
    expect(isFurtherAttempt({ refused: true, checkout_id: null })).toBe(false)
    expect(isFurtherAttempt({ refused: false, checkout_id: 'page' })).toBe(false)
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

  test.each([
    ['pending', null, 0n, 0n],
    ['authorize', null, 0n, 0n],
    ['capture', 'accept', 8_000n, 8_000n],
    ['capture', 'challenge', 8_000n, 0n],
    ['settlement', null, 8_000n, 8_000n],
    ['partial_refund', null, 8_000n, 5_500n],
    ['refund', null, 2_500n, 0n],
    ['chargeback', 'accept', 8_000n, 0n],
    ['partial_chargeback', 'accept', 8_000n, 5_500n],
    ['cancel', 'accept', 8_000n, 0n],
    ['deny', null, 8_000n, 0n],
  ] as const)('net in %s (%s) of %d captured is %d', (status, fraud_status, captured, net) => {
    const went_back = status.startsWith('partial') || status === 'refund'
    const payment = {
      transaction_status: status,
      fraud_status,
      captured_amount: captured,
      refunded_amount: went_back ? 2_500n : 0n,
    }
    expect(netAmount(payment)).toBe(net)
    if (!isPaid(payment)) expect(netAmount(payment)).toBe(0n)
  })

  test('a chargeback takes back what was left; the amount of a partial one is not known', () => {
    const money = { fraud_status: null, captured_amount: 8_000n, refunded_amount: 2_500n }
    const of = (transaction_status: PaymentStatus) =>
      chargedBackAmount({ ...money, transaction_status })
    expect([of('chargeback'), of('partial_chargeback')]).toEqual([5_500n, null])
    expect([of('settlement'), of('partial_refund')]).toEqual([0n, 0n])
  })
})
