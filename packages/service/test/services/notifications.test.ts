import { describe, expect, test } from 'vitest'
import { PAYMENT_TYPES } from '../../src/domain/payment_type.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { readPayment } from '../../src/services/payments/read_payment.ts'
import { readObjectEvents } from '../../src/store/events.ts'
import { eventually } from '../store/test_database.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const { chargeOf } = charges(() => service.ctx.gateway)
const { caller } = requestOf()

async function charged(payment_type: string) {
  const order_id = service.fresh(payment_type)
  return bodyOf(
    await createCharge(service.ctx, await chargeOf(payment_type, { order_id }), requestOf()),
  )
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
  test.each(PAYMENT_TYPES.filter((type) => type !== 'credit_card'))(
    '%s: paid by the payer, settled by notification, told once',
    async (payment_type) => {
      const { id, order_id, transaction_id } = await charged(payment_type)
      await service.control(`transactions/${String(transaction_id)}/pay`)
      const payment = await until(id, 'settlement')
      expect(payment).toMatchObject({ is_paid: true, captured_amount: '150000.00' })
      expect(await eventsOf(id)).toEqual(['payment_received', 'payment_settled'])
      expect(await effectsOf(order_id)).toContain('applied')
    },
  )

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

describe('what is refused or not believed', () => {
  const count = async (order_id: unknown) =>
    (
      await service.database.sql(
        "select id from gapura.gateway_notification where order_id = $1 and transaction_status = 'settlement'",
        [order_id],
      )
    ).length

  test('403 signature_invalid: forged, altered, unsigned; no row', async () => {
    const { id, order_id } = await charged('qris')
    const good = notice(order_id)
    for (const bad of [
      { ...good, signature_key: 'x' },
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

  test('another amount, honestly signed: kept as a mismatch with an alarm, state unchanged', async () => {
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

  test('a code that is not of the status is deferred and the gateway is asked', async () => {
    const { id, order_id } = await charged('gopay')
    await receiveNotification(service.ctx, notice(order_id, { transaction_status: 'deny' }))
    expect((await read(id))?.transaction_status).toBe('pending')
    expect(await effectsOf(order_id)).toContain('deferred')
  })

  test('an unknown order is stored and answered; an unknown status too', async () => {
    const nobody = service.fresh('nobody')
    await receiveNotification(service.ctx, notice(nobody))
    expect(await effectsOf(nobody)).toEqual(['unmatched'])
    const { order_id } = await charged('gopay')
    await receiveNotification(service.ctx, notice(order_id, { transaction_status: 'teleported' }))
    expect(await effectsOf(order_id)).toContain('stale')
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
