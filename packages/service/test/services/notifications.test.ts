import { describe, expect, test } from 'vitest'
import { PAYMENT_TYPES } from '../../src/domain/payment_type.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { readPayment } from '../../src/services/payments/read_payments.ts'
import { readObjectEvents } from '../../src/store/events/outbox.ts'
import { startRelay } from '../../src/events/relay.ts'
import { QUICK, Recorder } from '../events/event_bench.ts'
import { eventually } from '../store/test_database.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const { chargeOf } = charges(() => service.ctx.gateway)
const { caller } = requestOf()

async function charged(payment_type: string, more: object = {}) {
  const input = await chargeOf(payment_type, { order_id: service.fresh(payment_type), ...more })
  return bodyOf(await createCharge(service.ctx, input, requestOf()))
}
const read = async (id: string) => await readPayment(service.ctx, caller, id)
const until = async (id: string, status: string) =>
  await eventually(
    () => read(id),
    (payment) => payment?.transaction_status === status,
  )
const eventsOf = async (id: string) =>
  (await service.database.do((tx) => readObjectEvents(tx, id, 1, 100))).map(({ type }) => type)
const effectsOf = async (order_id: unknown) =>
  (
    await service.database.sql(
      'select effect from gapura.gateway_notification where order_id = $1 order by received_at, id',
      [order_id],
    )
  ).map(({ effect }) => effect)

const notice = (order_id: unknown, more: Record<string, unknown> = {}) => {
  const fields = { order_id: String(order_id), status_code: '200', gross_amount: '150000.00' }
  const body = { ...fields, transaction_status: 'settlement', transaction_id: undefined, ...more }
  const signed = { ...fields, ...more }
  return { signature_key: signNotification(signed, service.simulator.server_key), ...body }
}

describe('a webhook of the gateway', () => {
  test('all eleven payment types: charged, paid by the simulated payer, settled by webhook, and payment_settled delivered exactly once', async () => {
    expect(PAYMENT_TYPES).toHaveLength(11)
    const shop = new Recorder()
    const relay = await startRelay(service.database.db, {
      ...QUICK,
      subscribers: [shop.subscriber('shop')],
    })
    const settled: [string, string][] = []
    for (const payment_type of PAYMENT_TYPES) {
      const { id, order_id, transaction_id } = await charged(payment_type, {
        ...(payment_type === 'credit_card' && { authentication: true }),
      })
      await service.control(`transactions/${String(transaction_id)}/pay`)
      // A card is captured when it is paid and settles with the bank's run.
      if (payment_type === 'credit_card')
        await service.control(`transactions/${String(transaction_id)}/settle`)
      const payment = await until(id, 'settlement')
      expect(payment).toMatchObject({ is_paid: true, captured_amount: '150000.00' })
      expect(await effectsOf(order_id)).toContain('applied')
      settled.push([payment_type, id])
    }
    const signalsOf = (id: string) =>
      shop.received.filter(({ object }) => object.id === id).map(({ type }) => type)
    await eventually(
      () => Promise.resolve(settled),
      (payments) => payments.every(([, id]) => signalsOf(id).includes('payment_settled')),
    )
    await relay.stop()
    expect(settled.map(([payment_type, id]) => [payment_type, signalsOf(id)])).toEqual(
      PAYMENT_TYPES.map((type) => [type, ['payment_received', 'payment_settled']]),
    )
  })

  test('the same one fifty times at once is one transition and one event', async () => {
    const { id, order_id, transaction_id } = await charged('bank_transfer')
    const body = notice(order_id, { transaction_id })
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => receiveNotification(service.ctx, body)),
    )
    expect(new Set(replies.map(({ notification_id }) => notification_id)).size).toBe(50)
    expect((await read(id))?.transaction_status).toBe('settlement')
    expect(await eventsOf(id)).toEqual(['payment_received', 'payment_settled'])
    const settlements = await service.database.sql(
      "select effect from gapura.gateway_notification where order_id = $1 and transaction_status = 'settlement'",
      [order_id],
    )
    expect(settlements).toHaveLength(50)
    expect(settlements.filter(({ effect }) => effect === 'applied')).toHaveLength(1)
  })

  test('a late pending after settlement changes nothing', async () => {
    const { id, order_id, transaction_id } = await charged('gopay')
    await receiveNotification(service.ctx, notice(order_id, { transaction_id }))
    const pending = notice(order_id, {
      transaction_id,
      transaction_status: 'pending',
      status_code: '201',
    })
    await receiveNotification(service.ctx, pending)
    expect((await read(id))?.transaction_status).toBe('settlement')
    expect(await effectsOf(order_id)).toContain('stale')
  })
})

