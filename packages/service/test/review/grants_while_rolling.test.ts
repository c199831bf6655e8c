// Two roles (ADR 0017): after the migration and before the grants are repeated, processes of the
// previous release still record the gateway's answers.
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/connection/database.ts'
import { grantsFor } from '../../src/store/schema/grants.ts'
import { newId } from '../../src/store/sql/values.ts'
import { migrate, readMigrations } from '../../src/store/schema/migrate.ts'
import { DATABASE_URL, dropSchema, freshSchemaName } from '../store/test_database.ts'

const LAST_OF_BEFORE = 22
const schema = freshSchemaName()
const role = `${schema}_app`
let pool: Pool

beforeAll(async () => {
  pool = new Pool({ connectionString: DATABASE_URL, max: 4 })
  await pool.query(`create role ${role}`)
})
afterAll(async () => {
  await pool.query(`drop owned by ${role} cascade`)
  await dropSchema(pool, schema)
  await pool.query(`drop role ${role}`)
  await pool.end()
})

test('the application role can store a reply under its key', async () => {
  const db = openDatabase(pool, { schema })
  const all = await readMigrations()
  await migrate(db, { migrations: all.filter(({ version }) => version <= LAST_OF_BEFORE) })
  // As that release printed them: it had none of these tables, and here there is no queue.
  const later = `  ${schema}\\.(?:operation_reply|refund_request_repeat|webhook_\\w+|ledger_\\w+|reconciliation_\\w+|bank_holiday|fee_rate|export_schedule|statement_\\w+|search_\\w+|staff_(?:challenge|passkey|person|role|session)|gateway_checkout|gateway_payment_(?:state|term))`
  const [tables = ''] = grantsFor(db, role)
    .replaceAll(new RegExp(`${later},\\n`, 'g'), '')
    .replaceAll(new RegExp(`,\\n${later}\\n`, 'g'), '\n')
    .split('-- The queue')
  await pool.query(tables)
  await migrate(db)
  const id = newId()
  const client = await pool.connect()
  const sql = async (text: string, values: unknown[] = []) =>
    await client.query(db.statement(text).text, values)
  try {
    await sql(`set role ${role}`)
    await sql(
      `insert into gapura.idempotency_key (owner_id, key, fingerprint, operation_id)
       values ('ani', 'key', 'f', $1)`,
      [id],
    )
    const kept = sql(
      `update gapura.idempotency_key
       set reply_code = 201, reply_body = '{}', finished_at = now()
       where operation_id = $1`,
      [id],
    )
    await expect(kept).resolves.toMatchObject({ rowCount: 1 })
  } finally {
    await client.query('reset role')
    client.release()
  }
})
