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

async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  const before = proxy.trips()
  await work()
  return proxy.trips() - before
}

test('a charge: insert and record, each with its commit', async () => {
  // begin and the charge, commit; begin, lock and clock, the result, commit.
  expect(await tripsOf(charge)).toBe(5)
})

test('a payment read', async () => {
  const { id } = await charge()
  // begin and the payment, its parts, commit.
  expect(await tripsOf(async () => await readPayment(ctx, requestOf().caller, id))).toBe(3)
})

test('a webhook', async () => {
  await receiveNotification(ctx, settlementOf(await charge()))
  const settlement = settlementOf(await charge())
  // begin, lock and clock, duplicates, the result, commit.
  expect(await tripsOf(async () => await receiveNotification(ctx, settlement))).toBe(4)
  expect(
    await service.database.sql(
      'select transaction_status from gapura.gateway_payment where order_id = $1',
      [settlement.order_id],
    ),
  ).toEqual([{ transaction_status: 'settlement' }])
})
