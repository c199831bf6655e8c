// Migrations outside a transaction, interrupted at every point: a build waits as long as a
// transaction on its table is open, and each test ends something during it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Pool, type PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../src/store/connection/database.ts'
import { migrate, readMigrations, type Migration } from '../../src/store/schema/migrate.ts'
import { DATABASE_URL, dropSchema, eventually, freshSchemaName } from './test_database.ts'

let pool: Pool
const schemas: string[] = []

beforeAll(() => {
  pool = new Pool({ connectionString: DATABASE_URL, max: 12 })
})

afterAll(async () => {
  for (const schema of schemas) await dropSchema(pool, schema)
  await pool.end()
})

const migration = (version: number, sql: string): Migration => ({
  version,
  name: `000${version}_planted.sql`,
  sql,
  checksum: sql,
})

const TABLE = migration(
  1,
  'create table gapura.filled (a integer); insert into gapura.filled select generate_series(1, 1000)',
)
const OUTSIDE = '-- gapura: no transaction\n-- Why it is wanted; in words.\n'
const INDEX = migration(
  2,
  `${OUTSIDE}create index concurrently if not exists filled_a on gapura.filled (a);\n`,
)
const MIGRATIONS = [TABLE, INDEX]

/** A schema with the table in it, over the shared pool. */
async function filled(): Promise<Database> {
  const schema = freshSchemaName()
  schemas.push(schema)
  const db = openDatabase(pool, { schema })
  await migrate(db, { migrations: [TABLE] })
  return db
}

/** `valid`, `invalid`, or undefined where there is none. */
async function indexOf(db: Database): Promise<string | undefined> {
  const { rows } = await pool.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [`${db.schema}.filled_a`],
  )
  return rows[0] && (rows[0].valid ? 'valid' : 'invalid')
}

const recorded = async (db: Database): Promise<number> => {
  const { rows } = await pool.query(`select from ${db.schema}.migration where version = 2`)
  return rows.length
}

/** A transaction that uses the table until it is ended. */
async function busy(db: Database): Promise<{ end: () => Promise<void> }> {
  const client: PoolClient = await pool.connect()
  await client.query(`begin; insert into ${db.schema}.filled values (0)`)
  return {
    end: async () => {
      await client.query('commit')
      client.release()
    },
  }
}

/** The server's process that builds, once it waits for a lock. */
async function builder(db: Database): Promise<number> {
  const look = async () => {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where query like $1 and wait_event_type = 'Lock'`,
      [`create index concurrently%${db.schema}.filled%`],
    )
    return rows[0]?.pid ?? 0
  }
  return await eventually(look, (pid) => pid > 0)
}

/** The connection that holds the migration lock meanwhile. */
async function turnHolder(db: Database): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_locks
     where locktype = 'advisory' and granted
       and ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, 0)`,
    [`${db.schema}.migration`],
  )
  return rows[0]?.pid ?? 0
}

const pidOf = async (client: PoolClient): Promise<number> => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** The server's processes that wait for this one. */
async function blockedBy(pid: number): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
    [pid],
  )
  return rows.map((row) => row.pid)
}

const terminate = async (pid: number) => {
  expect(pid).toBeGreaterThan(0)
  await pool.query('select pg_terminate_backend($1)', [pid])
}

/** So that a rejection that the test awaits later is not unhandled. */
const outcomeOf = async (run: Promise<string[]>): Promise<unknown> =>
  await run.catch((error: unknown) => error)

