import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cellOfOrderId,
  isCycleOf,
  isOrderId,
  mintInvoiceNumber,
  mintInvoiceOrderId,
  mintOrderId,
  mintSubscriptionName,
  parseCycleOrderId,
} from './order_id.ts'

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 })

describe('order ids', () => {
  test('a minted one is valid, of fixed length, and ends in a letter', () => {
    fc.assert(
      fc.property(bytes, (random) => {
        const id = mintOrderId(random)
        expect(isOrderId(id)).toBe(true)
        expect(id).toHaveLength(22)
        expect(id).toMatch(/[a-z]$/)
      }),
    )
  })

  test('a minted one names its cell, also with the digits that the gateway appends', () => {
    fc.assert(
      fc.property(bytes, fc.stringMatching(/^[a-z]{1,8}$/), (random, cell) => {
        const invoice = mintInvoiceOrderId(random, cell)
        expect(invoice.length).toBeLessThanOrEqual(36)
        expect(cellOfOrderId(mintOrderId(random, cell))).toBe(cell)
        expect(cellOfOrderId(`${invoice}-1700000000000`)).toBe(cell)
      }),
    )
    expect(cellOfOrderId('ORDER-1')).toBeUndefined()
    expect(cellOfOrderId('ord-short-a')).toBeUndefined()
  })

  test('too little randomness is refused, not padded', () => {
    expect(() => mintOrderId(new Uint8Array(15))).toThrow('an order id needs 16 random bytes')
  })

  test('the number of an invoice is its day and eight letters', () => {
    expect(mintInvoiceNumber('2026-11-17', new Uint8Array(16).fill(1))).toBe(
      'INV-20261117-11111111',
    )
  })

  test.each(['a', 'ORDER-1', 'a.b~c_d-e', 'x'.repeat(50)])('%s may be used', (id) => {
    expect(isOrderId(id)).toBe(true)
  })

  test.each(['', '.', '..', 'a/b', 'a b', 'a?b', 'a#b', 'é', 'x'.repeat(51), 'a\n'])(
    '%j may not',
    (id) => {
      expect(isOrderId(id)).toBe(false)
    },
  )
})

describe('subscription names', () => {
  test('fit the gateway and name their subscription in every cycle', () => {
    fc.assert(
      fc.property(fc.string(), fc.uuid(), (name, id) => {
        const minted = mintSubscriptionName(name, id)
        expect(minted.length).toBeLessThanOrEqual(40)
        expect(minted).toMatch(/^[A-Za-z0-9\-_~.]+$/)
        expect(parseCycleOrderId(minted + '1'.repeat(32))).toBe(id)
      }),
    )
  })

  const ID = '00000000-0000-4000-8000-000000000000'
  test.each([
    ['Kopi  Susu & Teh', 'kopi-susu-teh'],
    ['--Gold--', 'gold'],
    ['Café', 'cafe'],
    // Cut at 17 characters, without the hyphen it would end in.
    ['Langganan Bulanan', 'langganan-bulanan'],
    ['Langganan Bulana  n', 'langganan-bulana'],
    ['*', 'sub'],
  ])('%s begins with %s', (name, slug) => {
    const minted = mintSubscriptionName(name, ID)
    expect(minted.slice(0, -23)).toBe(slug)
    expect(minted.at(-23)).toBe('-')
  })

  test('a cycle is the minted name and 32 digits', () => {
    const name = mintSubscriptionName('gold', ID)
    expect(isCycleOf(`${name}${'1'.repeat(32)}`, name)).toBe(true)
    expect(isCycleOf(`${name}${'1'.repeat(31)}`, name)).toBe(false)
    expect(isCycleOf(`x${name}${'1'.repeat(32)}`, name)).toBe(false)
    expect(isCycleOf(`${'x'.repeat(name.length)}${'1'.repeat(32)}`, name)).toBe(false)
    expect(isCycleOf(name, name)).toBe(false)
  })

  test('the largest id is read back, and one more is no id', () => {
    const of = (short: string) => parseCycleOrderId(`gold-${short}${'1'.repeat(32)}`)
    const largest = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    const short = mintSubscriptionName('gold', largest).slice(5)
    expect(of(short)).toBe(largest)
    // 2 to the power of 128 in base 62, which ends in the next digit.
    const next = String.fromCodePoint((short.codePointAt(21) ?? 0) + 1)
    expect(of(`${short.slice(0, -1)}${next}`)).toBeUndefined()
  })

  test('an ordinary order id is no cycle', () => {
    expect(parseCycleOrderId('ORDER-1')).toBeUndefined()
    expect(parseCycleOrderId(`gold-${'z'.repeat(22)}${'1'.repeat(32)}`)).toBeUndefined()
  })
})
