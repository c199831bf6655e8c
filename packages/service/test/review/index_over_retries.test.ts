// Processes of the previous release work between the migration that copies their keys and the one
// that makes intents unique.
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/connection/database.ts'
import { newId } from '../../src/store/sql/values.ts'
import { migrate, readMigrations } from '../../src/store/schema/migrate.ts'
import { DATABASE_URL, dropSchema, freshSchemaName } from '../store/test_database.ts'

const COPIES_KEYS = 23
let pool: Pool
const schema = freshSchemaName()

beforeAll(() => {
  pool = new Pool({ connectionString: DATABASE_URL, max: 4 })
})
afterAll(async () => {
  await dropSchema(pool, schema)
  await pool.end()
})

test('a request refused for now and repeated meanwhile: the index is built', async () => {
  const db = openDatabase(pool, { schema })
  const migrations = (await readMigrations()).filter(({ version }) => version <= COPIES_KEYS)
  await migrate(db, { migrations })
  const sql = async (text: string, values: unknown[]) =>
    await pool.query(db.statement(text).text, values)
  for (const state of ['refused', 'succeeded']) {
    const id = newId()
    await sql(
      `insert into gapura.idempotency_key (owner_id, key, fingerprint, operation_id)
       values ('ani', 'again', 'f', $1)`,
      [id],
    )
    await sql(
      `insert into gapura.gateway_operation
         (id, owner_id, kind, subject_kind, subject_id, request, due_at)
       values ($1, 'ani', 'charge', 'payment', $2, '{}', now())`,
      [id, newId()],
    )
    await sql('update gapura.gateway_operation set state = $2, due_at = null where id = $1', [
      id,
      state,
    ])
    // That release deletes the key of a request that may be tried again.
    if (state === 'refused') {
      await sql('delete from gapura.idempotency_key where operation_id = $1', [id])
    }
  }
  await expect(migrate(db)).resolves.toContain('0024_intent_indexes.sql')
})
