import { expect, test } from 'vitest'
import { exportDueAt, periodAfter, periodOf } from './export_schedule.ts'

test.each([
  ['day', '2026-11-17', '2026-11-17', '2026-11-18'],
  ['week', '2026-11-17', '2026-11-16', '2026-11-23'],
  ['week', '2026-11-16', '2026-11-16', '2026-11-23'],
  ['week', '2026-11-22', '2026-11-16', '2026-11-23'],
  ['week', '2027-01-01', '2026-12-28', '2027-01-04'],
  ['month', '2026-12-31', '2026-12-01', '2027-01-01'],
  ['month', '2028-02-29', '2028-02-01', '2028-03-01'],
  ['day', '2028-02-28', '2028-02-28', '2028-02-29'],
] as const)('the %s of %s begins on %s, the next on %s', (every, day, from, next) => {
  expect([periodOf(every, day), periodAfter(every, from)]).toEqual([from, next])
})

test('the mail is due at six in the morning in Jakarta after the period', () => {
  expect(exportDueAt('day', '2026-11-16').toISOString()).toBe('2026-11-16T23:00:00.000Z')
  expect(exportDueAt('month', '2026-12-01').toISOString()).toBe('2026-12-31T23:00:00.000Z')
})

test('a period without a day after it is refused', () => {
  expect(() => exportDueAt('day', '9999-12-31')).toThrow('no day: 9999-12-31')
})
