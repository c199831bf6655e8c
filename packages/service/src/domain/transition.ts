import type { ObjectKind, Source } from './signals.ts'

/** One transition in the history of an object; appended, never changed. */
export interface GatewayTransition {
  object_kind: ObjectKind
  object_id: string
  owner_id: string
  /** The object's version after the transition: 1 is its creation. */
  version: number
  from_status: string | null
  to_status: string
  source: Source
  /** The notification or operation that proves it. */
  evidence_id: string | null
  reason: string | null
  occurred_at: Date
}
