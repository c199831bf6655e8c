// Brings the schema to this release's form: numbered files, forward only, each in a transaction of
// its own under one lock. A run that is cut off leaves whole migrations behind it and is simply
// repeated. Every step is taken under a transaction lock, not a session's, so poolers do no harm.
import type { PoolClient } from 'pg'
import { renameSchema, withConnection, type Database } from './database.ts'
import { readMigrations, type Migration } from './migration_files.ts'
import { SQL_TYPES } from './sql_values.ts'
import { StoreError } from './store_error.ts'

export interface MigrateOptions {
  /** For tests; otherwise the files of this release. */
  migrations?: readonly Migration[]
  /** How long one statement may wait behind running transactions before the migration gives up. */
  lock_timeout_ms?: number
  /** How long to wait for another process that is migrating. */
  turn_timeout_ms?: number
}

interface Applied {
  version: number
  name: string
  checksum: string
}

/**
 * Applies what is pending and returns the names. Safe to run from many processes at once: one works,
 * the others wait and find it done. Throws, with nothing half applied, if a migration failed, an
 * applied file has changed, or the database is ahead of this release.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = options.migrations ?? (await readMigrations())
  const done: string[] = []
  for (;;) {
    const applied = await withConnection(db, async (client, doubt) => {
      try {
        return await applyNext(client, db.schema, { ...options, migrations })
      } catch (error) {
        // Ends the transaction with the connection, whatever state it is in.
        doubt()
        throw error
      }
    })
    if (applied === undefined) return done
    done.push(applied)
  }
}

/** The SQL that `migrate` would run now, in order, as it would run it. Changes nothing. */
export async function planMigrations(
  db: Database,
  options: Pick<MigrateOptions, 'migrations'> = {},
): Promise<{ name: string; sql: string }[]> {
  const migrations = options.migrations ?? (await readMigrations())
  const applied = await withConnection(db, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>({
      text: 'select to_regclass($1) is not null as exists',
      values: [`${db.schema}.migration`],
      types: SQL_TYPES,
    })
    return rows[0]?.exists === true ? await readApplied(client, db.schema) : []
  })
  return pendingOf(migrations, applied).map(({ name, sql }) => ({
    name,
    sql: renameSchema(sql, db.schema),
  }))
}

async function applyNext(
  client: PoolClient,
  schema: string,
  options: MigrateOptions & { migrations: readonly Migration[] },
): Promise<string | undefined> {
  const { lock_timeout_ms = 3_000, turn_timeout_ms = 120_000 } = options
  await client.query(
    `begin; set local timezone = 'UTC'; set local statement_timeout = 0;
     set local lock_timeout = ${turn_timeout_ms}`,
  )
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${schema}.migration`,
  ])
  // A short one from here on: a statement that waits for a table makes all others wait behind it.
  await client.query(`set local lock_timeout = ${lock_timeout_ms}`)
  await ensureRecord(client, schema)
  const [next] = pendingOf(options.migrations, await readApplied(client, schema))
  if (next !== undefined) await apply(client, schema, next)
  await client.query('commit')
  return next?.name
}

async function ensureRecord(client: PoolClient, schema: string): Promise<void> {
  // Asked first: `if not exists` would want the right to create even where nothing is to be created.
  const { rows } = await client.query<{ schema: string | null; record: string | null }>(
    'select to_regnamespace($1)::text as schema, to_regclass($2)::text as record',
    [schema, `${schema}.migration`],
  )
  if ((rows[0]?.schema ?? null) === null) {
    await client.query(renameSchema('create schema gapura', schema))
  }
  if ((rows[0]?.record ?? null) === null) await client.query(renameSchema(RECORD, schema))
}

const RECORD = `
  create table gapura.migration (
    version integer primary key,
    applied_at timestamptz not null default statement_timestamp(),
    name text not null,
    checksum text not null
  )`

async function readApplied(client: PoolClient, schema: string): Promise<Applied[]> {
  const text = `
    select version, name, checksum
    from gapura.migration
    order by version`
  const { rows } = await client.query<Applied>({
    text: renameSchema(text, schema),
    types: SQL_TYPES,
  })
  return rows
}

function pendingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]))
  for (const { version, name, checksum } of applied) {
    const known = byVersion.get(version)
    if (known === undefined) {
      throw new StoreError('migration_unknown', `the database has ${name}: it is ahead of us`)
    }
    if (known.checksum !== checksum) {
      throw new StoreError('migration_changed', `${name} is applied and has changed since`)
    }
  }
  const last = applied.at(-1)?.version ?? 0
  return migrations.filter(({ version }) => version > last)
}

async function apply(client: PoolClient, schema: string, migration: Migration): Promise<void> {
  await client.query(renameSchema(migration.sql, schema))
  await client.query(
    renameSchema(
      `insert into gapura.migration (version, name, checksum)
       values ($1, $2, $3)`,
      schema,
    ),
    [migration.version, migration.name, migration.checksum],
  )
}
