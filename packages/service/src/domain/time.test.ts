import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatGatewayTime,
  jakartaDay,
  jakartaStamp,
  nextJakartaDayAt,
  parseGatewayTime,
  parseZonedTime,
} from './time.ts'

const iso = (text: unknown): string | undefined => parseGatewayTime(text)?.toISOString()

describe('gateway times', () => {
  test.each([
    ["without a zone they are Jakarta's", '2026-11-15 07:00:00', '2026-11-15T00:00:00.000Z'],
    ['with +0700', '2026-11-15 07:00:00 +0700', '2026-11-15T00:00:00.000Z'],
    ['ISO with colon', '2026-11-15T07:00:00+07:00', '2026-11-15T00:00:00.000Z'],
    ['ISO in UTC', '2026-11-15T07:00:00Z', '2026-11-15T07:00:00.000Z'],
    ['with microseconds', '2026-11-15T07:00:00.123456', '2026-11-15T00:00:00.123Z'],
    ['west of Greenwich', '2026-11-15 07:00:00 -0330', '2026-11-15T10:30:00.000Z'],
    ['with spaces around', ' 2026-11-15 07:00:00 ', '2026-11-15T00:00:00.000Z'],
    ['in the first year', '0001-01-01 07:00:00', '0001-01-01T00:00:00.000Z'],
    ['in the last year', '9999-12-31 23:59:59', '9999-12-31T16:59:59.000Z'],
    ['without seconds', '2026-11-15 07:00', '2026-11-15T00:00:00.000Z'],
  ])('%s', (_, text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  test.each(['', 'yesterday', '2026-02-30 00:00:00', '2026-13-01 00:00:00', '15/11/2026', null, 0])(
    '%j is no time',
    (text) => {
      expect(iso(text)).toBeUndefined()
    },
  )

  test.each(['0000-01-01 12:00:00', '0001-01-01 00:00:00', '9999-12-31 23:59:59 -1200'])(
    '%s is in no year the database knows',
    (text) => {
      expect(iso(text)).toBeUndefined()
    },
  )

  test('format and parse are inverse to the second', () => {
    const range = { min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }
    fc.assert(
      fc.property(fc.date(range), (date) => {
        date.setUTCMilliseconds(0)
        expect(parseGatewayTime(formatGatewayTime(date))).toEqual(date)
      }),
    )
  })
})

describe("a caller's times", () => {
  test.each([
    ['2026-11-15T07:00:00+07:00', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T07:00Z', '2026-11-15T07:00:00.000Z'],
    ['2024-02-29T23:59:59.999999999-12:00', '2024-03-01T11:59:59.999Z'],
  ])('%s', (text, expected) => {
    expect(parseZonedTime(text)?.toISOString()).toBe(expected)
  })

  // The hostile campaign found the first three: the language reads them as other days.
  test.each([
    '2026-02-30T00:00:00Z',
    '2026-04-31T10:00:00+07:00',
    '0000-01-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:00:60Z',
    '2026-01-01T10:00:00+25:00',
    '2026-01-01T10:00:00+07:99',
    '2026-01-01T10:00:00',
    '2026-01-01',
  ])('%s is no time', (text) => {
    expect(parseZonedTime(text)).toBeUndefined()
  })
})

describe('the Jakarta day', () => {
  test('a stamp shows the clock in Jakarta with its zone', () => {
    expect(jakartaStamp(new Date('2026-11-15T17:05:00Z'))).toBe('2026-11-16T00:05:00.000+07:00')
  })

  test('begins at 17:00 UTC', () => {
    expect(jakartaDay(new Date('2026-11-15T16:59:59Z'))).toBe('2026-11-15')
    expect(jakartaDay(new Date('2026-11-15T17:00:00Z'))).toBe('2026-11-16')
  })

  test("the next day's hour counts from the Jakarta date", () => {
    expect(nextJakartaDayAt(new Date('2026-11-15T16:59:00Z'), 17)).toEqual(
      new Date('2026-11-16T10:00:00Z'),
    )
    expect(nextJakartaDayAt(new Date('2026-11-15T17:01:00Z'), 17)).toEqual(
      new Date('2026-11-17T10:00:00Z'),
    )
  })
})
