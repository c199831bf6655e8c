import { expect, test } from 'vitest'
import { mayActFor, SCOPES, seesAll, type Caller, type Scope } from './caller.ts'

const callerOf = (staff: boolean, scopes: readonly Scope[]): Caller => ({
  owner_id: 'dewi',
  staff,
  scopes,
})

test.each([
  [true, ['staff:read'], true],
  [true, ['staff:act', 'payments:refund'], false],
  [true, [], false],
  [false, SCOPES, false],
] as const)('staff %s with %j sees everybody’s: %s', (staff, scopes, sees) => {
  expect(seesAll(callerOf(staff, scopes))).toBe(sees)
})

test.each([
  [true, ['staff:read', 'staff:act'], true],
  [true, ['staff:read', 'payments:refund'], false],
  // Acting requires seeing: a caller may not change what it may not see.
  [true, ['staff:act'], false],
  [false, SCOPES, false],
] as const)('staff %s with %j acts on another’s: %s', (staff, scopes, may) => {
  expect(mayActFor(callerOf(staff, scopes), 'ani')).toBe(may)
  expect(mayActFor(callerOf(staff, scopes), 'dewi')).toBe(true)
})
