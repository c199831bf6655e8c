import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Pool, types } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../src/store/connection/database.ts'
import {
  migrate,
  planMigrations,
  readMigrations,
  type Migration,
} from '../../src/store/schema/migrate.ts'
import { DATABASE_URL, dropSchema, freshSchemaName } from './test_database.ts'

let pool: Pool
const schemas: string[] = []

/** Over an empty schema that is dropped at the end. */
function fresh(): Database {
  const schema = freshSchemaName()
  schemas.push(schema)
  return openDatabase(pool, { schema })
}

beforeAll(() => {
  pool = new Pool({ connectionString: DATABASE_URL, max: 8 })
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

const FIRST = migration(1, 'create table gapura.first (id integer)')
const SECOND = migration(2, 'create table gapura.second (id integer)')

const tablesOf = async (db: Database): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    'select tablename::text as name from pg_tables where schemaname = $1 order by 1',
    [db.schema],
  )
  return rows.map(({ name }) => name)
}

describe('the files of this release', () => {
  test('build a fresh database, and a second run finds nothing to do', async () => {
    const db = fresh()
    const names = (await readMigrations()).map(({ name }) => name)
    expect(await migrate(db)).toEqual(names)
    expect(await tablesOf(db)).toContain('gateway_payment')
    expect(await migrate(db)).toEqual([])
  })

  test('two at once: each migration is applied by one of them, neither fails', async () => {
    const db = fresh()
    const runs = await Promise.all([migrate(db), migrate(db), migrate(db)])
    const names = (await readMigrations()).map(({ name }) => name)
    expect(runs.flat().sort()).toEqual(names)
  })

  test('name every object in the schema: none is created in another', async () => {
    const db = fresh()
    await migrate(db)
    const { rows } = await pool.query(
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relname like 'gateway%'",
    )
    expect(rows).toEqual([])
  })

  test('are found from the build as from the sources', async () => {
    const service = fileURLToPath(new URL('../../', import.meta.url))
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: service })
    const built = execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        "import { readMigrations } from './dist/store/schema/migrate.js'; console.log(JSON.stringify(await readMigrations()))",
      ],
      { cwd: service, encoding: 'utf8' },
    )
    expect(JSON.parse(built)).toEqual(await readMigrations())
    // A whole build, beside all the other tests.
  }, 120_000)
})

describe('migrate', () => {
  test('applies only what is new', async () => {
    const db = fresh()
    expect(await migrate(db, { migrations: [FIRST] })).toEqual([FIRST.name])
    expect(await migrate(db, { migrations: [FIRST, SECOND] })).toEqual([SECOND.name])
    expect(await tablesOf(db)).toEqual(['first', 'migration', 'second'])
  })

  test('refuses when an applied file has changed', async () => {
    const db = fresh()
    await migrate(db, { migrations: [FIRST] })
    const changed = { ...FIRST, checksum: 'another' }
    await expect(migrate(db, { migrations: [changed, SECOND] })).rejects.toMatchObject({
      code: 'migration_changed',
    })
    expect(await tablesOf(db)).toEqual(['first', 'migration'])
  })

  test('refuses when the database is ahead of this release', async () => {
    const db = fresh()
    await migrate(db, { migrations: [FIRST, SECOND] })
    await expect(migrate(db, { migrations: [FIRST] })).rejects.toMatchObject({
      code: 'migration_unknown',
    })
  })

  test('a migration that fails leaves nothing of itself, and those before it stay', async () => {
    const db = fresh()
    const broken = migration(2, 'create table gapura.half (id integer); select 1 / 0')
    await expect(migrate(db, { migrations: [FIRST, broken] })).rejects.toThrow('division by zero')
    expect(await tablesOf(db)).toEqual(['first', 'migration'])
    expect(await migrate(db, { migrations: [FIRST, SECOND] })).toEqual([SECOND.name])
  })

  test('gives up on a table that is in use instead of blocking other requests', async () => {
    const db = fresh()
    await migrate(db, { migrations: [FIRST] })
    const client = await pool.connect()
    await client.query(`begin; lock table ${db.schema}.first in access share mode`)
    const alter = migration(2, 'alter table gapura.first add column more integer')
    await expect(
      migrate(db, { migrations: [FIRST, alter], lock_timeout_ms: 50, lock_wait_ms: 0 }),
    ).rejects.toMatchObject({ code: '55P03' })
    await client.query('rollback')
    client.release()
    expect(await migrate(db, { migrations: [FIRST, alter], lock_timeout_ms: 50 })).toHaveLength(1)
  })

  test('behind a long transaction it retries until that has ended, and no other request fails', async () => {
    const db = fresh()
    await migrate(db, { migrations: [FIRST] })
    const client = await pool.connect()
    await client.query(`begin; lock table ${db.schema}.first in access share mode`)
    const alter = migration(2, 'alter table gapura.first add column more integer')
    const migrating = migrate(db, { migrations: [FIRST, alter], lock_timeout_ms: 200 })
    // Past its first try and the pause after it.
    const end = performance.now() + 1_500
    const read = `begin; set local lock_timeout = 1000; select * from ${db.schema}.first; commit`
    let longest = 0
    while (performance.now() < end) {
      const began = performance.now()
      await pool.query(read)
      longest = Math.max(longest, performance.now() - began)
    }
    await client.query('rollback')
    client.release()
    expect(await migrating).toEqual([alter.name])
    expect(longest).toBeGreaterThan(100)
  })

  test('needs no right to create a schema that exists', async () => {
    const db = fresh()
    await pool.query(`create schema ${db.schema}`)
    expect(await migrate(db, { migrations: [FIRST] })).toEqual([FIRST.name])
  })
})

