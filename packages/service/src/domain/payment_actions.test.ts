import { describe, expect, test } from 'vitest'
import { actionRefusal, PAYMENT_ACTIONS } from './payment_actions.ts'
import { PAYMENT_STATUSES, type PaymentStatus } from './payment_status.ts'

const ALLOWED: Record<(typeof PAYMENT_ACTIONS)[number], PaymentStatus[]> = {
  cancel: ['initiated', 'pending', 'authorize', 'capture'],
  expire: ['pending'],
  capture: ['authorize'],
  approve: [],
  deny: [],
}

const REFUSAL: Record<(typeof PAYMENT_ACTIONS)[number], string> = {
  cancel: 'payment_in_final_state',
  expire: 'payment_not_pending',
  capture: 'payment_not_authorized',
  approve: 'payment_not_in_review',
  deny: 'payment_not_in_review',
}

const pairs = PAYMENT_ACTIONS.flatMap((action) =>
  PAYMENT_STATUSES.map((status) => ({ action, status })),
)

describe('a card payment out of review', () => {
  test.each(pairs)('$action from $status', ({ action, status }) => {
    const refusal = actionRefusal(action, { payment_type: 'credit_card', status, fraud: 'accept' })
    expect(refusal).toBe(ALLOWED[action].includes(status) ? undefined : REFUSAL[action])
  })
})

test('approve and deny end a review, and only a review', () => {
  const facts = { payment_type: 'credit_card', status: 'capture', fraud: 'challenge' } as const
  expect(actionRefusal('approve', facts)).toBeUndefined()
  expect(actionRefusal('deny', facts)).toBeUndefined()
  expect(actionRefusal('approve', { ...facts, status: 'pending' })).toBe('payment_not_in_review')
})

test('capture of another method says so before its status is looked at', () => {
  const facts = { payment_type: 'gopay', status: 'authorize', fraud: null } as const
  expect(actionRefusal('capture', facts)).toBe('not_credit_card')
})
