import type { RefundPolicy } from '../domain/refund_request.ts'
import type { Watch } from '../domain/watch.ts'
import type { GatewayClient } from '../gateway/client.ts'
import { inTurnOf, type Database } from '../store/database.ts'
import type { Inbox } from './notifications/inbox_item.ts'

/** The part of a pino-shaped logger we use. Fields are chosen one by one, never a whole object. */
export interface Logger {
  info: (fields: object, message: string) => void
  warn: (fields: object, message: string) => void
  error: (fields: object, message: string) => void
}

/** What every operation works with. Built once, in main. */
export interface Context {
  db: Database
  gateway: GatewayClient
  log: Logger
  /** Ask the gateway before any move that gives value, even if the signature is good (ADR 0004). */
  confirm_notifications: boolean
  /** What one person may pay back alone; as much as there is unless told. */
  refunds?: RefundPolicy
  /** The one writer of this process's notifications. */
  inbox: Inbox
  /** Counts and traces; nobody unless told. */
  watch?: Watch
  /** Called at each named point of a flow; tests end the process there. */
  reached: (point: CrashPoint) => void
}

/** The context of an owner's request: connections and calls to the gateway in its turn. */
export const contextFor = (ctx: Context, owner_id: string): Context => ({
  ...ctx,
  db: inTurnOf(ctx.db, owner_id),
  gateway: ctx.gateway.forOwner(owner_id),
})

/**
 * The moments at which a process may die with something half done. Each is a promise that the
 * record alone is enough to go on from there.
 */
export const CRASH_POINTS = [
  'charge.validated',
  'charge.slot_taken',
  'charge.key_claimed',
  'charge.payment_inserted',
  'charge.operation_inserted',
  'charge.written_down',
  'charge.before_send',
  'charge.answered',
  'charge.refused',
  'charge.unclear',
  'charge.locked',
  'charge.applied',
  'charge.operation_finished',
  'charge.recorded',
  'action.written_down',
  'action.answered',
  'action.locked',
  'action.recorded',
  'refund.locked',
  'refund.reserved',
  'refund.row_inserted',
  'refund.operation_inserted',
  'refund.written_down',
  'refund.answered',
  'refund.refused',
  'refund.unclear',
  'refund.relocked',
  'refund.applied',
  'refund.recorded',
  'create.key_claimed',
  'create.inserted',
  'create.operation_inserted',
  'create.written_down',
  'create.before_send',
  'create.answered',
  'create.refused',
  'create.unclear',
  'create.locked',
  'create.applied',
  'create.recorded',
  'webhook.verified',
  'webhook.begun',
  'webhook.locked',
  'webhook.applied',
  'webhook.inserted',
  'webhook.committed',
] as const

export type CrashPoint = (typeof CRASH_POINTS)[number]
