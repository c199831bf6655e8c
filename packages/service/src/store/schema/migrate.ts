// Migrates the schema to this release: numbered files, forward only, each in its own transaction
// under one lock, except those that cannot (concurrent_indexes.ts). An interrupted run is simply
// repeated. Every step uses a transaction lock, not a session lock, so that poolers work.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { renameSchema, withConnection, type Database } from '../connection/database.ts'
import { codeOf, LOCK_NOT_AVAILABLE, StoreError } from '../connection/errors.ts'
import { patiently } from '../connection/pipelining.ts'
import { SQL_TYPES } from '../sql/values.ts'
import { indexStepsOf, runIndexSteps } from './concurrent_indexes.ts'

export interface MigrateOptions {
  /** For tests; by default the files of this release. */
  migrations?: readonly Migration[]
  /** How long one statement may wait behind running transactions before it steps back. */
  lock_timeout_ms?: number
  /** How long such a migration is retried before it fails. */
  lock_wait_ms?: number
  /** How long to wait for another process that is migrating. */
  turn_timeout_ms?: number
  /** How long a concurrent index build may wait for running transactions. */
  build_timeout_ms?: number
}

type Settings = Required<MigrateOptions>

const WAITS = {
  lock_timeout_ms: 1_000,
  lock_wait_ms: 120_000,
  turn_timeout_ms: 120_000,
  build_timeout_ms: 600_000,
}
const TURN_POLL_MS = 50
/** A pause for statements that waited behind one that could not get its lock. */
const LOCK_PAUSE_MS = 1_000

interface Applied {
  version: number
  name: string
  checksum: string
}

/**
 * Applies pending migrations and returns their names. Safe to run from many processes at once: one
 * works, the others wait and find it done. Throws, with nothing half applied, if a migration
 * failed, an applied file has changed, or the database is ahead of this release.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = options.migrations ?? (await readMigrations())
  const settings = { ...WAITS, ...options, migrations }
  const done: string[] = []
  for (;;) {
    const applied = await untilUnlocked(settings, async () => await takeStep(db, settings))
    if (applied === undefined) return done
    done.push(applied)
  }
}

const takeStep = async (db: Database, settings: Settings): Promise<string | undefined> =>
  await withConnection(db, async (client, doubt) => {
    try {
      return await patiently(client, async () => await applyNext(client, db, settings))
    } catch (error) {
      // Closing the connection ends the transaction, whatever its state.
      doubt()
      throw error
    }
  })

/**
 * Another caller's long transaction must delay only us: step back, let others pass, and retry. The
 * same for a build that a killed process left running: it may wait for our transaction.
 */
async function untilUnlocked<Result>(
  { lock_wait_ms, build_timeout_ms }: Settings,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now()
  const patience = new Map([
    [LOCK_NOT_AVAILABLE, lock_wait_ms],
    ['index_building', build_timeout_ms],
  ])
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const wait_ms = patience.get(codeOf(error))
      if (wait_ms === undefined || performance.now() - began > wait_ms) throw error
      await sleep(LOCK_PAUSE_MS)
    }
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
  db: Database,
  { migrations, lock_timeout_ms, turn_timeout_ms, build_timeout_ms }: Settings,
): Promise<string | undefined> {
  await takeTurn(client, db.schema, turn_timeout_ms)
  // A statement that waits for a table blocks all others behind it, and those time out after 2 s.
  await client.query(`set local lock_timeout = ${lock_timeout_ms}`)
  await ensureRecord(client, db.schema)
  const [next] = pendingOf(migrations, await readApplied(client, db.schema))
  if (next !== undefined) {
    const steps = indexStepsOf(next.name, next.sql)
    if (steps === undefined) await client.query(renameSchema(next.sql, db.schema))
    else await runIndexSteps(db, steps, build_timeout_ms)
    await record(client, db.schema, next)
  }
  await client.query('commit')
  return next?.name
}

/**
 * Opens a transaction that holds the migration lock. It polls instead of waiting: a concurrent
 * index build of the lock holder would wait for a waiting statement.
 */
async function takeTurn(client: PoolClient, schema: string, timeout_ms: number): Promise<void> {
  const end = performance.now() + timeout_ms
  for (;;) {
    // Read committed, or the transaction would keep its first snapshot, which a build waits for
    // too.
    await client.query(
      `begin isolation level read committed; set local timezone = 'UTC';
       set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`,
    )
    const { rows } = await client.query<{ taken: boolean }>({
      text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken',
      values: [`${schema}.migration`],
      types: SQL_TYPES,
    })
    if (rows[0]?.taken === true) return
    await client.query('rollback')
    if (performance.now() > end) {
      throw new StoreError('migration_busy', 'another process is migrating: try again later')
    }
    await sleep(TURN_POLL_MS)
  }
}

async function ensureRecord(client: PoolClient, schema: string): Promise<void> {
  // Checked first: `if not exists` needs the right to create even if nothing is to be created.
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
      throw new StoreError(
        'migration_unknown',
        `the database has ${name}, which is newer than this release`,
      )
    }
    if (known.checksum !== checksum) {
      throw new StoreError(
        'migration_changed',
        `${name} was applied and its file has changed since`,
      )
    }
  }
  const last = applied.at(-1)?.version ?? 0
  return migrations.filter(({ version }) => version > last)
}

async function record(client: PoolClient, schema: string, migration: Migration): Promise<void> {
  await client.query(
    renameSchema(
      `insert into gapura.migration (version, name, checksum)
       values ($1, $2, $3)`,
      schema,
    ),
    [migration.version, migration.name, migration.checksum],
  )
}

export interface Migration {
  /** The number its file name begins with. */
  version: number
  name: string
  sql: string
  checksum: string
}

/** Next to this file, in the sources and in the build. */
const FOLDER = new URL('../migrations/', import.meta.url)
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/

/**
 * All migrations in order. Throws if a file is not a migration, or a number is missing or double.
 */
export async function readMigrations(folder: URL = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(names.map(async (name) => await readOne(folder, name)))
  for (const [index, { version, name }] of migrations.entries()) {
    if (version !== index + 1) throw new RangeError(`migration ${name} is out of order`)
  }
  return migrations
}

async function readOne(folder: URL, name: string): Promise<Migration> {
  const version = FILE_NAME.exec(name)?.[1]
  if (version === undefined) throw new RangeError(`must be the name of a migration: ${name}`)
  // A checkout that converted line ends must not look like a changed migration.
  const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
  indexStepsOf(name, sql)
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { version: Number(version), name, sql, checksum }
}
