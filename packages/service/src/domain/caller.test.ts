import { expect, test } from 'vitest'
import { defaultScopes, mayActFor, SCOPES, seesAll, type Caller, type Scope } from './caller.ts'

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