// A build waits for everything else that runs in this database, the other test files too.
describe('a migration outside a transaction', { timeout: 120_000 }, () => {
  test('builds its index without blocking writes and is recorded once', async () => {
    const db = await filled()
    expect(await migrate(db, { migrations: MIGRATIONS })).toEqual([INDEX.name])
    expect(await indexOf(db)).toBe('valid')
    expect(await migrate(db, { migrations: MIGRATIONS })).toEqual([])
  })

  test('does not lock the table: others write while it waits for the slow one', async () => {
    const db = await filled()
    const slow = await busy(db)
    const running = migrate(db, { migrations: MIGRATIONS })
    await builder(db)
    await pool.query(`insert into ${db.schema}.filled values (-1)`)
    await slow.end()
    expect(await running).toEqual([INDEX.name])
    expect(await indexOf(db)).toBe('valid')
  })

  test('several at once, one of them building: the others wait, and the build does not wait for them', async () => {
    const db = await filled()
    const slow = await busy(db)
    const first = migrate(db, { migrations: MIGRATIONS })
    await builder(db)
    const others = [1, 2].map(async () => await migrate(db, { migrations: MIGRATIONS }))
    await slow.end()
    expect((await Promise.all([first, ...others])).flat()).toEqual([INDEX.name])
    expect(await indexOf(db)).toBe('valid')
  })

  test('interrupted while building: the invalid index is dropped and built again', async () => {
    const db = await filled()
    const slow = await busy(db)
    const running = outcomeOf(migrate(db, { migrations: MIGRATIONS }))
    await terminate(await builder(db))
    expect(await running).toBeInstanceOf(Error)
    expect([await indexOf(db), await recorded(db)]).toEqual(['invalid', 0])
    await slow.end()
    expect(await migrate(db, { migrations: MIGRATIONS })).toEqual([INDEX.name])
    expect([await indexOf(db), await recorded(db)]).toEqual(['valid', 1])
  })

  test('a build that outlives its process is awaited, not dropped', async () => {
    const db = await filled()
    const slow = await busy(db)
    const first = outcomeOf(migrate(db, { migrations: MIGRATIONS }))
    await builder(db)
    const before = await oidOf(db)
    await terminate(await turnHolder(db))
    const second = migrate(db, { migrations: MIGRATIONS })
    await eventually(
      async () => await turnHolder(db),
      (pid) => pid > 0,
    )
    await slow.end()
    expect(await second).toEqual([INDEX.name])
    expect(await first).toBeInstanceOf(Error)
    expect([await indexOf(db), await oidOf(db), await recorded(db)]).toEqual(['valid', before, 1])
  })

  test('a build that waits for the run that awaits it still ends', async () => {
    const db = await filled()
    const slow = await busy(db)
    const first = outcomeOf(migrate(db, { migrations: MIGRATIONS }))
    const building = await builder(db)
    await terminate(await turnHolder(db))
    const record = await pool.connect()
    await record.query(`begin; lock table ${db.schema}.migration`)
    // Stopped in the middle of a statement: the build then waits for the end of its transaction.
    const second = migrate(db, { migrations: MIGRATIONS, lock_timeout_ms: 60_000 })
    const waiting = await eventually(
      async () => await blockedBy(await pidOf(record)),
      (pids) => pids.length > 0,
    )
    await slow.end()
    const held = await eventually(
      async () => await blockedBy(waiting[0] ?? 0),
      (pids) => pids.length > 0,
    )
    expect(held).toEqual([building])
    await record.query('commit')
    record.release()
    expect(await second).toEqual([INDEX.name])
    expect(await first).toBeInstanceOf(Error)
    expect([await indexOf(db), await recorded(db)]).toEqual(['valid', 1])
  })

  test('interrupted between the build and its record: the next run only records', async () => {
    const db = await filled()
    await pool.query(`create index filled_a on ${db.schema}.filled (a)`)
    const before = await oidOf(db)
    expect(await migrate(db, { migrations: MIGRATIONS })).toEqual([INDEX.name])
    expect(await oidOf(db)).toBe(before)
  })

  test('a unique index that does not fit the rows fails, and succeeds once they are repaired', async () => {
    const db = await filled()
    await pool.query(`insert into ${db.schema}.filled values (7)`)
    const unique = migration(2, INDEX.sql.replace('create index', 'create unique index'))
    await expect(migrate(db, { migrations: [TABLE, unique] })).rejects.toMatchObject({
      code: '23505',
    })
    expect(await indexOf(db)).toBe('invalid')
    await pool.query(`delete from ${db.schema}.filled where a = 7`)
    expect(await migrate(db, { migrations: [TABLE, unique] })).toEqual([unique.name])
    expect(await indexOf(db)).toBe('valid')
  })

  test('gives up after its time limit', async () => {
    const db = await filled()
    const slow = await busy(db)
    const options = { migrations: MIGRATIONS, build_timeout_ms: 50, lock_wait_ms: 0 }
    await expect(migrate(db, options)).rejects.toMatchObject({ code: '55P03' })
    await slow.end()
    expect(await migrate(db, { migrations: MIGRATIONS })).toEqual([INDEX.name])
  })

  test('a run that waits too long for the migration lock fails with that reason', async () => {
    const db = await filled()
    const slow = await busy(db)
    const running = migrate(db, { migrations: MIGRATIONS })
    await builder(db)
    const options = { migrations: MIGRATIONS, turn_timeout_ms: 50 }
    await expect(migrate(db, options)).rejects.toMatchObject({ code: 'migration_busy' })
    await slow.end()
    expect(await running).toEqual([INDEX.name])
  })

  test('drops an index, and may be repeated', async () => {
    const db = await filled()
    await pool.query(`create index filled_a on ${db.schema}.filled (a)`)
    const drop = migration(2, `${OUTSIDE}drop index concurrently if exists gapura.filled_a;\n`)
    expect(await migrate(db, { migrations: [TABLE, drop] })).toEqual([drop.name])
    expect(await indexOf(db)).toBeUndefined()
  })

  test('reports that a pool of one connection is too small, instead of hanging', async () => {
    const { schema } = await filled()
    const one = new Pool({ connectionString: DATABASE_URL, max: 1 })
    const small = openDatabase(one, { schema })
    const running = migrate(small, { migrations: MIGRATIONS })
    await expect(running).rejects.toMatchObject({ code: 'pool_too_small' })
    await one.end()
  })
})

async function oidOf(db: Database): Promise<unknown> {
  const { rows } = await pool.query<{ oid: number }>('select to_regclass($1)::oid::text as oid', [
    `${db.schema}.filled_a`,
  ])
  return rows[0]?.oid
}

test.each([
  'create index concurrently filled_a on gapura.filled (a);',
  'create index if not exists filled_a on gapura.filled (a);',
  'drop index concurrently if exists filled_a;',
  'alter table gapura.filled add column b integer;',
  "create index concurrently if not exists x on gapura.filled (a) where a <> ';';",
])('a file outside a transaction may not hold: %s', async (statement) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'gapura-migrations-'))
  await writeFile(path.join(folder, '0001_planted.sql'), `${OUTSIDE}${statement}\n`)
  const reading = readMigrations(pathToFileURL(`${folder}/`))
  await expect(reading).rejects.toThrow('runs outside a transaction and may only')
  await rm(folder, { recursive: true })
})
