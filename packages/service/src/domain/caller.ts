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
  'webhooks:write',
  'staff:read',
  'staff:act',
  'staff:manage',
] as const

export type Scope = (typeof SCOPES)[number]

export type StaffScope = Extract<Scope, `staff:${string}`>

/** The caller. Every operation takes one. */
export interface Caller {
  owner_id: string
  /** A person or program of the merchant. It sees the objects of every owner. */
  staff: boolean
  scopes: readonly Scope[]
  /** The cell that asks for this staff member, if it is another one (ADR 0039). */
  from_cell?: string
}

/** A caller as a host, a token or an order for a key names it. */
export interface GivenCaller {
  /** Whose objects the caller creates and sees; 1 to 255 characters. */
  owner_id: string
  /** False by default. */
  staff?: boolean | undefined
  /**
   * Narrows what the caller may do. Without it, all that the specification allows: an owner does
   * everything with its own objects, staff everything with every owner's.
   */
  scopes?: readonly Scope[] | undefined
}

const OWNER_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !scope.startsWith('staff:'))

/** What a caller may do whose scopes were not narrowed (ADR 0020). */
export const defaultScopes = (staff: boolean): readonly Scope[] => (staff ? SCOPES : OWNER_SCOPES)

const OWNER_ID = /^[^\0]{1,255}$/

export const isOwnerId = (value: unknown): value is string =>
  typeof value === 'string' && OWNER_ID.test(value)

export const areScopes = (value: unknown): value is readonly Scope[] =>
  Array.isArray(value) && value.every((one) => SCOPES.some((known) => known === one))

/** Staff with the scope: neither alone is enough (ADR 0020). */
export const hasStaffScope = ({ staff, scopes }: Caller, scope: StaffScope): boolean =>
  staff && scopes.includes(scope)

/** Whether the caller sees the objects of every owner. The staff rule is defined only here. */
export const seesAll = ({ staff }: Caller): boolean => staff

/** Whether the caller may change an object of this owner, given the scope of the change itself. */
export const mayActFor = (caller: Caller, owner_id: string): boolean =>
  caller.owner_id === owner_id || hasStaffScope(caller, 'staff:act')
