import { hasStaffScope, mayActFor, type Caller, type StaffScope } from '../../domain/caller.ts'
import { RequestProblem } from '../problem.ts'

const needs = (scope: StaffScope): RequestProblem =>
  new RequestProblem('forbidden', `Use a staff key that has the scope ${scope}.`)

/**
 * 403 unless the caller is staff with this scope: reading all does not permit changing all (ADR
 * 0020).
 */
export function requireStaff(caller: Caller, scope: StaffScope): void {
  if (!hasStaffScope(caller, scope)) throw needs(scope)
}

/**
 * 403 if the caller may see another owner's object but not change it; if it may not see it, 404.
 */
export function requireActingFor(caller: Caller, owner_id: string): void {
  if (!mayActFor(caller, owner_id)) throw needs('staff:act')
}
