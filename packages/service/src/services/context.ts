import type { FeeRounding } from '../domain/fees.ts'
import type { Money } from '../domain/money.ts'
import type { PaymentRepresentation } from '../domain/payment_representation.ts'
import type { RefundPolicy } from '../domain/refund_request.ts'
import type { Telemetry } from '../domain/telemetry.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { TransactionFacts } from '../gateway/facts.ts'
import type { CellTokens } from '../gateway/cell_token.ts'
import type { PeerCell } from '../gateway/peer_cell.ts'
import type { StatementClient } from '../gateway/statements.ts'
import type { AddressRules } from '../gateway/webhooks/address.ts'
import type { Vault } from '../gateway/webhooks/vault.ts'
import type { OwnerMoves } from '../store/cells/moved_owners.ts'
import { forOwner, type Database } from '../store/connection/database.ts'
import type { InsertedCharge, NewCharge } from '../store/payments/charges.ts'
import type { Inbox } from './inbox_item.ts'
import type { NotifyLinked } from './object_step.ts'

/** The part of a pino-shaped logger we use. Fields are chosen one by one, never a whole object. */
export interface Logger {
  info: (fields: object, message: string) => void
  warn: (fields: object, message: string) => void
  error: (fields: object, message: string) => void
}

/** The gateway's answer to the only send of a charge, whose rows are as they were inserted. */
export interface AnsweredCharge extends InsertedCharge {
  facts: TransactionFacts
  /** The part of the answer that is stored on the operation. */
  kept: Readonly<Record<string, unknown>>
}

/**
 * Stores charges, and records their answers, together with those that are made at the same time.
 * What cannot be done together is done by `alone`, the ordinary way of one charge.
 */
export interface ChargeGroups {
  insert: <Alone>(charge: NewCharge, alone: () => Promise<Alone>) => Promise<InsertedCharge | Alone>
  record: <Alone>(
    answered: AnsweredCharge,
    alone: () => Promise<Alone>,
  ) => Promise<{ code: number; body: PaymentRepresentation } | Alone>
}

/** What endpoints of webhooks need; without a key in the configuration there are none. */
export interface WebhookContext {
  vault: Vault
  rules: AddressRules
  /** How many endpoints one owner may have. */
  endpoints_max: number
}

/** How the gateway's own statements are read. */
export interface StatementContext {
  client: StatementClient
  /** Whether the balance of each day is read; the history is read if there are credentials for it. */
  balance: boolean
  /** How many days before the first reading are read too. */
  days_back: number
}

/** This cell among others (ADR 0039). */
export interface CellContext {
  name: string
  /** The other cells, in the order of their names. */
  peers: readonly PeerCell[]
  moves: OwnerMoves
  /** What one list over all cells needs; without a key in the configuration there is none. */
  tokens?: CellTokens
  /** Where browsers reach the others, prefix included, by their names. */
  dashboards?: Readonly<Record<string, string>>
}

/** What every operation works with. Built once, in main. */
export interface Context {
  db: Database
  gateway: GatewayClient
  log: Logger
  /**
   * Query the gateway before a transition that gives value, even if the signature is good (ADR
   * 0004).
   */
  confirm_notifications: boolean
  /** The largest refund that one staff member may make alone; unlimited by default. */
  refunds?: RefundPolicy
  /** What one staff member may decide alone about an exception; everything by default. */
  reconciliation?: { second_person_above: Money }
  /** After how many hours without a notification staff are notified; never without it. */
  gateway_silent_hours?: number
  /** How expected fees are rounded; to whole rupiah, half up, by default. */
  fee_rounding?: FeeRounding
  /** Whether a worker with these settings sends the mail of scheduled exports. */
  exports_by_mail?: boolean
  /** Without it there is one cell. */
  cell?: CellContext
  webhooks?: WebhookContext
  statements?: StatementContext
  /** The one writer of this process's notifications. */
  inbox: Inbox
  /** Joins the charges of this process. */
  charges: ChargeGroups
  /** Updates the invoice or subscription of a payment; a charge has none and does not load it. */
  notifyLinked: NotifyLinked
  /** Metrics and traces. Optional; disabled by default. */
  telemetry?: Telemetry
  /** Called at each named point of a flow; tests end the process there. */
  reached: (point: CrashPoint) => void
}

/**
 * The context of an owner's request: it takes connections and gateway calls in the owner's turn.
 */
export const contextFor = (ctx: Context, owner_id: string): Context => ({
  ...ctx,
  db: forOwner(ctx.db, owner_id),
  gateway: ctx.gateway.forOwner(owner_id),
})

/** The points of the operation engine, which every operation passes. */
const OPERATION_POINTS = [
  'written_down',
  'before_send',
  'answered',
  'refused',
  'unclear',
  'locked',
  'applied',
  'finished',
  'recorded',
] as const

const pointsOf = <Flow extends string>(flow: Flow) =>
  OPERATION_POINTS.map((point) => `${flow}.${point}` as const)

/**
 * The points at which a process may die with work half done. After each of them, what is stored
 * must be enough to continue.
 */
export const CRASH_POINTS = [
  'charge.validated',
  'charge.slot_taken',
  'charge.key_claimed',
  'charge.payment_inserted',
  'charge.operation_inserted',
  ...pointsOf('charge'),
  'action.prepare_locked',
  ...pointsOf('action'),
  'refund.prepare_locked',
  'refund.reserved',
  'refund.row_inserted',
  'refund.operation_inserted',
  ...pointsOf('refund'),
  'create.key_claimed',
  'create.inserted',
  'create.operation_inserted',
  ...pointsOf('create'),
  'webhook.verified',
  'webhook.begun',
  'webhook.locked',
  'webhook.applied',
  'webhook.inserted',
  'webhook.committed',
] as const

export type CrashPoint = (typeof CRASH_POINTS)[number]
