import { describe, expect, test } from 'vitest'
import { readSearchTerm } from './search_term.ts'

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
  ])('%s', (term, amount) => {
    expect(amountOf(term)).toBe(amount)
  })

  test.each(['0', '-5000', '1.2.3', '12.34.567', '1e5'])('%s is none', (term) => {
    expect(amountOf(term)).toBeUndefined()
  })
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
  })
})
