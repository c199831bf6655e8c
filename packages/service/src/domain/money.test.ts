import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatMoney, MONEY_MAX, parseMoney, sumMoney, toWholeRupiah } from './money.ts'

const amounts = fc.bigInt({ min: 1n, max: MONEY_MAX })

describe('parse and format', () => {
  test('are inverse for every amount from 0.01 to 9,999,999,999,999.99', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseMoney(formatMoney(amount))).toBe(amount)
        expect(formatMoney(amount)).toMatch(/^\d+\.\d{2}$/)
      }),
      { numRuns: 20_000 },
    )
  })

  test('are inverse at the edges and below zero', () => {
    for (const text of ['0.00', '0.01', '0.10', '1.00', '9999999999999.99', '-0.01', '-50000.00']) {
      expect(formatMoney(parseMoney(text) ?? -1n)).toBe(text)
    }
  })

  test('agree with JSON numbers for every amount of two decimals', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseMoney(JSON.parse(formatMoney(amount)))).toBe(amount)
      }),
      { numRuns: 20_000 },
    )
  })
})

describe('parseMoney refuses', () => {
  test.each([
    ['a JSON number beyond safe precision', JSON.parse('9007199254740993')],
    ['an exponent', '1e3'],
    ['a number only an exponent can write', 1e21],
    ['a tiny number only an exponent can write', 1e-7],
    ['more than two decimals', '1.005'],
    ['more than two decimals in a number', 1.005],
    ['more than the column holds', '10000000000000.00'],
    ['leading zeros', '007'],
    ['a space', ' 10'],
    ['a plus', '+10'],
    ['minus zero', '-0'],
    ['a bare point', '.5'],
    ['a trailing point', '5.'],
    ['thousands', '10,000'],
    ['full-width digits', '１０'],
    ['hexadecimal', '0x10'],
    ['a line break', '10\n'],
    ['nothing', ''],
    ['not a number', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a bigint', 10n],
    ['a boolean', true],
    ['null', null],
    ['an array', ['10']],
  ])('%s', (_, input) => {
    expect(parseMoney(input)).toBeUndefined()
  })
})

describe('arithmetic', () => {
  test('whole rupiah exist only for whole amounts', () => {
    expect(toWholeRupiah(1_500_000n)).toBe(15_000)
    expect(toWholeRupiah(1_500_050n)).toBeUndefined()
    expect(toWholeRupiah(MONEY_MAX - 99n)).toBe(9_999_999_999_999)
  })

  test('a sum of many small amounts loses nothing', () => {
    expect(sumMoney(Array.from({ length: 1000 }, () => 1n))).toBe(1000n)
    expect(sumMoney([])).toBe(0n)
  })
})
