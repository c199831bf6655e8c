/** Who did it: an owner, a staff member, or the service itself. */
export const ACTOR_KINDS = ['owner', 'staff', 'system'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** `<subject>.<action>`; money actions are named by their operation, as in `payment.refund`. */
export type AuditAction = `${string}.${string}`

/**
 * One action or read access (ADR 0022). It never contains an e-mail address, name or phone number.
 */
export interface AuditEntry {
  id: string
  occurred_at: Date
  actor: string
  actor_kind: ActorKind
  action: AuditAction
  subject_kind: string
  subject_id: string
  owner_id: string | null
  reason: string | null
  request_id: string | null
  operation_id: string | null
  /** JSON, as the text that was written. */
  detail: string
}

/** Its position in the chain. */
export interface AuditSeal {
  /** From 1, without gaps. An int8, which JavaScript holds exactly up to 2^53. */
  seq: number
  sealed_at: Date
  /** SHA-256 in hex. */
  hash: string
}

export type SealedEntry = AuditEntry & AuditSeal

/** The hash before the first row. */
export const AUDIT_GENESIS = '0'.repeat(64)

/**
 * What is hashed: every field in a fixed order, as JSON, so that each value has one form and fields
 * cannot run together. The first word is a version: change it if the form changes.
 */
export const canonicalEntry = (entry: AuditEntry & Omit<AuditSeal, 'hash'>): string =>
  JSON.stringify([
    'gapura-audit-1',
    entry.seq,
    entry.sealed_at.toISOString(),
    entry.id,
    entry.occurred_at.toISOString(),
    entry.actor,
    entry.actor_kind,
    entry.action,
    entry.subject_kind,
    entry.subject_id,
    entry.owner_id,
    entry.reason,
    entry.request_id,
    entry.operation_id,
    entry.detail,
  ])
