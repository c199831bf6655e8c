import type { ObjectKind } from './signals.ts'

/** Every call that changes something at the gateway; each is stored before it is sent. */
export const OPERATION_KINDS = [
  'charge',
  'cancel',
  'expire',
  'capture',
  'approve',
  'deny',
  'refund',
  'direct_refund',
  'create_invoice',
  'void_invoice',
  'create_subscription',
  'disable_subscription',
  'enable_subscription',
  'cancel_subscription',
  'update_subscription',
  'create_checkout',
  'cancel_checkout',
] as const

export type OperationKind = (typeof OPERATION_KINDS)[number]

/** `unknown`: sent, and no clear answer. It ends only by a query, never by guessing. */
export const OPERATION_STATES = ['started', 'succeeded', 'refused', 'unknown'] as const

export type OperationState = (typeof OPERATION_STATES)[number]

/** The write-ahead record of one such call. Its id is the idempotency key on the wire. */
export interface GatewayOperation {
  id: string
  owner_id: string
  kind: OperationKind
  subject_kind: ObjectKind
  subject_id: string
  /** For refunds, the refund that this operation makes. */
  refund_id: string | null
  /** Without tokens, card data or keys: enough to query, never enough to charge again. */
  request: Readonly<Record<string, unknown>>
  reply: Readonly<Record<string, unknown>> | null
  state: OperationState
  /** Fences a process that was paused: its answer is dropped if another attempt has begun. */
  attempt: number
  due_at: Date | null
  /** When it was last sent: what the gateway does not show a while later did not arrive. */
  sent_at: Date
  sends: number
  created_at: Date
  updated_at: Date
}

/** Whether it is open: a process works on it, or the resolver will. */
export const isOpen = ({ state }: Pick<GatewayOperation, 'state'>): boolean =>
  state === 'started' || state === 'unknown'
