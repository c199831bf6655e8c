// A process of the previous release on the tables of this one: a request that was refused for now
// may be repeated there.
import { expect, test } from 'vitest'
import { newId } from '../../src/store/sql/values.ts'
import { useDatabase } from '../store/test_database.ts'

const database = useDatabase()
const { sql } = database

/** What that release writes for a change: the key, then the operation. */
async function writeAsBefore(subject_id: string): Promise<string> {
  const id = newId()
  await sql(
    `insert into gapura.idempotency_key (owner_id, key, fingerprint, operation_id)
     values ('ani', 'retry-1', 'f', $1)`,
    [id],
  )
  await sql(
    `insert into gapura.gateway_operation
       (id, owner_id, kind, subject_kind, subject_id, refund_id, request, due_at)
     values ($1, 'ani', 'cancel', 'payment', $2, null, '{}', now())`,
    [id, subject_id],
  )
  return id
}

test('a request refused for now, its key deleted as that release does: the repeat is written', async () => {
  const subject_id = newId()
  const first = await writeAsBefore(subject_id)
  await sql(
    `update gapura.gateway_operation
     set state = 'refused', reply = '{"error": "gateway_unavailable"}', due_at = null
     where id = $1`,
    [first],
  )
  await sql('delete from gapura.idempotency_key where operation_id = $1', [first])
  await expect(writeAsBefore(subject_id)).resolves.toEqual(expect.any(String))
})
