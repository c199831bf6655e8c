import { expect, test } from 'vitest'
import {
  areScopes,
  defaultScopes,
  isOwnerId,
  mayActFor,
  SCOPES,
  seesAll,
  type Caller,
  type Scope,
} from './caller.ts'

const callerOf = (staff: boolean, scopes: readonly Scope[]): Caller => ({
  owner_id: 'dewi',
  staff,
  scopes,
})

test.each([
  [true, ['staff:read'], true],
  [true, ['payments:write'], true],
  [true, [], true],
  [false, SCOPES, false],
] as const)('staff %s with %j sees everybody’s: %s', (staff, scopes, sees) => {
  expect(seesAll(callerOf(staff, scopes))).toBe(sees)
})

test.each([
  [true, ['staff:read', 'staff:act'], true],
  [true, ['staff:read', 'payments:refund'], false],
  [true, ['staff:act'], true],
  [true, [], false],
  [false, SCOPES, false],
] as const)('staff %s with %j acts on another’s: %s', (staff, scopes, may) => {
  expect(mayActFor(callerOf(staff, scopes), 'ani')).toBe(may)
  expect(mayActFor(callerOf(staff, scopes), 'dewi')).toBe(true)
})

test('without scopes an owner has every scope but those of staff, and staff have all', () => {
  expect(defaultScopes(true)).toEqual(SCOPES)
  expect(defaultScopes(false)).toEqual([
    'payments:write',
    'payments:refund',
    'payments:capture',
    'invoices:write',
    'subscriptions:write',
    'webhooks:write',
  ])
})

test.each(['d', 'dewi', 'toko dewi / 7', 'x'.repeat(255)])('an owner id may be %s', (id) => {
  expect(isOwnerId(id)).toBe(true)
})

test.each(['', 'x'.repeat(256), 'a\0b', 7, null, undefined, ['dewi']])(
  'an owner id may not be %j',
  (id) => {
    expect(isOwnerId(id)).toBe(false)
  },
)

test('scopes are a list of known ones, also an empty one', () => {
  expect([areScopes([]), areScopes(['staff:act']), areScopes(SCOPES)]).toEqual([true, true, true])
  expect(areScopes(['staff:act', 'staff:all'])).toBe(false)
  expect(areScopes('staff:act')).toBe(false)
  expect(areScopes(null)).toBe(false)
})
