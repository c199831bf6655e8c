/** What a caller may do beyond reading and charging her own (D-22). */
export const SCOPES = [
  'payments:write',
  'payments:refund',
  'payments:capture',
  'invoices:write',
  'subscriptions:write',
  'staff:read',
  'staff:write',
] as const

export type Scope = (typeof SCOPES)[number]

/** Who is calling. Every operation takes one; there is no call without. */
export interface Caller {
  owner_id: string
  /** Sees the objects of every owner. */
  staff: boolean
  scopes: readonly Scope[]
}
