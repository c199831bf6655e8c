/**
 * What a caller may do beyond reading its own objects. Each scope is one right; none includes
 * another.
 */
export const SCOPES = [
  'payments:write',
  'payments:refund',
  'payments:capture',
  'invoices:write',
  'subscriptions:write',
  'staff:read',
  'staff:act',
] as const

export type Scope = (typeof SCOPES)[number]

export type StaffScope = Extract<Scope, `staff:${string}`>

/** The caller. Every operation takes one. */
export interface Caller {
  owner_id: string
  /** A person or program of the merchant; the staff scopes say what it may do. */
  staff: boolean
  scopes: readonly Scope[]
}

/** Staff with the scope: neither alone is enough (ADR 0020). */
export const hasStaffScope = ({ staff, scopes }: Caller, scope: StaffScope): boolean =>
  staff && scopes.includes(scope)

/** Whether the caller sees the objects of every owner. The staff rule is defined only here. */
export const seesAll = (caller: Caller): boolean => hasStaffScope(caller, 'staff:read')

/** Whether the caller may change an object of this owner, given the scope of the change itself. */
export const mayActFor = (caller: Caller, owner_id: string): boolean =>
  caller.owner_id === owner_id || (seesAll(caller) && hasStaffScope(caller, 'staff:act'))
