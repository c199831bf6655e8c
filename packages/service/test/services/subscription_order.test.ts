import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/domain/errors.ts'
import {
  parseSubscriptionOrder,
  refuseNearStart,
} from '../../src/services/subscriptions/subscription_order.ts'

const GOOD = {
  name: 'Teh Bulanan',
  amount: 50_000,
  payment_type: 'credit_card',
  token: 'saved-token',
  interval: 1,
  interval_unit: 'month',
  max_interval: 12,
}

function faultsOf(work: () => unknown): string[] {
  try {
    work()
    return []
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    expect(error.code).toBe('invalid_request')
    return [...new Set(error.errors.map(({ field }) => field))]
  }
}

const refusedFields = (more: object) => faultsOf(() => parseSubscriptionOrder({ ...GOOD, ...more }))

describe('every field of the specification', () => {
  test.each([
    ['name', [undefined, '', 'x'.repeat(256), 7]],
    ['amount', [undefined, 0, -1, 0.5, 1e15, '1e3', ' 5', 'abc', null, true]],
    ['payment_type', [undefined, 'qris', 'CREDIT_CARD', null]],
    ['token', [undefined, '', 'x'.repeat(1_001), 1]],
    ['interval', [0, -1, 1.5, 1_001, '1', null]],
    ['interval_unit', ['year', 'hour', 'Month', '', null]],
    ['max_interval', [0, -1, 1.5, 10_001, '12', null]],
  ] as const)('%s', (field, wrong) => {
    for (const value of wrong) {
      expect(refusedFields({ [field]: value }), `${field}: ${String(value)}`).toEqual([field])
    }
  })

  test('the others', () => {
    expect(refusedFields({ retry_interval: 0 })).toEqual(['retry_interval'])
    expect(refusedFields({ retry_interval_unit: 'week' })).toEqual(['retry_interval_unit'])
    expect(refusedFields({ retry_max_interval: 4 })).toEqual(['retry_max_interval'])
    expect(refusedFields({ start_time: '2027-01-01' })).toEqual(['start_time'])
    expect(refusedFields({ start_time: '2027-01-01 00:00:00' })).toEqual(['start_time'])
    expect(refusedFields({ metadata: { x: 'é'.repeat(600) } })).toEqual(['metadata'])
    expect(refusedFields({ customer_details: { name: 'x' } })).toEqual(['customer_details.name'])
    expect(refusedFields({ status: 'active' })).toEqual(['status'])
    expect(refusedFields({ owner_id: 'x' })).toEqual(['owner_id'])
  })

  test('a wallet needs its account, and a card has none', () => {
    expect(refusedFields({ payment_type: 'gopay' })).toEqual(['gopay'])
    expect(refusedFields({ gopay: { account_id: 'a' } })).toEqual(['gopay'])
    expect(refusedFields({ payment_type: 'gopay', gopay: { account_id: 'a' } })).toEqual([])
  })

  test('all faults are reported at once, without their values', () => {
    const wrong = {
      ...GOOD,
      amount: 'SECRET',
      start_time: 'SECRET',
      gopay: { account_id: 'SECRET' },
    }
    expect(faultsOf(() => parseSubscriptionOrder(wrong))).toEqual(['amount', 'gopay', 'start_time'])
    expect(() => parseSubscriptionOrder(wrong)).not.toThrow(/SECRET/)
  })
})

test('every optional field has an explicit default', () => {
  const { name, amount, payment_type, token } = GOOD
  expect(parseSubscriptionOrder({ name, amount, payment_type, token })).toEqual({
    name,
    payment_type,
    token,
    amount: 50_000_00n,
    interval: 1,
    interval_unit: 'month',
    start_time: null,
    retry_interval: 1,
    retry_interval_unit: 'hour',
    retry_max_interval: 3,
  })
})

test('it begins at least five minutes ahead, by the clock it is given', () => {
  const now = new Date('2026-11-14T00:00:00Z')
  const at = (start_time: string) => () =>
    refuseNearStart(parseSubscriptionOrder({ ...GOOD, start_time }), now)
  expect(faultsOf(at('2026-11-14T00:04:59Z'))).toEqual(['start_time'])
  expect(faultsOf(at('2026-11-13T00:00:00Z'))).toEqual(['start_time'])
  expect(faultsOf(at('2026-11-14T07:05:00+07:00'))).toEqual([])
})
