import { describe, expect, test } from 'vitest'
import { factsOf, savedCardOf } from '../../src/gateway/facts.ts'
import { parseSubscription } from '../../src/gateway/wire/subscriptions.ts'

const reply = { status_code: '201', transaction_status: 'pending', order_id: 'order-1' }

test.each(['', '.', '..', 'a\u0000b', '\ud800', 'x'.repeat(201)])(
  'an id that could not be used in a request is ignored: %j',
  (transaction_id) => {
    expect(factsOf({ ...reply, transaction_id })).toMatchObject({
      transaction_id: null,
      order_id: 'order-1',
    })
  },
)

test.each(['a', '...', 'b27e0a4e-3c5f-4a86-9e5d-5f5d1f1f4e0a', 'x'.repeat(200)])(
  'any other id is kept unchanged: %j',
  (transaction_id) => {
    expect(factsOf({ ...reply, transaction_id })).toMatchObject({ transaction_id })
  },
)

test('a subscription with an unusable id is an invalid answer', () => {
  const subscription = { name: 'Monthly', amount: '10000', status: 'active' }
  expect(parseSubscription({ ...subscription, id: 'sub-1' })).toMatchObject({ id: 'sub-1' })
  expect(parseSubscription({ ...subscription, id: '' })).toBeUndefined()
})

describe('an amount', () => {
  test.each([
    ['150000.00', 15_000_000n],
    [150_000, 15_000_000n],
    ['1.234', null],
    [null, null],
    [undefined, null],
  ])('%j is %s hundredths', (gross_amount, amount) => {
    const facts = factsOf({ ...reply, gross_amount, refund_amount: gross_amount } as never)
    expect(facts).toMatchObject({ gross_amount: amount, refund_amount: amount })
  })

  const feeIn = (fee: unknown) => ({
    extra_info: { gross_amount_info: { customer_imposed_payment_fee: fee } },
  })
  test.each([
    [feeIn('2500.00'), 250_000n],
    [feeIn(2_500), 250_000n],
    [feeIn('0.01'), 1n],
    [feeIn('-2500.00'), 0n],
    [feeIn('much'), 0n],
    [{ extra_info: { gross_amount_info: 'x' } }, 0n],
    [{ extra_info: 'x' }, 0n],
    [{}, 0n],
    [null, 0n],
  ])('that the payer bears as a fee is the one in %j', (metadata, imposed_fee) => {
    expect(factsOf({ ...reply, metadata })).toMatchObject({ imposed_fee })
  })
})

describe('a report', () => {
  test('without a known status is no fact', () => {
    expect(factsOf({ ...reply, transaction_status: 'paused' })).toBeUndefined()
    expect(factsOf({ status_code: '200' })).toBeUndefined()
  })

  test.each([
    [undefined, null, null],
    ['accept', 'accept', null],
    ['DENIED', 'deny', null],
    ['maybe', 'challenge', 'maybe'],
    ['m'.repeat(80), 'challenge', 'm'.repeat(50)],
  ])('of fraud %s is %s', (fraud_status, fraud, unknown_fraud) => {
    expect(factsOf({ ...reply, fraud_status } as never)).toMatchObject({ fraud, unknown_fraud })
  })

  test('carries our payment id and the subscription, where it has them', () => {
    const metadata = { gapura_payment_id: 'p-1' }
    const full = factsOf({ ...reply, metadata, subscription_id: 's-1' })
    expect(full).toMatchObject({ payment_id: 'p-1', subscription_id: 's-1' })
    const other = factsOf({ ...reply, metadata: { gapura_payment_id: 7 } })
    expect(other).toMatchObject({ payment_id: null, subscription_id: null, refunds: [] })
    expect(factsOf({ ...reply, order_id: null })?.order_id).toBeNull()
  })

  test('has a message without secrets', () => {
    const of = (status_message: string | null) =>
      factsOf({ ...reply, status_message })?.status_message
    expect(of('Success')).toBe('Success')
    expect(of('key Mid-server-abcDEF_123 refused')).toBe('key [secret] refused')
    expect(of(null)).toBeNull()
  })
})

