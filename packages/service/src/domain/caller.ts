/** What a caller may do beyond reading her own. Each is one right; none holds another. */
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

/** Who is calling. Every operation takes one; there is no call without. */
export interface Caller {
  owner_id: string
  /** A person or program of the merchant's own; what she may do with it the staff scopes say. */
  staff: boolean
  scopes: readonly Scope[]
}

/** Staff and with the scope: the one without the other is worth nothing (ADR 0020). */
export const hasStaffScope = ({ staff, scopes }: Caller, scope: StaffScope): boolean =>
  staff && scopes.includes(scope)

/** Whether the objects of every owner are to be seen. The only place the staff rule is spelled. */
export const seesAll = (caller: Caller): boolean => hasStaffScope(caller, 'staff:read')

/** Whether the caller may change an object of this owner, given the scope of the change itself. */
export const mayActFor = (caller: Caller, owner_id: string): boolean =>
  caller.owner_id === owner_id || (seesAll(caller) && hasStaffScope(caller, 'staff:act'))
