// Migrations that must run outside a transaction: their file begins with the line below. Such a
// file may only build or drop indexes on filled tables, and call a procedure that fills a table in
// pages it commits: each statement can be repeated, so an interrupted run is simply run again.
import type { PoolClient } from 'pg'
import { renameSchema, withConnection, type Database } from '../connection/database.ts'
import { patiently } from '../connection/pipelining.ts'
import { SQL_TYPES } from '../sql/values.ts'
import { StoreError } from '../connection/errors.ts'

const DIRECTIVE = '-- gapura: no transaction\n'
const CREATES = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)\s+on\s/
const DROPS = /^drop\s+index\s+concurrently\s+if\s+exists\s+gapura\.\w+$/
const CALLS = /^call\s+gapura\.\w+\(\)$/

export interface IndexStep {
  sql: string
  /** The index it creates; undefined for any other step. */
  makes: string | undefined
}

/** The steps of a file that must run outside a transaction; undefined for any other file. */
export function indexStepsOf(name: string, sql: string): IndexStep[] | undefined {
  if (!sql.startsWith(DIRECTIVE)) return undefined
  const statements = sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  return statements.map((statement) => {
    const makes = CREATES.exec(statement)?.[1]
    if (makes === undefined && !DROPS.test(statement) && !CALLS.test(statement)) {
      throw new RangeError(
        `${name} runs outside a transaction and may only "create index concurrently if not exists", "drop index concurrently if exists" and "call" a procedure`,
      )
    }
    return { sql: statement, makes }
  })
}

/**
 * Runs the steps on a connection of their own while the caller holds the migration lock on another,
 * idle one, because a build waits for every statement that began before it. Throws `index_building`
 * if a killed process left a build running on the server; drops and repeats an interrupted one.
 */
export async function runIndexSteps(
  db: Database,
  steps: readonly IndexStep[],
  timeout_ms: number,
): Promise<void> {
  if (db.pool.options.max < 2) {
    throw new StoreError('pool_too_small', 'this migration needs a pool of at least 2 connections')
  }
  await withConnection(db, async (client, doubt) => {
    // Not `local`, because there is no transaction; they end with the connection.
    doubt()
    await client.query(`set statement_timeout = 0; set lock_timeout = ${timeout_ms}`)
    for (const { sql, makes } of steps) {
      if (makes !== undefined) await clearTheWay(client, `${db.schema}.${makes}`)
      const text = await gently(client, renameSchema(sql, db.schema))
      await patiently(client, async () => await client.query(text))
    }
  })
}

/**
 * On an empty table a plain build blocks no one, while a concurrent build would wait for every
 * transaction of the whole database: a fresh installation builds at once.
 */
async function gently(client: PoolClient, sql: string): Promise<string> {
  const table = /\son\s+([\w.]+)\s/.exec(sql)?.[1]
  if (table === undefined || !sql.startsWith('create ')) return sql
  const { rows } = await client.query<{ filled: boolean }>({
    text: `select exists (select from ${table}) as filled`,
    types: SQL_TYPES,
  })
  return rows[0]?.filled === true ? sql : sql.replace(/\sconcurrently\s/, ' ')
}

/**
 * `if not exists` would accept an index that was never finished. A build that still runs is not
 * awaited here: it may itself wait for the caller's transaction, if it met one of its statements.
 */
async function clearTheWay(client: PoolClient, index: string): Promise<void> {
  const { valid, building } = await lookAt(client, index)
  if (valid) return
  if (building) {
    throw new StoreError(
      'index_building',
      `an earlier run still builds ${index}: migrate again when pg_stat_progress_create_index is empty`,
    )
  }
  await patiently(
    client,
    async () => await client.query(`drop index concurrently if exists ${index}`),
  )
}

interface IndexState {
  valid: boolean
  building: boolean
}

/** Whether it is built is checked last: a build that ends between the two is then seen as done. */
async function lookAt(client: PoolClient, index: string): Promise<IndexState> {
  const building = await isSo(
    client,
    // The progress ends a moment before the commit that makes it valid; the next statement sees
    // that.
    `select from pg_catalog.pg_stat_progress_create_index where index_relid = to_regclass($1)
     union all
     select from pg_catalog.pg_stat_activity
     where state = 'active'
       and pid <> pg_backend_pid()
       and query ilike 'create %index concurrently %'
       and strpos(query, split_part($1, '.', 1)) > 0
       and strpos(query, split_part($1, '.', 2)) > 0`,
    index,
  )
  const valid = await isSo(
    client,
    'select from pg_catalog.pg_index where indexrelid = to_regclass($1) and indisvalid',
    index,
  )
  return { valid, building }
}

async function isSo(client: PoolClient, question: string, index: string): Promise<boolean> {
  const text = `select exists (${question}) as so`
  const { rows } = await client.query<{ so: boolean }>({ text, values: [index], types: SQL_TYPES })
  return rows[0]?.so === true
}
