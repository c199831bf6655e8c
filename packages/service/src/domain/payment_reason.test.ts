import { describe, expect, test } from 'vitest'
import { PAYMENT_REASONS, paymentReason, type ReasonFacts } from './payment_reason.ts'
import { FRAUD_STATUSES, PAYMENT_STATUSES, type PaymentStatus } from './payment_status.ts'

const now = new Date('2026-11-15T00:00:00Z')

type Change = Partial<Omit<ReasonFacts, 'payment'>> & { payment?: Partial<ReasonFacts['payment']> }

const facts = (
  transaction_status: PaymentStatus,
  { payment, ...more }: Change = {},
): ReasonFacts => ({
  payment: {
    transaction_status,
    fraud_status: null,
    expiry_time: null,
    refused: false,
    refund_reserved_amount: 0n,
    ...payment,
  },
  transitions: [],
  operations: [],
  refunds: [],
  now,
  ...more,
})

const step = (
  to_status: string,
  source: 'action' | 'staff' | 'notification',
  reason: string | null = null,
) => [{ to_status, source, reason }]

describe('every state has a reason', () => {
  test.each([
    ['initiated', 'asking_gateway'],
    ['pending', 'waiting_for_payer'],
    ['authorize', 'waiting_for_capture'],
    ['capture', 'captured'],
    ['settlement', 'settled'],
    ['deny', 'denied'],
    ['cancel', 'cancelled_elsewhere'],
    ['expire', 'expired'],
    ['failure', 'failed_at_gateway'],
    ['partial_refund', 'refunded_in_part'],
    ['refund', 'refunded_in_full'],
    ['partial_chargeback', 'charged_back_in_part'],
    ['chargeback', 'charged_back'],
  ] as const)('%s: %s', (status, reason) => {
    expect(paymentReason(facts(status))).toBe(reason)
  })

  test('and no pair of status and review is without one', () => {
    for (const status of PAYMENT_STATUSES) {
      for (const fraud_status of [null, ...FRAUD_STATUSES]) {
        const reason = paymentReason(facts(status, { payment: { fraud_status } }))
        expect(PAYMENT_REASONS).toContain(reason)
      }
    }
  })
})

describe('what else decides', () => {
  test('a pending one past its time says so', () => {
    const expiry_time = new Date(now.getTime() - 1)
    expect(paymentReason(facts('pending', { payment: { expiry_time } }))).toBe('past_its_time')
    expect(paymentReason(facts('pending', { payment: { expiry_time: now } }))).toBe(
      'waiting_for_payer',
    )
  })

  test('a review is not a capture', () => {
    const of = (fraud_status: 'challenge' | 'deny' | 'accept') =>
      paymentReason(facts('capture', { payment: { fraud_status } }))
    expect([of('challenge'), of('deny'), of('accept')]).toEqual([
      'in_review',
      'review_denied',
      'captured',
    ])
  })

  test('the reason distinguishes who ended the payment', () => {
    expect(paymentReason(facts('cancel', { transitions: step('cancel', 'action') }))).toBe(
      'cancelled_by_us',
    )
    expect(paymentReason(facts('cancel', { transitions: step('cancel', 'staff') }))).toBe(
      'cancelled_by_us',
    )
    expect(paymentReason(facts('cancel', { transitions: step('cancel', 'notification') }))).toBe(
      'cancelled_elsewhere',
    )
    expect(paymentReason(facts('expire', { transitions: step('expire', 'action') }))).toBe(
      'expired_by_us',
    )
  })

  test('money after the end is named', () => {
    const transitions = step('settlement', 'notification', 'late_money')
    expect(paymentReason(facts('settlement', { transitions }))).toBe('settled_late')
    const other = step('settlement', 'notification', 'reversal')
    expect(paymentReason(facts('settlement', { transitions: other }))).toBe('settled')
  })

  test('a refund on its way goes before the state it leaves', () => {
    const refunds = [{ status: 'pending' as const }]
    expect(paymentReason(facts('settlement', { refunds }))).toBe('refund_under_way')
    expect(paymentReason(facts('partial_refund', { refunds }))).toBe('refund_under_way')
    const ended = [{ status: 'succeeded' as const }, { status: 'failed' as const }]
    expect(paymentReason(facts('settlement', { refunds: ended }))).toBe('settled')
    expect(paymentReason(facts('partial_refund', { refunds: ended }))).toBe('refunded_in_part')
  })

  test('an unknown outcome takes precedence over every other reason', () => {
    const unknown = (kind: 'charge' | 'cancel') => [{ kind, state: 'unknown' as const }]
    expect(paymentReason(facts('initiated', { operations: unknown('charge') }))).toBe(
      'charge_unclear',
    )
    expect(paymentReason(facts('pending', { operations: unknown('cancel') }))).toBe(
      'action_unclear',
    )
    const started = [{ kind: 'cancel' as const, state: 'started' as const }]
    expect(paymentReason(facts('pending', { operations: started }))).toBe('waiting_for_payer')
  })

  test('a charge that the gateway refused has another reason than one that failed later', () => {
    expect(paymentReason(facts('failure', { payment: { refused: true } }))).toBe(
      'refused_by_gateway',
    )
  })
})
