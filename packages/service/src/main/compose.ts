import type { Pool } from 'pg'
import type { FeeRounding } from '../domain/fees.ts'
import { CELL_NAME } from '../domain/order_id.ts'
import type { RefundPolicy } from '../domain/refund_request.ts'
import { GatewayClient } from '../gateway/client.ts'
import { cellTokens } from '../gateway/cell_token.ts'
import { PeerCell } from '../gateway/peer_cell.ts'
import type { Secret } from '../gateway/secret.ts'
import type { GatewaySettings } from '../gateway/settings.ts'
import { SharedParts } from '../gateway/shared_parts.ts'
import { StatementClient } from '../gateway/statements.ts'
import type { CellContext, Context, Logger } from '../services/context.ts'
import type { GroupLimits } from '../services/group_writer.ts'
import { withInbox } from '../services/notifications/open_inbox.ts'
import { OwnerMoves } from '../store/cells/moved_owners.ts'
import { openDatabase, type Database, type DatabaseOptions } from '../store/connection/database.ts'
import type { Environment } from '../store/connection/settings.ts'
import { insideTransaction } from '../store/connection/transaction.ts'
import { checkFitness } from '../store/schema/fitness.ts'
import { consoleLogger } from './json_logger.ts'
import { Registry } from './metrics/registry.ts'
import { hasMail, type AlertSettings } from './staff_channels.ts'
import { createTelemetry } from './telemetry.ts'
import { webhookContext, type WebhookSettings } from './webhook_endpoints.ts'

export interface PartsOptions {
  /** The host's pool, which stays the host's to close. */
  pool?: Pool
  /** Or where to open one of our own. */
  databaseUrl?: string
  /** The schema of our tables; `gapura` by default. */
  schema?: string
  database?: Omit<DatabaseOptions, 'schema' | 'onDone' | 'onFailed' | 'standby'>
  gateway: GatewaySettings
  /** Without one, warnings and errors go to standard error as JSON lines (operating.md#logging). */
  logger?: Logger
  /** Ask the gateway before believing a notification that gives value (ADR 0004). */
  confirmNotifications?: boolean
  /** What one staff member may refund alone (ADR 0010), in whole rupiah; unlimited by default. */
  refunds?: RefundSettings
  /** How expected fees are rounded; `half_up`, to whole rupiah, by default (money.md). */
  feeRounding?: FeeRounding
  /** Above this amount in rupiah a second staff member approves what is decided about an exception. */
  reconcileSecondPersonAbove?: number
  /** Staff learn of a gateway that sends no notification for so many hours; off by default. */
  gatewaySilentHours?: number
  /** Sends operator events to Slack, Telegram or e-mail, from the worker. */
  alerts?: AlertSettings
  /** Where browsers reach the service, prefix included; needed with `oidc` and scheduled exports. */
  publicUrl?: string
  /** What is read of the gateway's own statements (statements.md). */
  statements?: StatementSettings
  /** The name of this cell and the others; without it there is one cell (cells.md). */
  cell?: CellSettings
  /** What endpoints of webhooks need (webhooks.md); without it none can be created. */
  webhooks?: WebhookSettings
  /** Called at each named point of a flow; crash campaigns end the process there. */
  reached?: Context['reached']
  /** How notifications are grouped under load: connections used at once, sizes, and how many wait. */
  inbox?: Partial<GroupLimits>
}

export interface CellSettings {
  /** At most eight lower-case letters. */
  name: string
  /** Where the APIs of the other cells are reached, by their names. */
  peers?: Readonly<Record<string, string>>
  /** 32 bytes each in base64, the same in all cells: staff list the payments of all with it. */
  keys?: readonly Secret[]
  /** Where browsers reach the other cells, prefix included, by their names. */
  dashboards?: Readonly<Record<string, string>>
}

export interface RefundSettings {
  /** By one caller in any 24 hours. */
  daily_limit?: number
  /** Above this amount a second staff member must approve. */
  second_person_above?: number
  /** How long a held refund waits for that approval; 72 by default. */
  hold_hours?: number
}

export interface StatementSettings {
  /** Read the balance of each day; off by default. */
  balance?: boolean
  /** How many days before the first reading are read too; 7 by default. */
  days_back?: number
}

const DAYS_BACK = 7
const HOLD_HOURS = 72
const HOUR_MS = 3_600_000

