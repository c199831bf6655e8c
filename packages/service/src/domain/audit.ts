import type { OperationKind } from './operation.ts'
import type { ObjectKind } from './signals.ts'

/** Who did it: an owner, a staff member, or the service itself. */
export const ACTOR_KINDS = ['owner', 'staff', 'system'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

const READS = ['list', 'read', 'history', 'check_status'] as const

/**
 * What is recorded of each kind of subject. An operation has the name of its kind; the dashboard has
 * a text for each action in both languages.
 */
const ACTIONS = {
  payment: [
    ...READS,
    'search',
    'note',
    'adopt',
    'export',
    'exported',
    'cancel',
    'expire',
    'capture',
    'approve',
    'deny',
    'refund',
    'direct_refund',
  ],
  invoice: [...READS, 'create_invoice', 'void_invoice'],
  subscription: [
    ...READS,
    'create_subscription',
    'disable_subscription',
    'enable_subscription',
    'cancel_subscription',
    'update_subscription',
  ],
  checkout: [...READS, 'create_checkout', 'cancel_checkout'],
  customer: ['read'],
  refund: ['list', 'hold', 'approve', 'decline'],
  refund_request: ['list'],
  notification: ['list', 'read', 'replay'],
  operation: ['list', 'resolve'],
  alarm: ['list', 'take', 'note', 'close'],
  event: ['list', 'retry', 'skip'],
  subscriber: ['retire'],
  webhook_endpoint: [
    'list',
    'read',
    'create',
    'update',
    'pause',
    'enable',
    'rotate',
    'test',
    'resend',
    'delete',
  ],
  webhook_delivery: ['list', 'read'],
  export_schedule: ['create', 'delete', 'send'],
  ledger: ['list', 'close_day', 'complete', 'correct', 'export', 'exported'],
  fee_rate: ['set'],
  statement: ['import'],
  statement_mapping: ['set'],
  bank_holiday: ['set'],
  reconciliation: [
    'list',
    'read',
    'list_payouts',
    'read_payout',
    'refresh',
    'adopt',
    'act',
    'request',
    'approve',
    'undo',
  ],
  person: ['list', 'invite', 'join', 'update', 'link', 'sign_out', 'refuse', 'lock'],
  role: ['update'],
  session: ['open', 'end'],
  key: ['list', 'create', 'revoke'],
  audit: ['export', 'drop'],
  privacy: ['erase'],
  retention: ['drop'],
} as const

type AuditSubject = keyof typeof ACTIONS
export type ActionOn<Subject extends AuditSubject> = (typeof ACTIONS)[Subject][number]

/** `<subject>.<action>`. */
export type AuditAction = {
  [Subject in AuditSubject]: `${Subject}.${ActionOn<Subject>}`
}[AuditSubject]

export const AUDIT_ACTIONS: readonly string[] = Object.entries(ACTIONS).flatMap(
  ([subject, actions]) => actions.map((action) => `${subject}.${action}`),
)

/** An operation is named by its kind, which is an action on its own kind of subject only. */
export type OperationAction = `${ObjectKind}.${OperationKind}`

/**
 * One action or read access (ADR 0022). It never contains an e-mail address, name or phone number.
 */
export interface AuditEntry {
  id: string
  occurred_at: Date
  actor: string
  actor_kind: ActorKind
  /** An entry of another release may have one that is not known here. */
  action: string
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
