// How many round trips to the database each request needs (ADR 0016).
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../src/services/context.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { readPayment } from '../../src/services/payments/read_payments.ts'
import { openDatabase, type Database } from '../../src/store/connection/database.ts'
import { startDatabaseProxy, type DatabaseProxy } from '../store/database_proxy.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
let proxy: DatabaseProxy
let db: Database
let ctx: Context

beforeAll(async () => {
  proxy = await startDatabaseProxy()
  db = openDatabase(proxy.url, { schema: service.ctx.db.schema, connections_max: 1 })
  const { inbox: _, ...parts } = service.ctx
  ctx = withInbox({ ...parts, db })
  // The connection is open, and its statements are prepared.
  const { id } = await charge()
  await readPayment(ctx, requestOf().caller, id)
})

afterAll(async () => {
  await db.close()
  await proxy.close()
})

const { chargeOf } = charges(() => service.ctx.gateway)

async function charge() {
  const input = await chargeOf('bank_transfer', { order_id: service.fresh('trip') })
  return bodyOf(await createCharge(ctx, input, requestOf('owner-1', service.fresh('key'))))
}

/** The gateway's notification of a paid charge. */
function settlementOf({ order_id, transaction_id }: Record<string, unknown>) {
  const fields = { order_id: String(order_id), status_code: '200', gross_amount: '150000.00' }
  const signature_key = signNotification(fields, service.simulator.server_key)
  return { ...fields, transaction_id, transaction_status: 'settlement', signature_key }
}

/** The least of three: on a busy machine one packet may arrive as two. */
async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  for (let run = 0; run < 3; run++) {
    const before = proxy.trips()
    await work()
    counts.push(proxy.trips() - before)
  }
  return Math.min(...counts)
}

test('a charge: insert and record, each with its commit', async () => {
  // begin, the charge and commit; begin, lock and clock; the result and commit.
  expect(await tripsOf(charge)).toBe(3)
})

test('a payment read', async () => {
  const { id } = await charge()
  // begin and the payment, its parts, commit.
  expect(await tripsOf(async () => await readPayment(ctx, requestOf().caller, id))).toBe(3)
})

test('a webhook', async () => {
  await receiveNotification(ctx, settlementOf(await charge()))
  const settlements = [await charge(), await charge(), await charge()].map(settlementOf)
  const next = settlements.values()
  // begin, lock, clock, earlier rows and items; the result and commit.
  expect(await tripsOf(async () => await receiveNotification(ctx, next.next().value))).toBe(2)
  expect(
    await service.database.sql(
      'select distinct transaction_status from gapura.gateway_payment where order_id = any($1)',
      [settlements.map(({ order_id }) => order_id)],
    ),
  ).toEqual([{ transaction_status: 'settlement' }])
})