test('a host that changed the driver’s parsers changes nothing here', async () => {
  const parser = types.getTypeParser(23) as (text: string) => unknown
  types.setTypeParser(23, BigInt)
  try {
    const db = fresh()
    await migrate(db, { migrations: [FIRST] })
    expect(await migrate(db, { migrations: [FIRST, SECOND] })).toEqual([SECOND.name])
  } finally {
    types.setTypeParser(23, parser)
  }
})

describe('planMigrations', () => {
  test('shows the pending SQL as it would run, and changes nothing', async () => {
    const db = fresh()
    expect(await planMigrations(db, { migrations: [FIRST, SECOND] })).toEqual([
      { name: FIRST.name, sql: `create table ${db.schema}.first (id integer)` },
      { name: SECOND.name, sql: `create table ${db.schema}.second (id integer)` },
    ])
    expect(await tablesOf(db)).toEqual([])
    await migrate(db, { migrations: [FIRST] })
    expect(await planMigrations(db, { migrations: [FIRST, SECOND] })).toHaveLength(1)
  })
})

test('0015 gives staff keys the scope they need now, and renames the old scope', async () => {
  const db = fresh()
  const files = await readMigrations()
  const before = files.filter(({ version }) => version < 15)
  await migrate(db, { migrations: before })
  const insert = async (name: string, staff: boolean, scopes: string[]) =>
    await pool.query(
      `insert into ${db.schema}.api_key (id, owner_id, name, staff, scopes, key_hash)
       values (gen_random_uuid(), 'desk', $1, $2, $3, encode(sha256($1::text::bytea), 'hex'))`,
      [name, staff, scopes],
    )
  await insert('blank', true, [])
  await insert('both', true, ['staff:read', 'staff:write'])
  await insert('till', false, ['payments:write'])
  await migrate(db)
  const { rows } = await pool.query(
    `select name, to_jsonb(scopes) as scopes from ${db.schema}.api_key order by name`,
  )
  expect(rows).toEqual([
    { name: 'blank', scopes: ['staff:read'] },
    { name: 'both', scopes: ['staff:read', 'staff:act'] },
    { name: 'till', scopes: ['payments:write'] },
  ])
})

test('0034 gives every earlier payment its state and terms, also one that changes meanwhile', async () => {
  const db = fresh()
  const files = await readMigrations()
  const until = async (last: number) =>
    await migrate(db, { migrations: files.filter(({ version }) => version <= last) })
  const run = async (sql: string) =>
    await pool.query<Record<string, unknown>>(sql.replaceAll('gapura.', `${db.schema}.`))
  await until(32)
  await run(
    `insert into gapura.gateway_subscription (id, owner_id, name, gateway_name, payment_type, amount,
       interval, interval_unit)
     values ('00000000-0000-7000-8000-0000000000ff', 'shop', 'Monthly', 'm', 'credit_card', 1, 1,
       'month')`,
  )
  // More than two pages of the backfill; each third one has no answer yet.
  await run(
    `insert into gapura.gateway_payment (id, owner_id, order_id, payment_type, gross_amount,
       transaction_status, transaction_id, va_number, next_check_at, subscription_id)
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'shop', 'order-' || n,
       'bank_transfer', 1000, case when n % 3 = 0 then 'initiated' else 'pending' end,
       case when n % 3 > 0 then 't-' || n end, case when n % 3 > 0 then 'va-' || n end,
       case when n % 3 > 0 then now() end,
       case when n % 1000 = 1 then '00000000-0000-7000-8000-0000000000ff'::uuid end
     from generate_series(1, 4500) as n`,
  )
  await until(33)
  await run(
    `update gapura.gateway_payment
     set transaction_status = 'settlement', next_check_at = null, paid_at = now(),
       authorized_amount = 1000, captured_amount = 1000
     where order_id = 'order-4'`,
  )
  await until(files.length)
  // As after an interruption: what is there stays.
  await run('call gapura.fill_payment_state()')
  const { rows } = await run(
    `select transaction_status as status, count(*)::integer as payments, count(state.id)::integer as
       states, count(cycle_transaction_id)::integer as cycles, (
         select count(*)::integer from gapura.gateway_payment_term as term
         join gapura.gateway_payment as found on found.id = term.payment_id
         where found.transaction_status = payment.transaction_status
           and term.term in (found.transaction_id, found.va_number)
       ) as terms
     from gapura.gateway_payment as payment
     left join gapura.gateway_payment_state as state
       using (id, transaction_status, created_at, owner_id, payment_type, captured_amount)
     where state.next_check_at is not distinct from payment.next_check_at
       and state.paid_at is not distinct from payment.paid_at
     group by transaction_status
     order by 1`,
  )
  // The initiated one with a state belongs to a subscription.
  expect(rows).toEqual([
    { status: 'initiated', payments: 1_500, states: 1, cycles: 0, terms: 0 },
    { status: 'pending', payments: 2_999, states: 2_999, cycles: 4, terms: 5_998 },
    { status: 'settlement', payments: 1, states: 1, cycles: 0, terms: 2 },
  ])
})
