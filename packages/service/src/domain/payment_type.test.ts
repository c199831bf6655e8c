import { describe, expect, test } from 'vitest'
import {
  LIMITS,
  PAYMENT_TYPE,
  PAYMENT_TYPES,
  REFUND_WINDOW_DAYS,
  type PaymentType,
} from './payment_type.ts'

// The gateway's pages once more, written out by hand: expiry default, least and most in seconds
// (gateway-protocol.md#payment-types), usual amounts in rupiah, refund in parts, directly, and for
// how many days.
const FACTS = `
credit_card    600   -    -         10000  999999999    parts  some     180
gopay          900   20   604800    1      20000000     parts  yes      45
shopeepay      900   20   432000    1      20000000     whole  yes      365
qris           900   20   604800    1      10000000     parts  yes      45
ovo            65    -    -         1      99999999     whole  unknown  7
dana           900   900  86400     1      20000000     parts  unknown  45
bank_transfer  86400 20   15552000  1      -            never  -        -
echannel       86400 20   15552000  1      50000000000  never  -        -
cstore         86400 20   15552000  1      5000000      never  -        -
akulaku        7200  20   15552000  5000   -            parts  yes      180
kredivo        86400 20   15552000  1      -            parts  yes      14`

const rows = FACTS.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))

const rowOf = (type: PaymentType): string[] => {
  const { expiry, limit, refund } = PAYMENT_TYPE[type]
  const rupiah = (amount: bigint | null) => (amount === null ? '-' : String(amount / 100n))
  const { custom } = expiry
  return [
    type,
    String(expiry.default_s),
    custom === null ? '-' : String(custom.min_s),
    custom === null ? '-' : String(custom.max_s),
    rupiah(limit.min),
    rupiah(limit.max),
    ...(refund === null
      ? ['never', '-', '-']
      : [
          refund.partial ? 'parts' : 'whole',
          refund.direct === 'some_acquirers' ? 'some' : refund.direct,
          String(refund.window_days),
        ]),
  ]
}

describe('every figure of the table', () => {
  test('covers the eleven types', () => {
    expect(rows.map(([type]) => type)).toEqual([...PAYMENT_TYPES])
  })

  test.each(rows)('%s', (type, ...facts) => {
    const known = PAYMENT_TYPES.find((one) => one === type) ?? 'ovo'
    expect(rowOf(known)).toEqual([type, ...facts])
  })
})

test('where a bank or store has bounds of its own', () => {
  const rupiah = Object.entries(LIMITS).map(([name, { min, max }]) => [
    name,
    min / 100n,
    max === null ? null : max / 100n,
  ])
  expect(rupiah).toEqual([
    ['bank_transfer:bca', 10_000n, 20_000_000_000n],
    ['bank_transfer:bri', 1n, 20_000_000_000n],
    ['bank_transfer:permata', 1n, 9_999_999_999n],
    ['bank_transfer:cimb', 1n, 250_000_000n],
    ['cstore:indomaret', 10_000n, 5_000_000n],
  ])
})

test('where the way of paying has a refund window of its own', () => {
  expect(REFUND_WINDOW_DAYS).toEqual({
    'gopay:tokenized': 180,
    'qris:airpay': 365,
    'qris:airpay shopee': 365,
    'qris:off-us': 7,
  })
})
