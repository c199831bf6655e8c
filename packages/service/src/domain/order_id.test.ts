import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cellOfOrderId,
  isOrderId,
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
    expect(() => mintOrderId(new Uint8Array(15))).toThrow(RangeError)
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

  test('an ordinary order id is no cycle', () => {
    expect(parseCycleOrderId('ORDER-1')).toBeUndefined()
    expect(parseCycleOrderId(`gold-${'z'.repeat(22)}${'1'.repeat(32)}`)).toBeUndefined()
  })
})
