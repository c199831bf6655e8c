import { describe, expect, test } from 'vitest'
import { phoneDigits, readSearchTerm } from './search_term.ts'

const kindsOf = (term: string) => readSearchTerm(term).map(({ kind }) => kind)
const amountOf = (term: string) =>
  readSearchTerm(term).find(({ kind }) => kind === 'gross_amount')?.value

describe('a term is read as everything it could be', () => {
  test('a UUID is a payment or a transaction of the gateway', () => {
    expect(kindsOf(' 0199a1b2-1111-7222-8333-444455556666 ')).toEqual([
      'id',
      'transaction_id',
      'refund_key',
    ])
  })

  test('what has an @ is an e-mail address and nothing else', () => {
    expect(readSearchTerm('Budi@Example.com')).toEqual([
      { kind: 'customer_email', value: 'Budi@Example.com' },
    ])
  })

  test('digits are an order id, a number of a bank or store, or an amount, in this order', () => {
    expect(kindsOf('880812345678')).toEqual([
      'order_id',
      'customer_phone',
      'va_number',
      'bill_key',
      'payment_code',
      'gross_amount',
      'refund_key',
    ])
  })

  test.each([
    ['123', ['order_id', 'gross_amount']],
    ['1234', ['order_id', 'card_last_four', 'gross_amount']],
    ['12345', ['order_id', 'customer_phone', 'gross_amount']],
    ['+62 812 3456 7890', ['customer_phone']],
    ['1 234', ['gross_amount']],
    ['1234 5678 9012 3456 7890 1', ['va_number', 'bill_key', 'payment_code']],
    ['12345 67890'.repeat(3), ['va_number', 'bill_key', 'payment_code']],
    ['12345 67890'.repeat(3) + '1', []],
    ['Budi Santoso', ['customer_name']],
    ['Budi', ['order_id', 'customer_name', 'customer_email']],
    ['budi.s+toko', ['customer_email', 'refund_key']],
    ['7budi', ['order_id']],
    ['bu', []],
    ['?order-2026-0001', ['refund_key']],
    ['??? order-2026-0001', []],
    ['x'.repeat(101), []],
  ])('%s could be %j', (term, kinds) => {
    expect(kindsOf(term)).toEqual(kinds)
  })

  test('spaces inside are one space', () => {
    expect(readSearchTerm('  Budi   Santoso ')).toEqual([
      { kind: 'customer_name', value: 'Budi Santoso' },
    ])
  })

  test('numbers are found however they are grouped', () => {
    expect(readSearchTerm('8808 1234 5678 9012')).toContainEqual({
      kind: 'va_number',
      value: '8808123456789012',
    })
  })

  test('nothing is nothing', () => {
    expect([readSearchTerm('  '), readSearchTerm('a?'), readSearchTerm("x'; --")]).toEqual([
      [],
      [],
      [],
    ])
  })
})

describe('amounts as people write them', () => {
  test.each([
    ['150000', 15_000_000n],
    ['Rp 150.000', 15_000_000n],
    ['rp150.000', 15_000_000n],
    ['Rp. 1.250.000,50', 125_000_050n],
    ['IDR 150,000.50', 15_000_050n],
    ['150000.00', 15_000_000n],
    ['150000,5', 15_000_050n],
    ['150000,50', 15_000_050n],
    ['150,000', 15_000_000n],
    ['1,250,000', 125_000_000n],
    ['1 500 000', 150_000_000n],
  ])('%s', (term, amount) => {
    expect(amountOf(term)).toBe(amount)
  })

  test.each(['0', '-5000', '1.2.3', '12.34.567', '1e5', '1.234.5', '12,34,567', '1,234,5', '1rp5'])(
    '%s is none',
    (term) => {
      expect(amountOf(term)).toBeUndefined()
    },
  )
})

describe('days are days in Jakarta', () => {
  test.each([
    '2026-11-15',
    '15/11/2026',
    '15-11-2026',
    '15.11.2026',
    '15 Nov 2026',
    '15 November 2026',
    '15 nopember 2026',
  ])('%s', (term) => {
    expect(readSearchTerm(term)).toEqual([
      {
        kind: 'created_on',
        value: '2026-11-15',
        from: new Date('2026-11-14T17:00:00Z'),
        before: new Date('2026-11-15T17:00:00Z'),
      },
    ])
  })

  test.each([
    ['1 Mei 2026', '2026-05-01'],
    ['1 May 2026', '2026-05-01'],
    ['17 Agustus 2026', '2026-08-17'],
    ['1 Oktober 2026', '2026-10-01'],
    ['25 Desember 2026', '2026-12-25'],
    ['1 Mar 2026', '2026-03-01'],
  ])('%s in either language', (term, day) => {
    expect(readSearchTerm(term)[0]?.value).toBe(day)
  })

  test('a day that does not exist is not one', () => {
    expect(kindsOf('2026-02-30')).not.toContain('created_on')
    expect(kindsOf('1 Foo 2026')).toEqual([])
    const around = ['x2026-11-15', '2026-11-15x', '115/11/2026', '15/11/20261']
    for (const term of [...around, '115 Nov 2026', '15 Nov 20261']) {
      expect(kindsOf(term)).not.toContain('created_on')
    }
  })
})

describe('a phone number has one spelling', () => {
  test.each([
    ['0812-3456-789', '628123456789'],
    ['+62 812 3456 789', '628123456789'],
    ['0062 812 3456 789', '628123456789'],
    ['+62 0812 3456 789', '628123456789'],
    ['812 3456 789', '628123456789'],
    ['0812 0034 567', '628120034567'],
    ['0021 3456 789', '213456789'],
    ['021 3456 789', '62213456789'],
    ['0065 9123 4567', '6591234567'],
    ['6591234567', '6591234567'],
    ['165 280 620 062', '165280620062'],
  ])('%s is %s', (phone, digits) => {
    expect(phoneDigits(phone)).toBe(digits)
  })
})
