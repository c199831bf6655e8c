import { describe, expect, test } from 'vitest'
import { CHECKOUT_STATUSES, isPageOver, nextCheckoutCheckAt } from './checkout.ts'
import { decideCheckoutTransition, type NextCheckoutStatus } from './checkout_transitions.ts'

const TO: NextCheckoutStatus[] = ['failure', 'open', 'completed', 'expired', 'cancelled']
const TABLE = `
initiated move  move  move  stale stale
failure   stale stale move  stale stale
open      stale stale move  move  move
completed stale stale stale stale stale
expired   stale stale move  stale stale
cancelled stale stale move  stale stale`

const pairs = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))
  .flatMap(([from, ...answers]) =>
    answers.map((answer, column) => ({
      from: CHECKOUT_STATUSES.find((status) => status === from) ?? 'initiated',
      to: TO[column] ?? 'failure',
      answer,
    })),
  )

describe('every pair', () => {
  test('is listed: six known by five next', () => {
    expect(pairs).toHaveLength(6 * 5)
  })

  test.each(pairs)('$from → $to: $answer', ({ from, to, answer }) => {
    expect(decideCheckoutTransition(from, to).kind).toBe(answer)
  })
})

test('money after the end is late money; before it is not', () => {
  const late = (from: (typeof CHECKOUT_STATUSES)[number]) => {
    const move = decideCheckoutTransition(from, 'completed')
    return move.kind === 'move' ? move.surprise : undefined
  }
  expect(CHECKOUT_STATUSES.map(late)).toEqual([
    null,
    'late_money',
    null,
    undefined,
    'late_money',
    'late_money',
  ])
})

const at = (time: string): Date => new Date(`2026-11-16T${time}Z`)
const page = {
  status: 'open',
  expires_at: at('11:00:00'),
  page_expiry_minutes: 60,
  page_closed: null,
} as const

test.each([
  ['10:00:30', '10:01:00'],
  ['10:01:00', '10:03:00'],
  ['10:20:00', '10:30:00'],
  ['10:59:00', '11:00:00'],
  ['11:01:00', '11:02:00'],
  ['11:02:00', '11:12:00'],
])('an open page asked about at %s is asked about again at %s', (now, next) => {
  expect(nextCheckoutCheckAt(page, at(now))).toEqual(at(next))
})

test('an open page is asked about every hour after its first hour', () => {
  const long = { ...page, expires_at: at('23:00:00'), page_expiry_minutes: 24 * 60 }
  expect(nextCheckoutCheckAt(long, at('10:00:00'))).toEqual(at('11:00:00'))
})

test('a page that the gateway has not answered for is not asked about', () => {
  expect(nextCheckoutCheckAt({ ...page, expires_at: null }, at('10:00:00'))).toBeNull()
})

test('a page is over two minutes after its time', () => {
  expect(isPageOver(page, at('11:01:59'))).toBe(false)
  expect(isPageOver(page, at('11:02:00'))).toBe(true)
  expect(isPageOver({ expires_at: null }, at('11:02:00'))).toBe(false)
})

test('after its end a page is asked about once more, unless the gateway closed it', () => {
  const now = at('10:30:00')
  const after = (status: (typeof CHECKOUT_STATUSES)[number], page_closed: boolean | null = null) =>
    nextCheckoutCheckAt({ ...page, status, page_closed }, now)
  expect(after('completed')).toEqual(at('11:02:00'))
  expect(after('cancelled', false)).toEqual(at('11:02:00'))
  expect(after('cancelled', true)).toBeNull()
  expect(after('expired')).toBeNull()
  expect(after('failure')).toBeNull()
  expect(after('initiated')).toBeNull()
  expect(after('completed', true)).toEqual(at('11:02:00'))
  expect(nextCheckoutCheckAt({ ...page, status: 'completed' }, at('11:02:00'))).toBeNull()
})
