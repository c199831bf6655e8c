// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { OperationKind } from './unions.ts'

export interface Operation {
  /** The id of the operation; it is also the idempotency key at the gateway. */
  id: Uuid
  /** The owner of the object. */
  owner_id: string
  /** Which call to the gateway it is. */
  kind: OperationKind
  /** What kind of object it changes. */
  subject_kind: 'payment' | 'invoice' | 'subscription'
  /** The object it changes. */
  subject_id: Uuid
  /** The refund it makes; null for other operations. */
  refund_id: Uuid | null
  /** What was sent, without tokens, card data and keys. */
  request: Record<string, unknown>
  /** What the gateway answered; null until it has. */
  reply: Record<string, unknown> | null
  /** `unknown`: it was sent and the gateway did not answer clearly; the resolver looks it up. */
  state: 'started' | 'succeeded' | 'refused' | 'unknown'
  /** How many attempts there were; only the latest may record a result. */
  attempt: number
  /** When the resolver takes it up next; null where it has ended. */
  due_at: Timestamp | null
  /** When it was last sent. */
  sent_at: Timestamp
  /** How often it was sent. */
  sends: number
  /** When the operation was created. */
  created_at: Timestamp
  /** When the operation last changed. */
  updated_at: Timestamp
}
