import type { Pool } from 'pg'
import { GatewayClient } from '../gateway/client.ts'
import type { GatewaySettings } from '../gateway/settings.ts'
import type { Context, Logger } from '../services/context.ts'
import { checkServer, openDatabase, type DatabaseOptions } from '../store/database.ts'
import { claimEnvironment } from '../store/settings.ts'
import { insideTransaction, withTransaction } from '../store/transaction.ts'

export interface PartsOptions {
  /** The host's pool, which stays the host's to close. */
  pool?: Pool
  /** Or where to open one of our own. */
  databaseUrl?: string
  /** Where our tables live: `gapura` unless told. */
  schema?: string
  database?: Omit<DatabaseOptions, 'schema'>
  gateway: GatewaySettings
  logger?: Logger
  /** Ask the gateway before believing a notification that gives value (D-20). */
  confirmNotifications?: boolean
}

export interface Parts {
  ctx: Context
  /** Resolves once the database is known to be fit and of our environment; asked until it is. */
  ready: () => Promise<void>
  close: () => Promise<void>
}

const SILENT: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Builds the parts and hands them to one another. Nothing is connected yet. */
export function compose(options: PartsOptions): Parts {
  const { pool, databaseUrl, schema, logger = SILENT } = options
  const source = pool ?? databaseUrl
  if (source === undefined || (pool !== undefined && databaseUrl !== undefined)) {
    throw new TypeError('pass pool or databaseUrl, one of them')
  }
  const db = openDatabase(source, { ...options.database, ...(schema !== undefined && { schema }) })
  const gateway = new GatewayClient({ ...options.gateway, guard: refuseInsideTransaction })
  const ctx: Context = {
    db,
    gateway,
    log: logger,
    confirm_notifications: options.confirmNotifications ?? false,
    reached: () => undefined,
  }
  return {
    ctx,
    ready: once(async () => {
      await checkServer(db)
      const environment = options.gateway.is_production === true ? 'production' : 'sandbox'
      await withTransaction(db, async (tx) => await claimEnvironment(tx, environment))
    }),
    close: async () => {
      await gateway.close()
      await db.close()
    },
  }
}

/** A call that waits for the gateway while it holds a lock would make everybody wait (I-22). */
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
