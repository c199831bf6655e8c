// Amounts and dates of statements at their limits; test/statements/files.test.ts has whole files.
import { describe, expect, test } from 'vitest'
import { isDay, parseStatementAmount, parseStatementTime, signOfMark } from './statement_values.ts'

describe('an amount', () => {
  test.each([
    [' 5000 ', 500_000n],
    ['+5', 500n],
    ['5-', -500n],
    ['5 K', 500n],
    ['5 debet', -500n],
    ['00000000000000005', 500n],
    ['0000000000000,05', 5n],
    ['1,234.56', 123_456n],
    ['9,999,999,999,999.99', 999_999_999_999_999n],
  ])('%j is %s hundredths', (text, amount) => {
    expect(parseStatementAmount(text)).toBe(amount)
  })

  test.each([
    ['with half a bracket', '(5,000'],
    ['with the other half', '5,000)'],
    ['with two signs', '-5-'],
    ['with contradicting signs', '+5-'],
    ['with a sign and a mark', '+5 DB'],
    ['whose separator groups and divides', '1,234,56'],
    ['whose point groups and divides', '1.234.56'],
    ['of fourteen digits', '10,000,000,000,000.00'],
  ])('%s is refused', (_, text) => {
    expect(parseStatementAmount(text)).toBeUndefined()
  })

  test('a mark is known in any case, with spaces around it', () => {
    expect([' DB ', 'cr', 'Kredit'].map(signOfMark)).toEqual([-1n, 1n, 1n])
    expect(signOfMark('X')).toBeUndefined()
  })
})

describe('a date', () => {
  test.each([
    [' 5/1/2026 ', '2026-01-05'],
    ['2026.1.5', '2026-01-05'],
    ['5 Peb 2026', '2026-02-05'],
    ['01/01/2000', '2000-01-01'],
    ['31/12/2099', '2099-12-31'],
  ])('%j is %s', (text, day) => {
    expect(parseStatementTime(text)).toEqual({ day, occurred_at: null })
  })

  test.each([
    ['02/03/2026', '2026-02-03'],
    // A month in letters leaves no doubt.
    ['02 Mar 2026', '2026-03-02'],
  ])('%s is %s where the month is first', (text, day) => {
    expect(parseStatementTime(text, 'mdy')?.day).toBe(day)
  })

  test.each([
    '01/01/2100',
    "31/01/2026'",
    '2026-01-31 noon',
    '5 Foo 2026',
    '2026-01-31 10:60',
    '2026-01-31 10:00:60',
    '2026-01-31 13:05 PM',
    '2026-01-31 00:05 AM',
    '2026-01-31 24:00',
  ])('%j is refused', (text) => {
    expect(parseStatementTime(text)).toBeUndefined()
  })

  test.each([
    ['1:05 AM', '01:05:00'],
    ['12:05 am', '00:05:00'],
    ['12:05 PM', '12:05:00'],
    ['11:59:59 pm', '23:59:59'],
    ['23:59:59', '23:59:59'],
    ['07:05 WIB', '07:05:00'],
    ['07:05 GMT+7', '07:05:00'],
  ])('at %s is %s in Jakarta', (clock, time) => {
    expect(parseStatementTime(`2026-01-31 ${clock}`)).toEqual({
      day: '2026-01-31',
      occurred_at: new Date(`2026-01-31T${time}+07:00`),
    })
  })

  test.each(['2026-01-31', '2028-02-29'])('%s is a day', (text) => {
    expect(isDay(text)).toBe(true)
  })

  test.each(['2026-02-29', '2026-1-31', '26-01-31', 'x2026-01-31', '2026-01-31 ', ''])(
    '%j is no day',
    (text) => {
      expect(isDay(text)).toBe(false)
    },
  )
})
