// The service under a role that does not own its tables: everything works, and history cannot be
// rewritten.
import { randomBytes } from 'node:crypto'
import { createSimulator } from '@gapura/simulator'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { migrateDatabase } from '../../src/main/inspect.ts'
import { verifyAuditChain } from '../../src/main/verify.ts'
import { GRANTED, grantsFor } from '../../src/store/schema/grants.ts'
import { DATABASE_URL, dropService, eventually, freshSchemaName } from '../store/test_database.ts'

const schema = freshSchemaName()
const role = `t_app_${randomBytes(4).toString('hex')}`
const url = new URL(DATABASE_URL)
url.username = role
const owner = new Pool({ connectionString: DATABASE_URL, max: 2 })
const application = new Pool({ connectionString: url.href, max: 2 })
const ani: Caller = { owner_id: 'ani', staff: false, scopes: SCOPES }
const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
const closing: (() => Promise<unknown>)[] = []
let gapura: Gapura | undefined
const opened = (): Gapura => {
  if (gapura === undefined) throw new Error('open only inside tests')
  return gapura
}

beforeAll(async () => {
  await migrateDatabase({ databaseUrl: DATABASE_URL, schema })
  await owner.query(`create role ${role} login`)
  await owner.query(grantsFor({ schema }, role))
  // Twice, because it runs after each migration.
  await owner.query(grantsFor({ schema }, role))
  const simulator = await createSimulator({ port: 0, seed: 7 })
  const { url: base_url, server_key, client_key } = simulator
  gapura = createGapura({
    databaseUrl: url.href,
    schema,
    gateway: { base_url, server_key, client_key },
    retention: { audit_months: 12, events_months: 1 },
  })
  closing.push(gapura.close, async () => await simulator.close())
})
afterAll(async () => {
  for (const close of closing) await close()
  await application.end()
  await dropService(schema)
  await owner.query(`drop owned by ${role}`)
  await owner.query(`drop role ${role}`)
  await owner.end()
})

test('every table is on one of the lists', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition`,
    [schema],
  )
  const listed = Object.values(GRANTED).flat()
  expect(rows.map(({ name }) => name).sort()).toEqual([...listed].sort())
})

test('charges, refuses, looks, publishes, seals and runs maintenance as that role', async () => {
  const { api, staff, startWorker, subscribe, createApiKey } = opened()
  const published: string[] = []
  subscribe({
    name: 'role',
    signals: ['payment_received', 'payment_cancelled'],
    handler: async ({ type }) => await Promise.resolve(void published.push(type)),
  })
  const worker = await startWorker()
  closing.unshift(worker.stop)
  const { id } = await api.createCharge(ani, {
    payment_type: 'qris',
    gross_amount: 5_000,
  })
  await api.cancelPayment(ani, id, { idempotencyKey: 'once' })
  await staff.paymentHistory(dewi, id)
  await createApiKey({ owner_id: 'shop', name: 'till', staff: false, scopes: [] })
  await eventually(
    async () => await Promise.resolve(published.length),
    (count) => count === 2,
  )
  expect(published).toEqual(['payment_received', 'payment_cancelled'])
  const verdict = await eventually(
    async () => await verifyAuditChain(url.href, { schema }),
    ({ sealed }) => sealed === 3,
  )
  expect(verdict).toMatchObject({ sealed: 3, unsealed: [], faults: [] })
  const { rows } = await owner.query(
    `select count(*)::int as months from ${schema}.month_partitions('gateway_event')`,
  )
  expect(rows).toEqual([{ months: 4 }])
}, 30_000)

test.each([
  ...['gateway_transition', 'gateway_event', 'audit_unsealed', 'audit_sealed'].flatMap((table) => [
    `update TABLE set owner_id = 'x'`.replace('TABLE', table),
    `delete from ${table}`,
    `truncate ${table}`,
  ]),
  "update audit_head set hash = 'x'",
  'insert into audit_anchor (seq, hash, entries) values (1, 1, 1)',
  'drop table audit_sealed',
  'alter table audit_sealed disable trigger all',
  'alter table gateway_event_default disable trigger all',
  'delete from gateway_payment',
  'create table planted (id int)',
])('is refused: %s', async (sql) => {
  const client = await application.connect()
  await client.query(`set search_path = ${schema}`)
  const refused = client.query(sql)
  await expect(refused).rejects.toThrow(/permission denied|must be owner/)
  client.release()
})

test('functions with the owner’s rights drop neither the current month nor a recent audit', async () => {
  const name = `gateway_event_${new Date().toISOString().slice(0, 7).replace('-', '_')}`
  const { rows } = await application.query(
    `select ${schema}.drop_month_partition('gateway_event', '${name}') as dropped`,
  )
  expect(rows).toEqual([{ dropped: false }])
  const drop = `select * from ${schema}.drop_audit(now() + interval '1 day', 1000)`
  expect((await application.query(drop)).rows).toEqual([])
  const forget = `select ${schema}.forget_sealed(array_agg(id)) from ${schema}.audit_unsealed`
  await owner.query(
    `insert into ${schema}.audit_unsealed (id, actor, actor_kind, action, subject_kind, subject_id)
     values (gen_random_uuid(), 'x', 'staff', 'payment.read', 'payment', 'x')`,
  )
  await expect(application.query(forget)).rejects.toThrow('append-only')
})
