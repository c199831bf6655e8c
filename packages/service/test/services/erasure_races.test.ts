// Writes about a customer during an erasure: nothing is half erased, nothing is skipped.
import { expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import type { Context } from '../../src/services/context.ts'
import { erasePerson } from '../../src/services/privacy/erase_person.ts'
import { newId } from '../../src/store/sql/values.ts'
import { insertOperation } from '../../src/store/operations/rows.ts'
import { lockPayment } from '../../src/store/payments/locks.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { addPayment, newOperation, there } from '../store/sample_rows.ts'
import { eventually, useDatabase } from '../store/test_database.ts'

const here = useDatabase()
const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

const erase = async (email: string) =>
  await erasePerson({ db: here.db, log } as unknown as Context, dewi, { email, reason: 'ticket 9' })

/** Does something under the payment's lock, and keeps that lock until `commit`. */
async function holding(id: string, work: (tx: Tx) => Promise<unknown>) {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const done = here.do(async (tx) => {
    there(await lockPayment(tx, id))
    await work(tx)
    held.resolve()
    await release.promise
  })
  await held.promise
  return async function commit(): Promise<void> {
    release.resolve()
    await done
  }
}

/** Waits until a connection waits for a lock. */
async function waitedFor(): Promise<void> {
  const waiting = async () =>
    await here.sql(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
  expect(await eventually(waiting, ({ length }) => length > 0)).not.toEqual([])
}

const emailOf = async (id: string) =>
  (await here.sql('select customer_email from gapura.gateway_payment where id = $1', [id]))[0]

test('an operation that begins meanwhile keeps what it may have to send again', async () => {
  const customer_email = 'ani@example.com'
  const { id } = await here.do((tx) => addPayment(tx, { customer_email }))
  const operation = { ...newOperation(id), request: { reason: 'asked by Ani' } }
  // The payment is locked first, as by every action, so the erasure waits for it.
  const commit = await holding(id, async (tx) => {
    there(await insertOperation(tx, operation, 60_000))
  })
  const erasing = erase(customer_email)
  await waitedFor()
  await commit()
  expect(await erasing).toMatchObject({ payments: 0, waiting: 1 })
  expect(await emailOf(id)).toEqual({ customer_email })
  const [kept] = await here.sql('select request from gapura.gateway_operation where id = $1', [
    operation.id,
  ])
  expect(kept).toEqual({ request: { reason: 'asked by Ani' } })
})

test('a payment committed during the erasure is erased too, and counted', async () => {
  const customer_email = 'budi-2@example.com'
  // Its id is made first and its row committed last, like that of a slow request.
  const early = newId()
  const { id } = await here.do((tx) => addPayment(tx, { customer_email }))
  const commit = await holding(id, async () => undefined)
  const erasing = erase(customer_email)
  await waitedFor()
  await here.do((tx) => addPayment(tx, { id: early, customer_email }))
  await commit()
  expect(await erasing).toMatchObject({ payments: 2, waiting: 0 })
  expect(await emailOf(early)).toEqual({ customer_email: null })
  const [noted] = await here.sql(
    `select count(*)::int from gapura.audit_unsealed
     where action = 'privacy.erase' and detail::text like $1`,
    [`%${early}%`],
  )
  expect(noted).toEqual({ count: 1 })
})
