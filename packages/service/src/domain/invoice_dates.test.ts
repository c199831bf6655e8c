import { expect, test } from 'vitest'
import { dateFaults, endOfDay, hintedCheckAt, isDay, nextInvoiceCheckAt } from './invoice_dates.ts'

const at = (time: string): Date => new Date(time)
const created_at = at('2026-11-15T00:00:00Z')
const pending = { status: 'pending', created_at, due_date: '2026-11-30' } as const

test('a day ends at its last second in Jakarta', () => {
  expect(endOfDay('2026-11-15')).toEqual(at('2026-11-15T16:59:59Z'))
  expect(['2026-02-28', '2028-02-29'].every(isDay)).toBe(true)
  expect(['2026-02-29', '2026-2-1', '26-02-01', ' 2026-02-28', 'today', ''].some(isDay)).toBe(false)
})

test.each([
  ['2026-11-15T00:00:01Z', '2026-11-15T01:00:00Z'],
  ['2026-11-15T01:00:00Z', '2026-11-15T03:00:00Z'],
  ['2026-11-15T03:00:00Z', '2026-11-15T06:00:00Z'],
  ['2026-11-15T06:00:00Z', '2026-11-15T18:00:00Z'],
])('a pending one asked about at %s is asked about again at %s', (now, next) => {
  expect(nextInvoiceCheckAt(pending, at(now))).toEqual(at(next))
  expect(nextInvoiceCheckAt({ ...pending, status: 'draft' }, at(now))).toEqual(at(next))
})

test('its day’s end comes before the next turn', () => {
  expect(nextInvoiceCheckAt(pending, at('2026-11-30T12:00:00Z'))).toEqual(
    at('2026-11-30T17:04:59Z'),
  )
})

test('at the end of its day it is not asked about at the same moment again', () => {
  expect(nextInvoiceCheckAt(pending, at('2026-11-30T17:04:59Z'))).toEqual(
    at('2026-11-30T17:59:59Z'),
  )
})

test('past its day it is asked about within the hour, overdue daily, ended never', () => {
  const now = at('2026-12-01T00:00:00Z')
  expect(nextInvoiceCheckAt(pending, now)).toEqual(at('2026-12-01T00:55:00Z'))
  expect(nextInvoiceCheckAt({ ...pending, status: 'overdue' }, now)).toEqual(
    at('2026-12-02T00:00:00Z'),
  )
  for (const status of ['initiated', 'failure', 'paid', 'expired', 'voided'] as const)
    expect(nextInvoiceCheckAt({ ...pending, status }, now)).toBeNull()
})

test('a payment that is not yet the invoice’s is asked after, ever more rarely', () => {
  const now = at('2026-12-01T00:00:00Z')
  expect(hintedCheckAt(now, now)).toEqual(at('2026-12-01T00:00:10Z'))
  expect(hintedCheckAt(at('2026-11-30T23:00:00Z'), now)).toEqual(at('2026-12-01T01:00:00Z'))
  expect(hintedCheckAt(at('2026-10-01T00:00:00Z'), now)).toEqual(at('2026-12-01T12:00:00Z'))
})

const NO_DAY = 'a day as YYYY-MM-DD'
const TODAY = '2026-11-15'

test.each([
  ['2026-11-15', '2026-11-15', []],
  ['2026-11-10', '2026-11-30', []],
  ['2026-11-20', '2026-11-20', []],
  ['soon', '2026-11-30', [['invoice_date', NO_DAY]]],
  ['2026-11-15', '2026-02-30', [['due_date', NO_DAY]]],
  [
    '',
    '',
    [
      ['invoice_date', NO_DAY],
      ['due_date', NO_DAY],
    ],
  ],
  ['2026-11-10', '2026-11-14', [['due_date', 'must not be before today, 2026-11-15']]],
  ['2026-11-20', '2026-11-19', [['due_date', 'must not be before invoice_date']]],
  // A text that is no day is not compared with one.
  ['zzz', '2026-11-30', [['invoice_date', NO_DAY]]],
])('an invoice of %s that is due on %s', (invoice_date, due_date, faults) => {
  const found = dateFaults({ invoice_date, due_date }, TODAY)
  expect(found.map(({ field, message }) => [field, message])).toEqual(faults)
})
