import { describe, expect, test } from 'vitest'
import { expectedOf, feeOf, rateOf, type FeeFacts, type FeeRate } from './fees.ts'

const rate = (given: Partial<FeeRate> = {}): FeeRate => ({
  id: 'r-1',
  payment_type: 'gopay',
  channel: '',
  valid_from: '2000-01-01',
  rate_ppm: 20_000,
  fixed_amount: 0n,
  vat_ppm: 110_000,
  borne_by: 'merchant',
  origin: 'documented',
  note: '',
  updated_at: new Date(0),
  updated_by: 'gapura',
  ...given,
})

describe('feeOf', () => {
  test('the published examples: 4,000 and 440 of a transfer, 2,000 and 220 of GoPay', () => {
    const transfer = rate({ rate_ppm: 0, fixed_amount: 4_000_00n })
    const of = { amount: 100_000_00n }
    expect(feeOf(transfer, of, 'half_up')).toEqual({ fee: 4_000_00n, vat: 440_00n })
    expect(feeOf(rate(), of, 'half_up')).toEqual({ fee: 2_000_00n, vat: 220_00n })
  })

  test.each([
    ['half_up', 7_00n, 1_00n],
    ['down', 7_00n, 0n],
    ['up', 8_00n, 1_00n],
    ['sen', 7_07n, 78n],
  ] as const)('%s rounds 0.7 %% of Rp 1,010 and its VAT, each for itself', (rounding, fee, vat) => {
    expect(feeOf(rate({ rate_ppm: 7_000 }), { amount: 1_010_00n }, rounding)).toEqual({ fee, vat })
  })

  test('what is a whole number of rupiah is never rounded up', () => {
    expect(feeOf(rate(), { amount: 100_000_00n }, 'up')).toEqual({ fee: 2_000_00n, vat: 220_00n })
  })

  test('a fixed fee is due for each of several payments', () => {
    const transfer = rate({ rate_ppm: 0, fixed_amount: 4_000_00n, vat_ppm: 0 })
    expect(feeOf(transfer, { amount: 100_000_00n, payments: 3 }, 'half_up').fee).toBe(12_000_00n)
  })

  test('a fee that the payer bears costs nothing', () => {
    const borne = rate({ borne_by: 'payer' })
    expect(feeOf(borne, { amount: 100_000_00n }, 'half_up')).toEqual({ fee: 0n, vat: 0n })
  })
})

describe('rateOf', () => {
  const rates = [
    rate(),
    rate({ id: 'later', valid_from: '2026-02-01' }),
    rate({ id: 'bca', channel: 'bca', valid_from: '2026-01-15' }),
  ]
  test.each([
    ['2026-01-31', '', 'r-1'],
    ['2026-02-01', '', 'later'],
    ['2026-02-01', 'bca', 'bca'],
    ['2026-01-14', 'bca', 'r-1'],
    ['1999-12-31', '', undefined],
  ])('on %s of bank %j it is %s', (day, channel, id) => {
    for (const order of [rates, rates.toReversed()]) {
      expect(rateOf(order, { payment_type: 'gopay', channel, day })?.id).toBe(id)
    }
    expect(rateOf(rates, { payment_type: 'ovo', channel, day })).toBeUndefined()
  })
})

describe('expectedOf', () => {
  const payment: FeeFacts = {
    payment_type: 'gopay',
    bank: null,
    store: null,
    transaction_status: 'settlement',
    fraud_status: null,
    captured_amount: 100_000_00n,
    refunded_amount: 0n,
    // A second before midnight in Jakarta.
    paid_at: new Date('2026-01-31T16:59:59Z'),
  }
  const rates = [rate(), rate({ valid_from: '2026-02-01', rate_ppm: 30_000 })]

  test('by the rate of the day in Jakarta on which it was paid', () => {
    const first = expectedOf(payment, rates, 'half_up')
    expect(first).toMatchObject({ fee: 2_000_00n, vat: 220_00n, net: 97_780_00n })
    const later = { ...payment, paid_at: new Date('2026-01-31T17:00:00Z') }
    expect(expectedOf(later, rates, 'half_up')?.fee).toBe(3_000_00n)
  })

  test('by the rate of its bank or store, where that has one', () => {
    const channels = [
      rate({ payment_type: 'bank_transfer', rate_ppm: 10_000 }),
      rate({ payment_type: 'bank_transfer', channel: 'bca', rate_ppm: 30_000 }),
      rate({ payment_type: 'cstore', channel: 'alfamart', rate_ppm: 50_000 }),
    ]
    const fee = (given: Partial<FeeFacts>) =>
      expectedOf({ ...payment, ...given }, channels, 'half_up')?.fee
    expect(fee({ payment_type: 'bank_transfer', bank: 'bca' })).toBe(3_000_00n)
    expect(fee({ payment_type: 'bank_transfer', bank: 'bni' })).toBe(1_000_00n)
    expect(fee({ payment_type: 'bank_transfer' })).toBe(1_000_00n)
    expect(fee({ payment_type: 'cstore', store: 'alfamart' })).toBe(5_000_00n)
    expect(fee({ payment_type: 'cstore', store: 'indomaret' })).toBeUndefined()
  })

  test('a refund leaves the fee and lowers the payout', () => {
    const refunded = { ...payment, refunded_amount: 50_000_00n }
    expect(expectedOf(refunded, rates, 'half_up')).toMatchObject({
      fee: 2_000_00n,
      net: 47_780_00n,
    })
  })

  const NOTHING: readonly [string, Partial<FeeFacts>][] = [
    ['not paid', { transaction_status: 'pending', paid_at: null }],
    ['of unknown payment time', { paid_at: null }],
    ['reversed', { transaction_status: 'deny' }],
    ['in review', { fraud_status: 'challenge' }],
    ['a method without a rate', { payment_type: 'ovo' }],
  ]
  test.each(NOTHING)('nothing is expected of a payment that is %s', (_what, given) => {
    expect(expectedOf({ ...payment, ...given }, rates, 'half_up')).toBeNull()
  })
})
