import { Pool } from 'pg'
import { expect, test } from 'vitest'
import {
  checkServer,
  openDatabase,
  renameSchema,
  serverFaults,
} from '../../src/store/connection/database.ts'
import { newId } from '../../src/store/sql/values.ts'
import { withReadTransaction, withTransaction } from '../../src/store/connection/transaction.ts'
import { directUrl } from './own_database.ts'
import { DATABASE_URL } from './test_database.ts'

test('a pool the host passed in is still open after close', async () => {
  const pool = new Pool({ connectionString: DATABASE_URL, max: 1 })
  const db = openDatabase(pool)
  expect(await withReadTransaction(db, async (tx) => await tx.query('select 1 as one'))).toEqual([
    { one: 1 },
  ])
  await db.close()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
})

test('a pool of our own is closed by close', async () => {
  const db = openDatabase(DATABASE_URL)
  await db.close()
  await expect(db.pool.query('select 1')).rejects.toThrow(/after calling end/)
})

test('without prepared statements everything works the same', async () => {
  const db = openDatabase(DATABASE_URL, { prepared: false, connections_max: 1 })
  const prepared = await withTransaction(db, async (tx) => {
    await tx.query('select $1::integer as one', [1])
    return await tx.query<{ name: string }>(
      "select name from pg_prepared_statements where name like 'gapura%'",
    )
  })
  expect(prepared).toEqual([])
  await db.close()
})

test('a statement is prepared once for each connection', async () => {
  const db = openDatabase(directUrl(DATABASE_URL), { connections_max: 1, prepared: true })
  const once = 'select $1::integer as one'
  const prepared = await withTransaction(db, async (tx) => {
    await tx.query(once, [1])
    await tx.query(once, [2])
    return await tx.query('select name from pg_prepared_statements where statement = $1', [once])
  })
  expect(prepared).toEqual([{ name: db.statement(once).name }])
  await db.close()
})

test.each(['Gapura', 'a-b', 'a.b', '', '1a', 'a'.repeat(42), 'a; drop table x'])(
  'refuses %j as the name of a schema',
  (schema) => {
    expect(() => openDatabase(DATABASE_URL, { schema })).toThrow(RangeError)
  },
)

test.each([0, -1, 1.5, Number.NaN])('refuses %d as a time-out', (statement_timeout_ms) => {
  expect(() => openDatabase(DATABASE_URL, { statement_timeout_ms })).toThrow(RangeError)
})

test('only the qualifier is renamed, not words that contain it', () => {
  const text = "create schema gapura; select gapura.now(), gapura_key, 'mygapura.x', x.gapura"
  expect(renameSchema(text, 'other')).toBe(
    "create schema other; select other.now(), gapura_key, 'mygapura.x', x.gapura",
  )
  expect(renameSchema(text, 'gapura')).toBe(text)
})

test('the server of the tests has the settings that money needs', async () => {
  const db = openDatabase(DATABASE_URL)
  await expect(checkServer(db)).resolves.toBeUndefined()
  await db.close()
})

test('every wrong setting of a server is reported at once', () => {
  const good = { version: '150019', fsync: 'on', full_page_writes: 'on', standby: 'false' }
  expect(serverFaults(good)).toEqual([])
  expect(
    serverFaults({ version: '140009', fsync: 'off', full_page_writes: 'off', standby: 'true' }),
  ).toHaveLength(4)
})

test('ids are UUIDs of version 7 that begin with the time', () => {
  const before = Date.now()
  const ids = Array.from({ length: 1_000 }, newId)
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const time = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now())
  }
  expect(new Set(ids).size).toBe(1_000)
})
