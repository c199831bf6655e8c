// A migrated database for each test file, so that files run at once without affecting each other.
// A worker keeps its modules from one file to the next; `test_setup.ts` renews the database for each.
import { Pool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import {
  openDatabase,
  type Database,
  type DatabaseOptions,
} from '../../src/store/connection/database.ts'
import { migrate } from '../../src/store/schema/migrate.ts'
import { withTransaction, type Tx } from '../../src/store/connection/transaction.ts'
import { createOwnDatabase, dropOwnDatabase, freshName, SHARED_URL } from './own_database.ts'

/**
 * The database of the test file that runs now. A script that uses parts of the tests keeps to the
 * shared one, in a schema of its own.
 */
export let DATABASE_URL = SHARED_URL

/** The schema that the database came with. A test that needs a second one migrates it. */
let schemas: string[] = []

/** Called before each test file is loaded. */
export async function useOwnDatabase(): Promise<void> {
  const url = await createOwnDatabase()
  DATABASE_URL = url
  schemas = ['gapura']
  afterAll(async () => await dropOwnDatabase(url))
}

export const freshSchemaName = freshName

export const dropSchema = async (pool: Pool, schema: string): Promise<void> => {
  await pool.query(`drop schema if exists ${schema} cascade`)
  // The queue's own, where a test started one.
  await pool.query(`drop schema if exists ${schema}_worker cascade`)
}

/** The same for a test that has no pool of its own: the schema and its queue. */
export async function dropService(schema: string): Promise<void> {
  const pool = new Pool({ connectionString: DATABASE_URL, max: 1 })
  await dropSchema(pool, schema)
  await dropSchema(pool, `${schema}_worker`)
  await pool.end()
}

export interface TestDatabase {
  readonly db: Database
  /** In a transaction of its own. */
  do: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
  /** Plain SQL on a pool of its own, as another application would send it. */
  sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
}

/** Sets up a database around the tests of this file. */
export function useDatabase(options: DatabaseOptions = {}): TestDatabase {
  let pool: Pool | undefined
  let db: Database | undefined
  const opened = (): Database => {
    if (db === undefined) throw new Error('the database is open only inside tests')
    return db
  }
  beforeAll(async () => {
    pool = new Pool({ connectionString: DATABASE_URL, max: 4 })
    const schema = schemas.pop()
    db = openDatabase(DATABASE_URL, {
      connections_max: 20,
      lock_timeout_ms: 10_000,
      ...options,
      schema: schema ?? freshSchemaName(),
    })
    if (schema === undefined) await migrate(db)
  })
  afterAll(async () => {
    await db?.close()
    await pool?.end()
  })
  return {
    get db() {
      return opened()
    },
    do: async (work) => await withTransaction(opened(), work),
    sql: async (text, values) => {
      const renamed = opened().statement(text).text
      return (await pool?.query<Record<string, unknown>>(renamed, values))?.rows ?? []
    },
  }
}

/** Waits for a condition, not for a time. */
export async function eventually<Value>(
  look: () => Promise<Value>,
  good: (value: Value) => boolean,
  deadline_ms = 15_000,
): Promise<Value> {
  const end = Date.now() + deadline_ms
  for (;;) {
    const value = await look()
    if (good(value) || Date.now() > end) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
