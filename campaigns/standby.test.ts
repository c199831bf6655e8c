// A real standby, to which a connection may lead after a failover.
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyDatabase } from '../packages/service/src/main/verify.ts'
import { inspectDatabase, migrateDatabase } from '../packages/service/src/main/inspect.ts'
import { findApiKeys } from '../packages/service/src/store/access/api_keys.ts'
import { isUnavailable } from '../packages/service/src/store/connection/errors.ts'
import { openDatabase } from '../packages/service/src/store/connection/database.ts'
import {
  withReadTransaction,
  withTransaction,
} from '../packages/service/src/store/connection/transaction.ts'
import { PostgresCluster } from './bench/postgres_cluster.ts'

let cluster: PostgresCluster
let host: Pool

beforeAll(async () => {
  cluster = await PostgresCluster.create()
  await migrateDatabase({ databaseUrl: cluster.url })
  host = new Pool({ connectionString: cluster.url, max: 2 })
  await cluster.demote()
})

afterAll(async () => {
  await host.end()
  await cluster.remove()
})

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => 'it worked',
    (error: unknown) => error,
  )

test.each([
  ['writing', withTransaction],
  ['reading', withReadTransaction],
])('%s on a host’s connection to it is refused, and the connection is not kept', async (_, run) => {
  const db = openDatabase(host)
  const failure = await failureOf(run(db, async (tx) => await tx.query('select 1')))
  expect(failure).toMatchObject({ name: 'StoreError', code: 'server_standby' })
  expect(isUnavailable(failure)).toBe(true)
  expect(host.totalCount).toBe(0)
})

test('a read outside a transaction is refused on the standby', async () => {
  const failure = await failureOf(findApiKeys(openDatabase(host), ['a'.repeat(64)]))
  expect(failure).toMatchObject({ name: 'StoreError', code: 'server_standby' })
  expect(host.totalCount).toBe(0)
})

test('our pool never hands out a connection to the standby, not even to the queue', async () => {
  const db = openDatabase(cluster.url)
  expect(await failureOf(db.pool.query('select 1'))).toMatchObject({ code: 'server_standby' })
  expect(db.pool.totalCount).toBe(0)
  await db.close()
})

test('migrating the standby is refused with the reason', async () => {
  expect(await failureOf(migrateDatabase({ databaseUrl: cluster.url }))).toMatchObject({
    code: 'server_standby',
  })
})

test('reading the standby is allowed: doctor names it, and the invariants can be checked', async () => {
  const { server_faults } = await inspectDatabase({ databaseUrl: cluster.url })
  expect(server_faults).toEqual(['it is a standby'])
  const { checked, broken } = await verifyDatabase(cluster.url)
  expect(checked.length).toBeGreaterThan(10)
  expect(broken).toEqual([])
})

// Last: it is a primary afterwards.
test('the standby is used like any other server once it is the primary', async () => {
  await host.query('select pg_promote()')
  const db = openDatabase(host)
  const wrote = await withTransaction(db, async (tx) => {
    return await tx.query('update gapura.setting set environment = environment returning 1 as one')
  })
  expect(wrote).toEqual([{ one: 1 }])
})
