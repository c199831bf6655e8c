import type { ObjectKind } from './signals.ts'

/** Every call that changes something at the gateway; each is written down before it is sent. */
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
] as const

export type OperationKind = (typeof OPERATION_KINDS)[number]

/** `unknown`: sent, and no clear answer. It ends only by looking, never by guessing. */
export const OPERATION_STATES = ['started', 'succeeded', 'refused', 'unknown'] as const

export type OperationState = (typeof OPERATION_STATES)[number]

/** The write-ahead record of one such call. Its id is the idempotency key on the wire. */
export interface GatewayOperation {
  id: string
  owner_id: string
  kind: OperationKind
  subject_kind: ObjectKind
  subject_id: string
  /** For refunds, the refund this operation pays out. */
  refund_id: string | null
  /** Without tokens, card data or keys: enough to look, never enough to charge again. */
  request: Readonly<Record<string, unknown>>
  reply: Readonly<Record<string, unknown>> | null
  state: OperationState
  /** Fences a process that slept: its answer is dropped if another attempt has begun. */
  attempt: number
  due_at: Date | null
  /** When it was last sent: what is not there a while later did not arrive. */
  sent_at: Date
  sends: number
  created_at: Date
  updated_at: Date
}

/** Whether it has no end yet: somebody works on it, or the resolver will. */
export const isOpen = ({ state }: Pick<GatewayOperation, 'state'>): boolean =>
  state === 'started' || state === 'unknown'
