// When the gateway's statement of a day is read.
import { expect, test } from 'vitest'
import { firstReadAt, nextReadAt, spanOf } from './statement.ts'

const at = (time: string): Date => new Date(time)

test('a day lasts from its first to its last second in Jakarta', () => {
  expect(spanOf('2026-11-15')).toEqual({
    from: at('2026-11-14T17:00:00Z'),
    to: at('2026-11-15T16:59:59Z'),
  })
})

test('a day is first read two hours after its end', () => {
  expect(firstReadAt('2026-11-15')).toEqual(at('2026-11-15T19:00:00Z'))
})

test.each([
  ['2026-11-15T19:00:00Z', '2026-11-16T19:00:00Z'],
  ['2026-11-16T18:59:59Z', '2026-11-16T19:00:00Z'],
  ['2026-11-16T19:00:00Z', '2026-11-18T19:00:00Z'],
  ['2026-11-18T19:00:00Z', '2026-11-22T19:00:00Z'],
  ['2026-12-15T19:00:00Z', '2027-01-14T19:00:00Z'],
  ['2027-01-14T19:00:00Z', '2027-02-13T19:00:00Z'],
])('a day that was read at %s is read again at %s', (now, next) => {
  expect(nextReadAt('2026-11-15', at(now))).toEqual(at(next))
})

test('after ninety days a day is not read again', () => {
  expect(nextReadAt('2026-11-15', at('2027-02-13T19:00:00Z'))).toBeNull()
})
