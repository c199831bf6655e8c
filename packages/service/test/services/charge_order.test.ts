import { describe, expect, test } from 'vitest'
import type { GatewayError } from '../../src/domain/errors.ts'
import { parseChargeOrder } from '../../src/services/payments/charge_order.ts'

const VA = { payment_type: 'bank_transfer', bank: 'bca', gross_amount: 10_000 }

function faultsOf(input: unknown): string[] {
  try {
    parseChargeOrder(input)
    return []
  } catch (error) {
    return (error as GatewayError).errors.map(({ field }) => field)
  }
}

describe('a valid charge', () => {
  test('has the minimum fields, and amounts as numbers or decimal strings', () => {
    expect(parseChargeOrder(VA)).toMatchObject({ gross_amount: 1_000_000n, item_details: [] })
    expect(parseChargeOrder({ ...VA, gross_amount: '10000.00' }).gross_amount).toBe(1_000_000n)
  })

  test('has items that add up, discounts included, with quantity one by default', () => {
    const item_details = [
      { name: 'Tea', price: 6_000, quantity: 2 },
      { name: 'Discount', price: -2_000 },
    ]
    expect(parseChargeOrder({ ...VA, item_details }).item_details).toMatchObject([
      { price: 600_000n, quantity: 2 },
      { price: -200_000n, quantity: 1 },
    ])
  })

  test("OVO uses the customer's phone by default", () => {
    const ovo = { payment_type: 'ovo', gross_amount: 10_000, customer_details: { phone: '0811' } }
    expect(parseChargeOrder(ovo).payer_phone_number).toBe('0811')
    expect(parseChargeOrder({ ...ovo, payer_phone_number: '0822' }).payer_phone_number).toBe('0822')
    expect(faultsOf({ payment_type: 'ovo', gross_amount: 10_000 })).toEqual(['payer_phone_number'])
  })
})

describe('an invalid charge is refused with the field at fault:', () => {
  test.each([
    ['no object', 'text', ['body']],
    ['nothing', {}, ['body']],
    ['an unknown type', { ...VA, payment_type: 'cash' }, ['payment_type']],
    ['an unknown field', { ...VA, amout: 1 }, ['amout']],
    [
      'a nested unknown field',
      { ...VA, customer_details: { mail: 'x' } },
      ['customer_details.mail'],
    ],
    ['an exponent', { ...VA, gross_amount: '1e4' }, ['gross_amount']],
    ['a fraction', { ...VA, gross_amount: 10_000.5 }, ['gross_amount']],
    ['zero', { ...VA, gross_amount: 0 }, ['gross_amount']],
    ['a negative amount', { ...VA, gross_amount: -1 }, ['gross_amount']],
    ['beyond precision', { ...VA, gross_amount: 2 ** 60 }, ['gross_amount']],
    ['a boolean amount', { ...VA, gross_amount: true }, ['gross_amount']],
    ['a wrong sum', { ...VA, item_details: [{ name: 'Tea', price: 1 }] }, ['item_details']],
    [
      'a quantity of zero',
      { ...VA, item_details: [{ name: 'Tea', price: 1, quantity: 0 }] },
      ['item_details.0.quantity'],
    ],
    ['a bad order id', { ...VA, order_id: 'a/b' }, ['order_id']],
    ['a long order id', { ...VA, order_id: 'x'.repeat(51) }, ['order_id']],
    ["another type's input", { ...VA, store: 'alfamart' }, ['store']],
    ['an unknown bank', { ...VA, bank: 'mandiri' }, ['bank']],
    [
      'a short expiry',
      { ...VA, custom_expiry: { expiry_duration: 1, unit: 'second' } },
      ['custom_expiry'],
    ],
    [
      'a false time',
      { ...VA, custom_expiry: { expiry_duration: 1, unit: 'hour', order_time: 'now' } },
      ['custom_expiry.order_time'],
    ],
    ['too much metadata', { ...VA, metadata: { a: 'x'.repeat(5_000) } }, ['metadata']],
    [
      'half a GoPay account',
      { payment_type: 'gopay', gross_amount: 1, gopay: { account_id: 'a' } },
      ['gopay.payment_option_token'],
    ],
  ])('%s', (_, input, fields) => {
    const faults = faultsOf(input)
    expect(faults.length).toBeGreaterThan(0)
    if (fields[0] !== 'body') expect(faults).toEqual(fields)
  })

  test('all faults are reported at once, without repeating what was sent', () => {
    const secret = { payment_type: 'credit_card', gross_amount: 'canary-1', token: 'canary-2' }
    try {
      parseChargeOrder(secret)
      expect.unreachable()
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain('canary')
      expect((error as GatewayError).errors.length).toBeGreaterThan(0)
    }
  })
})
