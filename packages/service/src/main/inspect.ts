import { inspectStore, type StoreInspection } from '../services/staff/inspect_store.ts'
import { openDatabase, serverFaultsOf, type Database } from '../store/connection/database.ts'
import { withRemedies } from '../store/connection/errors.ts'
import { grantsFor } from '../store/schema/grants.ts'
import { migrate, planMigrations } from '../store/schema/migrate.ts'
import { migrateJobs } from '../tasks/runner.ts'
import type { PartsOptions } from './compose.ts'

/** Where the tables are: what is needed to migrate and to look, without a gateway. */
export type DatabaseAddress = Pick<PartsOptions, 'schema' | 'database'> & { databaseUrl: string }

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function withDatabase<Result>(
  { databaseUrl, schema, database }: DatabaseAddress,
  standby: boolean,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const place = { ...database, ...(schema !== undefined && { schema }) }
  const db = openDatabase(databaseUrl, { ...place, standby })
  try {
    return await withRemedies(db.schema, async () => await work(db))
  } finally {
    await db.close()
  }
}

/** Brings the tables, and the queue's, to this release's form; returns what it applied. */
export const migrateDatabase = async (address: DatabaseAddress): Promise<string[]> =>
  await withDatabase(address, false, async (db) => {
    const applied = await migrate(db)
    await migrateJobs({ db, log: SILENT })
    return applied
  })

/** The SQL that migrating would run now. Changes nothing. */
export const planDatabase = async (
  address: DatabaseAddress,
): Promise<{ name: string; sql: string }[]> => await withDatabase(address, true, planMigrations)

/** The SQL that gives a role of the application its rights, and no right to rewrite history. */
export const grantsForRole = (
  { schema = 'gapura' }: Pick<DatabaseAddress, 'schema'>,
  role: string,
): string => grantsFor({ schema }, role)

export interface DatabaseInspection {
  /** What makes the server unfit for money; empty is good. */
  server_faults: string[]
  /** Migrations still to be applied. With any, the rest cannot be looked at. */
  pending: string[]
  store: StoreInspection | null
}

/** Inspects a database. Throws only if it is unreachable or belongs to another environment. */
export const inspectDatabase = async (address: DatabaseAddress): Promise<DatabaseInspection> =>
  await withDatabase(address, true, async (db) => {
    const server_faults = await serverFaultsOf(db)
    const pending = (await planMigrations(db)).map(({ name }) => name)
    return { server_faults, pending, store: pending.length > 0 ? null : await inspectStore(db) }
  })
