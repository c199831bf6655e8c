import { describe, expect, test } from 'vitest'
import { PAYMENT_STATUSES } from './payment_status.ts'
import {
  outsideRefusal,
  refundableAmount,
  refundRefusal,
  refundWindowEnds,
  type RefundFacts,
} from './refund_rules.ts'

const facts = (more: Partial<RefundFacts> = {}): RefundFacts => ({
  payment_type: 'gopay',
  status: 'settlement',
  acquirer: null,
  captured_amount: 10_000_000n,
  refunded_amount: 0n,
  refund_reserved_amount: 0n,
  ...more,
})

describe('what is left', () => {
  test('is captured, less refunded, less under way', () => {
    const partly = facts({ refunded_amount: 3_000_000n, refund_reserved_amount: 2_000_000n })
    expect(refundableAmount(partly)).toBe(5_000_000n)
    expect(refundRefusal(partly, 5_000_000n, false)).toBeUndefined()
    expect(refundRefusal(partly, 5_000_001n, false)).toBe('refund_amount_exceeded')
    expect(refundRefusal(partly, 0n, false)).toBe('refund_amount_exceeded')
  })
})

describe('status', () => {
  test.each(PAYMENT_STATUSES)('%s', (status) => {
    const refusal = refundRefusal(facts({ status }), 100n, false)
    if (status === 'settlement' || status === 'partial_refund') expect(refusal).toBeUndefined()
    else if (status === 'capture') expect(refusal).toBe('refund_needs_settlement')
    else if (status.endsWith('chargeback')) expect(refusal).toBe('refund_after_chargeback')
    else expect(refusal).toBe('payment_not_refundable')
  })
})

describe('method', () => {
  test.each(['bank_transfer', 'echannel', 'cstore'] as const)('%s is never refunded', (type) => {
    expect(refundRefusal(facts({ payment_type: type }), 100n, false)).toBe('method_not_refundable')
    expect(refundWindowEnds(type, new Date(0))).toBeUndefined()
  })

  test.each(['shopeepay', 'ovo'] as const)('%s is refunded only in full', (payment_type) => {
    expect(refundRefusal(facts({ payment_type }), 100n, false)).toBe('partial_refund_unavailable')
    expect(refundRefusal(facts({ payment_type }), 10_000_000n, false)).toBeUndefined()
  })

  test('a card is refunded directly only by acquirers that can', () => {
    const card = (acquirer: string | null) => facts({ payment_type: 'credit_card', acquirer })
    expect(refundRefusal(card('bca'), 100n, true)).toBeUndefined()
    expect(refundRefusal(card('mandiri'), 100n, true)).toBe('direct_refund_unavailable')
    expect(refundRefusal(card('mandiri'), 100n, false)).toBeUndefined()
    // A wallet is refunded directly whatever its acquirer.
    const qris = facts({ payment_type: 'qris', acquirer: 'gopay' })
    expect(refundRefusal(qris, 100n, true)).toBeUndefined()
    // Unknown acquirer: the gateway decides.
    expect(refundRefusal(card(null), 100n, true)).toBeUndefined()
  })

  test('the window is advice with a date', () => {
    const settled = new Date('2026-11-01T00:00:00Z')
    expect(refundWindowEnds('kredivo', settled)).toEqual(new Date('2026-11-15T00:00:00Z'))
    expect(refundWindowEnds('qris', settled)).toEqual(new Date('2026-12-16T00:00:00Z'))
    expect(refundWindowEnds('qris', settled, 'off-us')).toEqual(new Date('2026-11-08T00:00:00Z'))
  })
})

describe('a refund outside the gateway', () => {
  const transfer = (more: Partial<RefundFacts> = {}) =>
    facts({ payment_type: 'bank_transfer', ...more })

  test('is recorded up to what is left of a settled payment that the gateway never refunds', () => {
    const partly = transfer({ refunded_amount: 4_000_000n, refund_reserved_amount: 1_000_000n })
    expect(outsideRefusal(partly, 1n)).toBeUndefined()
    expect(outsideRefusal(partly, 5_000_000n)).toBeUndefined()
    expect(outsideRefusal(partly, 5_000_001n)).toBe('refund_amount_exceeded')
    expect(outsideRefusal(partly, 0n)).toBe('refund_amount_exceeded')
  })

  test('is refused for a method that the gateway refunds', () => {
    expect(outsideRefusal(facts(), 100n)).toBe('outside_refund_unavailable')
  })

  test.each(PAYMENT_STATUSES.filter((status) => status !== 'settlement'))(
    'is refused for a payment with status %s',
    (status) => {
      expect(outsideRefusal(transfer({ status }), 100n)).toBe('payment_not_refundable')
    },
  )
})
