import { describe, expect, test } from 'vitest'
import {
  accountBank,
  isFoundByOrderId,
  isReversible,
  keepsReply,
  namesAcquirer,
  pageMethodsOf,
  PAYMENT_TYPE,
  PAYMENT_TYPES,
  SUBSCRIPTION_PAYMENT_TYPES,
  usesSnapSource,
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
          typeof refund.direct === 'string' ? refund.direct : 'some',
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

/** Every difference of a bank, store, acquirer or way of paying, as `type:variant`. */
const variants = PAYMENT_TYPES.flatMap((type) =>
  Object.entries(PAYMENT_TYPE[type].variants).map(
    ([name, variant]) => [`${type}:${name}`, variant] as const,
  ),
)

test('banks and stores with amount limits of their own', () => {
  const limits = variants.flatMap(([name, { limit }]) =>
    limit === undefined
      ? []
      : [[name, limit.min / 100n, limit.max === null ? null : limit.max / 100n]],
  )
  expect(limits).toEqual([
    ['bank_transfer:bca', 10_000n, 20_000_000_000n],
    ['bank_transfer:bri', 1n, 20_000_000_000n],
    ['bank_transfer:permata', 1n, 9_999_999_999n],
    ['bank_transfer:cimb', 1n, 250_000_000n],
    ['cstore:indomaret', 10_000n, 5_000_000n],
  ])
})

test('ways of paying with a refund window of their own', () => {
  const windows = variants.filter(([, { refund_window_days }]) => refund_window_days !== undefined)
  expect(windows.map(([name, { refund_window_days }]) => [name, refund_window_days])).toEqual([
    ['gopay:tokenized', 180],
    ['qris:airpay', 365],
    ['qris:airpay shopee', 365],
    ['qris:off-us', 7],
  ])
})

/** The types whose row says so. */
const typesWith = (trait: (row: (typeof PAYMENT_TYPE)[PaymentType]) => boolean) =>
  PAYMENT_TYPES.filter((type) => trait(PAYMENT_TYPE[type]))

describe('what only some types do', () => {
  test('only DANA cannot be found by order id, and its calls carry the SNAP header', () => {
    expect(typesWith((row) => !row.found_by_order_id)).toEqual(['dana'])
    expect(typesWith((row) => row.snap_source)).toEqual(['dana'])
    expect(isFoundByOrderId({ payment_type: 'dana' })).toBe(false)
    expect(usesSnapSource({ payment_type: 'gopay' })).toBe(false)
  })

  test('only a card is captured by a call of its own and names its acquirer as the bank', () => {
    expect(typesWith((row) => row.separate_capture)).toEqual(['credit_card'])
    expect(PAYMENT_TYPES.filter(namesAcquirer)).toEqual(['credit_card'])
    expect(namesAcquirer('a type of next year')).toBe(false)
    expect(accountBank({ payment_type: 'credit_card', bank: 'bca' })).toBeNull()
    expect(accountBank({ payment_type: 'bank_transfer', bank: 'bca' })).toBe('bca')
  })

  test('subscriptions charge cards and GoPay; only GoPay accounts are linked', () => {
    expect(SUBSCRIPTION_PAYMENT_TYPES).toEqual(['credit_card', 'gopay'])
    expect(typesWith((row) => row.linkable)).toEqual(['gopay'])
  })

  test('Permata and Indomaret may be reversed and keep no reply; a Mandiri bill may be reversed', () => {
    const kinds = [
      { payment_type: 'bank_transfer', bank: 'permata' },
      { payment_type: 'bank_transfer', bank: 'bca' },
      { payment_type: 'cstore', store: 'indomaret' },
      { payment_type: 'cstore', store: 'alfamart' },
      { payment_type: 'echannel' },
      { payment_type: 'credit_card', bank: 'permata' },
    ] as const
    expect(kinds.map((kind) => [isReversible(kind), keepsReply(kind)])).toEqual([
      [true, false],
      [false, true],
      [true, false],
      [false, true],
      [true, true],
      [false, true],
    ])
  })

  test('the page of the gateway names a type as we do, but for transfers, shops and QRIS', () => {
    const other: Partial<Record<PaymentType, string[]>> = {
      bank_transfer: ['bca_va', 'bni_va', 'bri_va', 'cimb_va', 'permata_va'],
      cstore: ['indomaret', 'alfamart'],
      qris: ['other_qris'],
    }
    for (const type of PAYMENT_TYPES) expect(pageMethodsOf(type)).toEqual(other[type] ?? [type])
  })

  test('instructions that only the reply to the charge carries', () => {
    const fields = PAYMENT_TYPES.map((type) => [type, PAYMENT_TYPE[type].instructions.join(' ')])
    expect(Object.fromEntries(fields)).toEqual({
      credit_card: 'redirect_url',
      gopay: 'actions',
      shopeepay: 'actions',
      qris: 'qr_string actions',
      ovo: '',
      dana: 'actions',
      bank_transfer: '',
      echannel: '',
      cstore: '',
      akulaku: 'redirect_url',
      kredivo: 'redirect_url',
    })
  })
})