describe('refunds of a report', () => {
  const factsWith = (refund: Record<string, unknown>) =>
    factsOf({ ...reply, refunds: [{ refund_amount: '100.00', ...refund }] })?.refunds

  test.each([
    [{ refund_key: 'k-1', refund_chargeback_uuid: 'u-1', refund_chargeback_id: 7 }, 'k-1'],
    [{ refund_chargeback_uuid: 'u-1', refund_chargeback_id: 7 }, 'u-1'],
    [{ refund_chargeback_id: 7 }, '7'],
  ])('%j has the key %s', (refund, refund_key) => {
    expect(factsWith(refund)).toMatchObject([{ refund_key, amount: 10_000n }])
  })

  test('without a key or an amount are left out', () => {
    expect(factsWith({})).toEqual([])
    expect(factsWith({ refund_chargeback_id: null })).toEqual([])
    expect(factsWith({ refund_key: 'k-1', refund_amount: 'much' })).toEqual([])
  })

  test('say how and when they were made, and why, without secrets', () => {
    const made = { refund_key: 'k-1', refund_method: 'online', reason: 'card 4811111111111114' }
    expect(factsWith({ ...made, bank_confirmed_at: '2026-11-15 07:00:00' })).toEqual([
      {
        refund_key: 'k-1',
        amount: 10_000n,
        reason: 'card [secret]',
        is_direct: true,
        confirmed_at: new Date('2026-11-15T00:00:00Z'),
      },
    ])
    expect(factsWith({ refund_key: 'k-1', refund_method: 'offline' })).toMatchObject([
      { reason: '', is_direct: false, confirmed_at: null },
    ])
  })
})

describe('details of a report', () => {
  const detailsOf = (more: Record<string, unknown>) => factsOf({ ...reply, ...more })?.details

  test('an absent field does not look like an emptied one', () => {
    expect(detailsOf({ store: null, issuer: undefined, actions: [] })).toStrictEqual({})
    expect(detailsOf({ store: 'alfamart', payment_code: '' })).toEqual({
      store: 'alfamart',
      payment_code: '',
    })
  })

  test.each([
    [
      { va_numbers: [{ bank: 'bca', va_number: '1' }], bank: 'x' },
      { bank: 'bca', va_number: '1' },
    ],
    [{ permata_va_number: '2' }, { bank: 'permata', va_number: '2' }],
    [{ bank: 'bni' }, { bank: 'bni' }],
    [
      { payment_type: 'credit_card', bank: 'bni' },
      { bank: 'bni', acquirer: 'bni' },
    ],
    [
      { payment_type: 'credit_card', bank: 'bni', acquirer: 'bca' },
      { bank: 'bni', acquirer: 'bca' },
    ],
    [{ payment_type: 'qris', acquirer: 'gopay' }, { acquirer: 'gopay' }],
  ])('%j names its bank, account and acquirer: %j', (more, details) => {
    expect(detailsOf(more)).toEqual(details)
  })

  test('what the payer does is kept, with the link to the app', () => {
    const actions = [
      { name: 'generate-qr-code', method: 'GET', url: 'https://example.test/qr' },
      { name: 'deeplink-redirect', url: 'https://example.test/app' },
    ]
    expect(detailsOf({ actions })).toEqual({
      actions: [actions[0], { ...actions[1], method: 'GET' }],
      deeplink_url: 'https://example.test/app',
    })
    const many = Array.from({ length: 30 }, () => ({ ...actions[0], method: 'POST' }))
    expect(detailsOf({ actions: many })?.actions).toEqual(many.slice(0, 20))
  })

  test('times are Jakarta’s, and the expiry has two names', () => {
    const time = new Date('2026-11-15T00:00:00Z')
    const text = '2026-11-15 07:00:00'
    expect(detailsOf({ transaction_time: text, settlement_time: text })).toEqual({
      transaction_time: time,
      settlement_time: time,
    })
    expect(detailsOf({ expiry_time: text, expire_time: '2030-01-01 00:00:00' })).toEqual({
      expiry_time: time,
    })
    expect(detailsOf({ expire_time: text })).toEqual({ expiry_time: time })
    expect(detailsOf({ expiry_time: 'soon' })).toEqual({})
  })
})

describe('a saved card', () => {
  const cardOf = (saved_token_id: unknown, saved_token_id_expired_at?: string) =>
    savedCardOf({ ...reply, saved_token_id, saved_token_id_expired_at } as never)

  test('has a token that does not print, and its end', () => {
    const card = cardOf('481111xDUgxnnredRMAXuklkvA1114', '2030-12-31 07:00:00')
    expect(card?.token.reveal()).toBe('481111xDUgxnnredRMAXuklkvA1114')
    expect(card?.expires_at).toEqual(new Date('2030-12-31T00:00:00Z'))
    expect(cardOf('x'.repeat(16))?.expires_at).toBeNull()
  })

  test.each([
    undefined,
    null,
    1_234_567_890_123_456,
    '',
    'x'.repeat(15),
    'x'.repeat(256),
    'no token was saved here',
  ])('is not %j', (token) => {
    expect(cardOf(token)).toBeUndefined()
  })
})
