import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/domain/errors.ts'
import { jakartaDay } from '../../src/domain/time.ts'
import { parseInvoiceOrder } from '../../src/services/invoices/invoice_order.ts'
import { invoiceRequest } from '../../src/services/invoices/actions.ts'

const TODAY = '2026-11-15'

const input = (more: object = {}) => ({
  customer_name: 'Budi',
  customer_email: 'budi@example.com',
  due_date: '2026-11-30',
  items: [{ description: 'Lamp', price: 12_000, quantity: 2 }],
  ...more,
})

/** The fields at fault, or undefined if it is valid. */
function faults(given: unknown, today = TODAY): string[] {
  try {
    parseInvoiceOrder(given, today)
    return []
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    expect(error.code).toBe('invalid_request')
    return error.errors.map(({ field }) => field)
  }
}

const item = (more: object) => ({ items: [{ description: 'Lamp', price: 12_000, ...more }] })

const GOOD: [string, object][] = [
  ['the least it can be', {}],
  ['a name of 40', { customer_name: 'x'.repeat(40) }],
  ['an address with a plus', { customer_email: 'budi+shop@mail.example.co.id' }],
  ['due today', { due_date: TODAY }],
  ['dated before today', { invoice_date: '2026-10-31' }],
  ['notes of 1000', { notes: 'x'.repeat(1_000) }],
  ['no notes', { notes: '' }],
  [
    'a free item beside a paid one',
    {
      items: [
        { description: 'Gift', price: 0 },
        { description: 'Lamp', price: 1 },
      ],
    },
  ],
  ['a price as text', item({ price: '12000.00' })],
  ['the dearest item', item({ price: 99_999_999 })],
  ['200 items', { items: Array.from({ length: 200 }, () => ({ description: 'a', price: 1 })) }],
  ['an order id of 36', { order_id: 'x'.repeat(36) }],
  [
    'an account of its own',
    {
      payment_type: 'virtual_account',
      virtual_accounts: [{ bank: 'bca_va', number: '11122233344' }],
    },
  ],
  ['some methods only', { enabled_payments: ['bca_va', 'gopay'] }],
]

test.each(GOOD)('accepts %s', (_case, more) => {
  expect(faults(input(more))).toEqual([])
})

const BAD: [string, object, string[]][] = [
  ['no name', { customer_name: undefined }, ['customer_name']],
  ['an empty name', { customer_name: '' }, ['customer_name']],
  ['a name of 41', { customer_name: 'x'.repeat(41) }, ['customer_name']],
  ['a name that is no text', { customer_name: 7 }, ['customer_name']],
  ['an address without @', { customer_email: 'budi.example.com' }, ['customer_email']],
  ['two addresses', { customer_email: 'a@b.co,c@d.co' }, ['customer_email']],
  ['an address of 256', { customer_email: `${'x'.repeat(249)}@ab.com` }, ['customer_email']],
  ['a phone from 0', { customer_phone: '0812345678' }, ['customer_phone']],
  ['a phone of 16', { customer_phone: '6281234567890123' }, ['customer_phone']],
  ['a due date of the past', { due_date: '2026-11-14' }, ['due_date']],
  ['a day there is not', { due_date: '2027-02-30' }, ['due_date']],
  ['a moment for a day', { due_date: '2026-11-30T00:00:00Z' }, ['due_date']],
  ['due before its own date', { invoice_date: '2026-12-01' }, ['due_date']],
  ['an invoice date there is not', { invoice_date: '2026-13-01' }, ['invoice_date']],
  ['no items', { items: [] }, ['items']],
  [
    '201 items',
    { items: Array.from({ length: 201 }, () => ({ description: 'a', price: 1 })) },
    ['items'],
  ],
  ['items for nothing', item({ price: 0 }), ['items']],
  ['a negative price', item({ price: -1 }), ['items.0.price']],
  ['a part of a rupiah', item({ price: 0.5 }), ['items.0.price']],
  ['too dear an item', item({ price: 100_000_000 }), ['items.0.price']],
  ['no description', { items: [{ price: 1 }] }, ['items.0.description']],
  ['a description of 151', item({ description: 'x'.repeat(151) }), ['items.0.description']],
  ['a quantity of none', item({ quantity: 0 }), ['items.0.quantity']],
  ['a quantity in parts', item({ quantity: 1.5 }), ['items.0.quantity']],
  ['an item id of 31', item({ item_id: 'x'.repeat(31) }), ['items.0.item_id']],
  ['more than there is money', item({ price: 99_999_999, quantity: 99_999_999 }), ['items']],
  ['notes of 1001', { notes: 'x'.repeat(1_001) }, ['notes']],
  ['an order id with a slash', { order_id: 'a/b' }, ['order_id']],
  ['an order id of 37', { order_id: 'x'.repeat(37) }, ['order_id']],
  ['a number of 41', { invoice_number: 'x'.repeat(41) }, ['invoice_number']],
  ['accounts without their type', { virtual_accounts: [{ bank: 'bca_va' }] }, ['virtual_accounts']],
  ['the type without accounts', { payment_type: 'virtual_account' }, ['virtual_accounts']],
  ['a card number in the notes', { notes: '4811 1111 1111 1114' }, ['notes']],
  ['an unknown field', { total: 1 }, ['total']],
  ['an unknown field of an item', item({ discount: 1 }), ['items.0.discount']],
]

test.each(BAD)('refuses %s', (_case, more, fields) => {
  expect([...new Set(faults(input(more)))]).toEqual(fields)
})

test('an unknown bank is reported by its index', () => {
  const more = { payment_type: 'virtual_account', virtual_accounts: [{ bank: 'bank_of_nowhere' }] }
  expect(faults(input(more))).toEqual(['virtual_accounts.0.bank'])
})

describe('days are days in Jakarta', () => {
  const EVENING_UTC = new Date('2026-11-15T17:30:00Z')

  test('late in the evening in UTC it is tomorrow there, and today’s date is past', () => {
    const today = jakartaDay(EVENING_UTC)
    expect(today).toBe('2026-11-16')
    expect(faults(input({ due_date: '2026-11-15' }), today)).toEqual(['due_date'])
    expect(faults(input({ due_date: '2026-11-16' }), today)).toEqual([])
  })

  test('a moment before, it is still today', () => {
    expect(jakartaDay(new Date('2026-11-15T16:59:59Z'))).toBe('2026-11-15')
  })

  test('are sent as the times at which they begin and end', () => {
    const order = parseInvoiceOrder(input({ due_date: TODAY }), TODAY)
    const sent = invoiceRequest(order, { ...order, order_id: 'o', invoice_number: 'n' })
    expect(sent).toMatchObject({
      invoice_date: '2026-11-15 00:00:00 +0700',
      due_date: '2026-11-15 23:59:59 +0700',
    })
  })
})

test('the total is the sum of the items', () => {
  const items = [
    { description: 'Lamp', price: 12_000, quantity: 3 },
    { description: 'Bulb', price: '1500.00', quantity: 2 },
    { description: 'Delivery', price: 9_000 },
  ]
  expect(parseInvoiceOrder(input({ items }), TODAY).total_amount).toBe(48_000_00n)
})