function policyOf({ daily_limit, second_person_above, hold_hours }: RefundSettings): RefundPolicy {
  for (const value of [daily_limit, second_person_above, hold_hours]) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1)) {
      throw new RangeError(`a bound on refunds is a whole number from 1 on, not ${value}`)
    }
  }
  const money = (rupiah: number) => BigInt(rupiah) * 100n
  return {
    ...(daily_limit !== undefined && { daily_limit: money(daily_limit) }),
    ...(second_person_above !== undefined && { second_person_above: money(second_person_above) }),
    hold_ms: (hold_hours ?? HOLD_HOURS) * HOUR_MS,
  }
}

export interface Parts {
  ctx: Context
  environment: Environment
  /** What was counted in this process. */
  registry: Registry
  /** Resolves once the database is known to be fit and of our environment; asked until it is. */
  ready: () => Promise<void>
  close: () => Promise<void>
}

/** Builds the parts and hands them to one another. Nothing is connected yet. */
export function compose(options: PartsOptions): Parts {
  const { pool, databaseUrl, schema, logger = consoleLogger() } = options
  const environment = options.gateway.is_production === true ? 'production' : 'sandbox'
  const source = pool ?? databaseUrl
  if (source === undefined || (pool !== undefined && databaseUrl !== undefined)) {
    throw new TypeError('pass pool or databaseUrl, one of them')
  }
  const registry = new Registry()
  const { telemetry, log, onDone, onFailed, onCall } = createTelemetry(registry, logger)
  const db = openDatabase(source, {
    ...options.database,
    ...(schema !== undefined && { schema }),
    onDone,
    onFailed,
  })
  const shared = new SharedParts({
    ...options.gateway,
    observe: (observed) => {
      onCall(observed)
      options.gateway.observe?.(observed)
    },
    trace: telemetry.trace,
    guard: refuseInsideTransaction,
  })
  const gateway = new GatewayClient(shared)
  const parts = {
    db,
    gateway,
    log,
    telemetry,
    ...policiesOf(options),
    statements: statementsOf(shared, options),
    ...(options.cell && { cell: cellOf(options.cell, db) }),
    ...(options.webhooks && { webhooks: webhookContext(options.webhooks) }),
    reached: options.reached ?? (() => undefined),
  }
  const ctx = withInbox(parts, options.inbox)
  return {
    ctx,
    environment,
    registry,
    ready: once(async () => await checkFitness(db, environment)),
    close: async () => {
      await ctx.inbox.drain()
      await gateway.close()
      for (const peer of ctx.cell?.peers ?? []) await peer.close()
      await db.close()
    },
  }
}

function cellOf(settings: CellSettings, db: Database): CellContext {
  const { name, peers = {}, keys, dashboards } = settings
  for (const one of [name, ...Object.keys(peers)]) {
    if (!CELL_NAME.test(one))
      throw new TypeError('a cell is named by at most eight letters, a to z')
  }
  const others = Object.entries(peers).filter(([peer]) => peer !== name)
  const sorted = others.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    name,
    peers: sorted.map(([peer, url]) => new PeerCell(peer, url)),
    moves: new OwnerMoves(db),
    ...(keys && { tokens: cellTokens(keys) }),
    ...(dashboards && { dashboards }),
  }
}

const policiesOf = ({ feeRounding, gatewaySilentHours, ...options }: PartsOptions) => ({
  ...(options.reconcileSecondPersonAbove !== undefined && {
    reconciliation: { second_person_above: BigInt(options.reconcileSecondPersonAbove) * 100n },
  }),
  exports_by_mail:
    options.publicUrl !== undefined && options.alerts !== undefined && hasMail(options.alerts),
  confirm_notifications: options.confirmNotifications ?? false,
  refunds: policyOf(options.refunds ?? {}),
  ...(feeRounding !== undefined && { fee_rounding: feeRounding }),
  ...(gatewaySilentHours !== undefined && { gateway_silent_hours: gatewaySilentHours }),
})

const statementsOf = (shared: SharedParts, { statements }: PartsOptions) => ({
  client: new StatementClient(shared),
  balance: statements?.balance ?? false,
  days_back: statements?.days_back ?? DAYS_BACK,
})

/** A gateway call inside a transaction would hold its locks while it waits (I-22). */
function refuseInsideTransaction(): void {
  if (insideTransaction()) throw new Error('a call to the gateway inside a transaction')
}

/** Runs until it has succeeded once; those who come meanwhile wait for the same run. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return async () => {
    running ??= work().catch((error: unknown) => {
      running = undefined
      throw error
    })
    await running
  }
}