describe('what is refused or has no effect', () => {
  const count = async (order_id: unknown) =>
    (
      await service.database.sql(
        "select id from gapura.gateway_notification where order_id = $1 and transaction_status = 'settlement'",
        [order_id],
      )
    ).length

  test('403 signature_invalid: forged, by another key, altered, unsigned; no row', async () => {
    const { id, order_id } = await charged('qris')
    const good = notice(order_id)
    for (const bad of [
      { ...good, signature_key: 'x' },
      { ...good, signature_key: signNotification(good, 'SB-Mid-server-of-another') },
      { ...good, gross_amount: '1.00' },
      { ...good, status_code: '201' },
      { ...good, signature_key: undefined },
      { ...good, order_id: undefined },
    ]) {
      await expect(receiveNotification(service.ctx, bad)).rejects.toMatchObject({
        code: 'signature_invalid',
      })
    }
    expect(await count(order_id)).toBe(0)
    expect((await read(id))?.transaction_status).toBe('pending')
  })

  test('boundary-shifted: a genuine signature read as that of another order changes nothing', async () => {
    const { order_id } = await charged('qris')
    // The same bytes in a row, cut elsewhere: `x` 200 150000.00 and `x2` 001 50000.00.
    const victim = await charged('qris', {
      order_id: `${String(order_id)}2`,
      gross_amount: 50_000,
      item_details: [],
    })
    const { signature_key } = notice(order_id)
    const shifted = {
      order_id: victim['order_id'],
      status_code: '001',
      gross_amount: '50000.00',
      signature_key,
      transaction_status: 'settlement',
      transaction_id: victim['transaction_id'],
    }
    await receiveNotification(service.ctx, shifted)
    expect((await read(victim.id))?.transaction_status).toBe('pending')
    expect(await effectsOf(victim['order_id'])).toContain('deferred')
    expect(await eventsOf(victim.id)).toEqual(['payment_received'])
  })

  test('a wrong amount with a valid signature: stored as a mismatch with an alarm, status unchanged', async () => {
    const { id, order_id } = await charged('qris')
    await receiveNotification(service.ctx, notice(order_id, { gross_amount: '1.00' }))
    expect((await read(id))?.transaction_status).toBe('pending')
    expect(await effectsOf(order_id)).toContain('mismatch')
    const alarms = await service.database.sql(
      'select kind from gapura.gateway_alarm where subject_id = $1',
      [id],
    )
    expect(alarms).toEqual([{ kind: 'amount_mismatch' }])
  })

  test('a code that does not fit the status is deferred and looked up at the gateway', async () => {
    const { id, order_id } = await charged('gopay')
    await receiveNotification(service.ctx, notice(order_id, { transaction_status: 'deny' }))
    expect((await read(id))?.transaction_status).toBe('pending')
    expect(await effectsOf(order_id)).toContain('deferred')
  })

  test('an unknown order is stored and answered; so is an unknown status', async () => {
    const unknown_order = service.fresh('unknown')
    await receiveNotification(service.ctx, notice(unknown_order))
    expect(await effectsOf(unknown_order)).toEqual(['unmatched'])
    const { order_id } = await charged('gopay')
    const teleported = notice(order_id, { transaction_status: 'teleported' })
    const { notification_id } = await receiveNotification(service.ctx, teleported)
    // The simulator's own notification about the charge may be stored before it or after it.
    const stored = await service.database.sql(
      'select effect, reason from gapura.gateway_notification where id = $1',
      [notification_id],
    )
    expect(stored).toEqual([{ effect: 'deferred', reason: 'unknown_status' }])
  })

  test('400 for a body of no known shape', async () => {
    await expect(receiveNotification(service.ctx, { hello: 1 })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('no signature key is on disk', async () => {
    const rows = await service.database.sql('select raw_payload from gapura.gateway_notification')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('signature_key')
  })
})
