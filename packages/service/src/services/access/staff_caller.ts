import { hasStaffScope, mayActFor, type Caller, type StaffScope } from '../../domain/caller.ts'
import { RequestProblem } from '../problem.ts'

const needs = (scope: StaffScope): RequestProblem =>
  new RequestProblem('forbidden', `Use a key of staff that has the scope ${scope}.`)

/** 403 unless the caller is staff and has the scope: seeing all is not doing all (ADR 0020). */
export function requireStaff(caller: Caller, scope: StaffScope): void {
  if (!hasStaffScope(caller, scope)) throw needs(scope)
}

/** 403 where somebody sees another owner's object and may not change it; who does not see gets 404. */
export function requireActingFor(caller: Caller, owner_id: string): void {
  if (!mayActFor(caller, owner_id)) throw needs('staff:act')
}
