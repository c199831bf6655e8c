import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyDatabase } from '../../src/main/verify.ts'
import { DATABASE_URL, useDatabase } from '../store/test_database.ts'
import { fillHonestly } from './honest_data.ts'

const here = useDatabase()
const role = `t_reader_${randomBytes(4).toString('hex')}`

beforeAll(async () => {
  await fillHonestly(here.db, 50)
  await here.sql(`create role ${role} login`)
  await here.sql(`grant usage on schema ${here.db.schema} to ${role}`)
  await here.sql(`grant select on all tables in schema ${here.db.schema} to ${role}`)
})

afterAll(async () => {
  await here.sql(`drop owned by ${role}`)
  await here.sql(`drop role ${role}`)
})

const asReader = (): string => {
  const url = new URL(DATABASE_URL)
  url.username = role
  return url.href
}

test('a role that may only read can check every promise', async () => {
  const { schema } = here.db
  const honest = await verifyDatabase(asReader(), { schema })
  expect(honest.broken).toEqual([])
  expect(honest.checked.length).toBeGreaterThan(20)
  await here.sql(
    "update gapura.gateway_payment set paid_at = null where transaction_status = 'settlement'",
  )
  const { broken } = await verifyDatabase(asReader(), { schema })
  expect(broken.map(({ id }) => id)).toContain('I-14')
})
