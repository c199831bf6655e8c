// Rows of the previous release: each intent goes to the operation that had its effect.
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../src/store/connection/database.ts'
import { newId } from '../../src/store/sql/values.ts'
import { migrate, readMigrations } from '../../src/store/schema/migrate.ts'
import { DATABASE_URL, dropSchema, freshSchemaName } from '../store/test_database.ts'

const LAST_OF_BEFORE = 22
let pool: Pool
const schemas: string[] = []

beforeAll(() => {
  pool = new Pool({ connectionString: DATABASE_URL, max: 4 })
})
afterAll(async () => {
  for (const schema of schemas) await dropSchema(pool, schema)
  await pool.end()
})

/** A database as the previous release left it. */
async function before() {
  const schema = freshSchemaName()
  schemas.push(schema)
  const db = openDatabase(pool, { schema })
  const migrations = (await readMigrations()).filter(({ version }) => version <= LAST_OF_BEFORE)
  await migrate(db, { migrations })
  const sql = async (text: string, values: unknown[] = []) =>
    (await pool.query<Record<string, unknown>>(db.statement(text).text, values)).rows
  return { db, sql }
}

type Sql = Awaited<ReturnType<typeof before>>['sql']

async function addPayment(sql: Sql): Promise<string> {
  const id = newId()
  await sql(
    `insert into gapura.gateway_payment
       (id, owner_id, order_id, api_family, payment_type, gross_amount, currency,
        transaction_status, authorized_amount, captured_amount)
     values ($1, 'ani', $2, 'classic', 'gopay', 150000, 'IDR', 'settlement', 150000, 150000)`,
    [id, `order-${id}`],
  )
  return id
}

async function addOperation(sql: Sql, row: Record<string, unknown>): Promise<string> {
  const id = newId()
  const reply = row['state'] === 'refused' ? { error: 'gateway_rate_limited' } : {}
  await sql(
    `insert into gapura.gateway_operation
       (id, owner_id, kind, subject_kind, subject_id, refund_id, request, reply, state, due_at)
     values ($1, $2, $3, 'payment', $4, $5, '{}', $6, $7, null)`,
    [
      id,
      row['owner_id'] ?? 'ani',
      row['kind'],
      row['subject_id'],
      row['refund_id'],
      reply,
      row['state'],
    ],
  )
  return id
}

/** An approved request whose first refund was refused for now, and whose second was paid. */
async function addTriedTwice(sql: Sql) {
  const payment_id = await addPayment(sql)
  const request_id = newId()
  await sql(
    `insert into gapura.refund_request
       (id, payment_id, expires_at, decided_at, requested_by_staff, owner_id, amount, reason,
        requested_by, state, decided_by)
     values ($1, $2, now(), now() - interval '2 days', false, 'ani', 60000, '', 'ani', 'approved', 'dewi')`,
    [request_id, payment_id],
  )
  const operations: string[] = []
  for (const [days, status, state] of [
    [2, 'failed', 'refused'],
    [1, 'succeeded', 'succeeded'],
  ] as const) {
    const refund_id = newId()
    await sql(
      `insert into gapura.gateway_refund
         (id, payment_id, owner_id, refund_key, amount, reason, status, requested_by, approved_by,
          created_at)
       values ($1::uuid, $2, 'ani', $1::uuid::text, 60000, '', $3, 'ani', 'dewi',
         now() - make_interval(days => $4))`,
      [refund_id, payment_id, status, days],
    )
    operations.push(
      await addOperation(sql, { kind: 'refund', subject_id: payment_id, refund_id, state }),
    )
  }
  return { request_id, paid_by: operations[1] }
}

const addKey = async (sql: Sql, owner_id: string, key: string, operation_id: unknown) => {
  await sql(
    `insert into gapura.idempotency_key
       (owner_id, key, fingerprint, operation_id, reply_code, reply_body, finished_at)
     values ($1, $2, 'f', $3, 200, '{}', now())`,
    [owner_id, key, operation_id],
  )
}

const carrierOf = async (db: Database, sql: Sql, owner: string, key: string) => {
  await migrate(db)
  const rows = await sql(
    'select id from gapura.gateway_operation where intent_owner = $1 and intent_key = $2',
    [owner, key],
  )
  return rows.map(({ id }) => id)
}

describe('an approved request whose refund was tried twice', () => {
  test('its key is gone: the refund that was paid names the request', async () => {
    const { db, sql } = await before()
    const { request_id, paid_by } = await addTriedTwice(sql)
    expect(await carrierOf(db, sql, '', `refund-request:${request_id}`)).toEqual([paid_by])
  })

  test('its key is still there: the migration ends, and the paid refund names the request', async () => {
    const { db, sql } = await before()
    const { request_id, paid_by } = await addTriedTwice(sql)
    const key = `refund-request:${request_id}`
    await addKey(sql, 'ani', key, paid_by)
    expect(await carrierOf(db, sql, '', key)).toEqual([paid_by])
  })
})

describe('callers whose own keys begin as ours do', () => {
  test('a caller’s job:42 stays that caller’s, so that a repeat finds it', async () => {
    const { db, sql } = await before()
    const subject_id = await addPayment(sql)
    const operation = await addOperation(sql, { kind: 'charge', subject_id, state: 'succeeded' })
    await addKey(sql, 'ani', 'job:42', operation)
    expect(await carrierOf(db, sql, 'ani', 'job:42')).toEqual([operation])
  })

  test('two callers with the same key: the migration ends', async () => {
    const { db, sql } = await before()
    for (const owner_id of ['ani', 'budi']) {
      const subject_id = await addPayment(sql)
      const about = { owner_id, kind: 'charge', subject_id, state: 'succeeded' }
      await addKey(sql, owner_id, 'job:42', await addOperation(sql, about))
    }
    await expect(migrate(db)).resolves.toContain('0025_intents_of_before.sql')
  })
})
