// A commit that waits for a second node is visible before it is replicated. Answers that depend on
// it wait as well: otherwise losing the first node would take back an answer to a caller.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateDatabase } from '../packages/service/src/main/inspect.ts'
import { openDatabase, type Database } from '../packages/service/src/store/connection/database.ts'
import { newId } from '../packages/service/src/store/sql/values.ts'
import { findIntent } from '../packages/service/src/store/operations/intents.ts'
import { insertOperation } from '../packages/service/src/store/operations/rows.ts'
import { withTransaction } from '../packages/service/src/store/connection/transaction.ts'
import { PostgresCluster } from './bench/postgres_cluster.ts'

const OWNER = 'ani'
const INTENT = { owner_id: OWNER, key: 'one', fingerprint: 'f'.repeat(64) }
/** Longer than any read takes here. */
const LONG_MS = 1_500

let cluster: PostgresCluster
let db: Database

beforeAll(async () => {
  cluster = await PostgresCluster.create()
  await migrateDatabase({ databaseUrl: cluster.url })
  db = openDatabase(cluster.url, { connections_max: 4 })
  const operation = {
    id: newId(),
    owner_id: OWNER,
    kind: 'charge',
    subject_kind: 'payment',
    subject_id: newId(),
    refund_id: null,
    request: {},
  } as const
  await withTransaction(db, async (tx) => await insertOperation(tx, operation, 1_000, INTENT))
  await waitForNodes('a_node_that_is_away')
})

afterAll(async () => {
  await waitForNodes('')
  await db.close()
  await cluster.remove()
})

async function waitForNodes(names: string): Promise<void> {
  await db.pool.query(`alter system set synchronous_standby_names = '${names}'`)
  await db.pool.query('select pg_reload_conf()')
  await sleep(300)
}

const isOpenAfter = async (ms: number, work: Promise<unknown>): Promise<boolean> =>
  await Promise.race([work.then(() => false), sleep(ms, true)])

test('a repeated request is answered only once its row is on the second node', async () => {
  const looked = withTransaction(db, async (tx) => await findIntent(tx, INTENT))
  expect(await isOpenAfter(LONG_MS, looked)).toBe(true)
  await waitForNodes('')
  expect(await looked).toMatchObject({ fingerprint: INTENT.fingerprint })
})

test('without a second node a repeated request is answered at once', async () => {
  await waitForNodes('a_node_that_is_away')
  const two = { ...INTENT, key: 'two' }
  const missing = withTransaction(db, async (tx) => await findIntent(tx, two))
  expect(await missing).toBeUndefined()
})
