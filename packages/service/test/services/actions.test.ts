import { describe, expect, test } from 'vitest'
import {
  approvePayment,
  cancelPayment,
  capturePayment,
  denyPayment,
  expirePayment,
} from '../../src/services/payments/actions.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { readPayment } from '../../src/services/payments/read_payments.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { eventually } from '../store/test_database.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const { chargeOf, token } = charges(() => service.ctx.gateway)
const { caller } = requestOf()

async function charged(payment_type: string, more: object = {}) {
  const order_id = service.fresh(payment_type)
  const input = await chargeOf(payment_type, { order_id, ...more })
  return bodyOf(await createCharge(service.ctx, input, requestOf()))
}
async function settled(payment_type = 'gopay') {
  const payment = await charged(payment_type)
  await service.control(`transactions/${String(payment['order_id'])}/pay`)
  await getStatus(service.ctx, caller, payment.id)
  return payment
}
const read = async (id: string) => await readPayment(service.ctx, caller, id)
const strike = (operation: string, effect: string, times = 1) =>
  service.control('faults', { effect, match: { operation }, times })

describe('cancel, expire, approve, deny', () => {
  test('cancel ends a pending payment; a second one is refused without a call to the gateway', async () => {
    const { id } = await charged('bank_transfer')
    const outcome = await cancelPayment(service.ctx, requestOf(), id)
    expect(bodyOf(outcome)).toMatchObject({ transaction_status: 'cancel' })
    await expect(cancelPayment(service.ctx, requestOf(), id)).rejects.toMatchObject({
      code: 'payment_in_final_state',
      stage: 'before',
    })
  })

  test('expire is accepted for pending payments only', async () => {
    const { id } = await charged('qris')
    expect(bodyOf(await expirePayment(service.ctx, requestOf(), id))).toMatchObject({
      transaction_status: 'expire',
    })
    await expect(expirePayment(service.ctx, requestOf(), id)).rejects.toMatchObject({
      code: 'payment_not_pending',
    })
  })

  test('a challenged card is approved, or denied', async () => {
    const challenge = async () => await token('4511111111111117')
    const first = await charged('credit_card', { token_id: await challenge() })
    expect(first).toMatchObject({ fraud_status: 'challenge', is_paid: false })
    expect(bodyOf(await approvePayment(service.ctx, requestOf(), first.id))).toMatchObject({
      fraud_status: 'accept',
      is_paid: true,
    })
    const second = await charged('credit_card', { token_id: await challenge() })
    expect(bodyOf(await denyPayment(service.ctx, requestOf(), second.id))).toMatchObject({
      transaction_status: 'deny',
    })
  })

  test('another owner gets not_found, and nothing is locked or sent', async () => {
    const { id } = await charged('qris')
    expect(await cancelPayment(service.ctx, requestOf('stranger'), id)).toEqual({
      kind: 'problem',
      code: 'not_found',
    })
    expect((await read(id))?.transaction_status).toBe('pending')
  })

  test('ten cancels at once send one to the gateway', async () => {
    const { id } = await charged('bank_transfer')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => cancelPayment(service.ctx, requestOf(), id)),
    )
    const done = outcomes.filter((one) => one.status === 'fulfilled' && one.value.kind === 'reply')
    expect(done).toHaveLength(1)
    expect((await read(id))?.transaction_status).toBe('cancel')
  })
})

describe('capture', () => {
  test('takes part of what is held: a partial capture settles by webhook alone', async () => {
    const payment = await charged('credit_card', { capture: false })
    expect(payment).toMatchObject({
      transaction_status: 'authorize',
      authorized_amount: '150000.00',
    })
    const outcome = await capturePayment(service.ctx, requestOf(), payment.id, { amount: 100_000 })
    expect(bodyOf(outcome)).toMatchObject({
      transaction_status: 'capture',
      captured_amount: '100000.00',
      gross_amount: '150000.00',
    })
    await service.control(`transactions/${String(payment['order_id'])}/settle`)
    const after = await eventually(
      () => read(payment.id),
      (now) => now?.transaction_status === 'settlement',
    )
    expect(after).toMatchObject({ transaction_status: 'settlement', captured_amount: '100000.00' })
  })

  test('refuses more than is held, other methods, and a second capture', async () => {
    const card = await charged('credit_card', { capture: false })
    const capture = (id: string, input: object) =>
      capturePayment(service.ctx, requestOf(), id, input)
    await expect(capture(card.id, { amount: 150_001 })).rejects.toMatchObject({
      code: 'capture_amount_exceeded',
    })
    await expect(capture(card.id, { amount: 0 })).rejects.toMatchObject({ code: 'invalid_request' })
    const { id } = await charged('gopay')
    await expect(capture(id, {})).rejects.toMatchObject({ code: 'not_credit_card' })
    await capture(card.id, {})
    await expect(capture(card.id, {})).rejects.toMatchObject({ code: 'payment_not_authorized' })
  })
})

describe('refund', () => {
  const refund = async (id: string, input: object, key?: string) =>
    await refundPayment(service.ctx, requestOf('owner-1', key), id, input)

  test("in parts, then in full; the sums equal the gateway's", async () => {
    const { id, order_id } = await settled()
    const first = bodyOf(await refund(id, { amount: 50_000, reason: 'one broke' }))
    expect(first).toMatchObject({
      payment: { transaction_status: 'partial_refund', refundable_amount: '100000.00' },
      refund: { amount: '50000.00', status: 'succeeded', reason: 'one broke' },
    })
    await refund(id, { amount: 100_000 })
    expect(await read(id)).toMatchObject({
      transaction_status: 'refund',
      refund_amount: '150000.00',
      refundable_amount: '0.00',
      refunds: [{ amount: '50000.00' }, { amount: '100000.00' }],
    })
    expect((await service.ledger(String(order_id)))?.refunded).toBe(150_000)
    await expect(refund(id, { amount: 1 })).rejects.toMatchObject({
      code: 'payment_not_refundable',
    })
  })

  test('many at once, three times the payment in all: never more than was captured', async () => {
    const { id, order_id } = await settled()
    await service.control('faults', {
      effect: 'drop_after',
      match: { operation: 'refund' },
      times: 2,
    })
    await Promise.allSettled(Array.from({ length: 30 }, () => refund(id, { amount: 15_000 })))
    await service.database.do((tx) => moveClock(tx, 120_000))
    for (let round = 0; round < 5; round++) {
      await resolveOperations(service.ctx, 100)
      await service.database.do((tx) => moveClock(tx, 120_000))
    }
    const after = await read(id)
    expect(after).toMatchObject({ refund_amount: '150000.00', transaction_status: 'refund' })
    expect((await service.ledger(String(order_id)))?.refunded).toBe(150_000)
    const [reserved] = await service.database.sql(
      'select refund_reserved_amount::text as left from gapura.gateway_payment where id = $1',
      [id],
    )
    expect(reserved).toEqual({ left: '0.00' })
  })

  test('answered 202 and refused by the bank releases the reservation', async () => {
    const { id, order_id } = await settled()
    await service.control(`transactions/${String(order_id)}/refuse_next`, {
      operation: 'direct_refund',
    })
    await expect(refund(id, { amount: 50_000, direct: true })).rejects.toMatchObject({
      code: 'refund_denied',
    })
    expect(await read(id)).toMatchObject({
      refundable_amount: '150000.00',
      refunds: [{ status: 'failed' }],
    })
  })

  test("made on the gateway's dashboard beside ours: both are recorded", async () => {
    const { id, order_id } = await settled()
    await service.control(`transactions/${String(order_id)}/refund`, { amount: 30_000 })
    await refund(id, { amount: 20_000 })
    await getStatus(service.ctx, caller, id)
    const after = await read(id)
    expect(after).toMatchObject({ refund_amount: '50000.00' })
    expect(after?.refunds.map(({ source }) => source).sort()).toEqual(['gateway', 'service'])
  })

  test('repeated with its key: one refund, the same reply', async () => {
    const { id, order_id } = await settled()
    const key = service.fresh('key')
    const first = await refund(id, { amount: 10_000 }, key)
    const again = await refund(id, { amount: 10_000 }, key)
    expect(again).toMatchObject({ replayed: true })
    expect(bodyOf(again)).toEqual(bodyOf(first))
    expect((await service.ledger(String(order_id)))?.refunded).toBe(10_000)
  })

  test('of a virtual account, or before settlement, is refused with the reason', async () => {
    const va = await settled('bank_transfer')
    await expect(refund(va.id, { amount: 1_000 })).rejects.toMatchObject({
      code: 'method_not_refundable',
    })
    const card = await charged('credit_card')
    await expect(refund(card.id, { amount: 1_000 })).rejects.toMatchObject({
      code: 'refund_needs_settlement',
    })
  })
})

describe('the resolver', () => {
  const later = async (rounds = 3) => {
    for (let round = 0; round < rounds; round++) {
      await service.database.do((tx) => moveClock(tx, 120_000))
      await resolveOperations(service.ctx, 100)
    }
  }

  test('finds a charge whose answer and look were lost', async () => {
    const order_id = service.fresh('found')
    await strike('charge', 'drop_after')
    await strike('get_status', 'drop_before', 3)
    const input = await chargeOf('bank_transfer', { order_id })
    await expect(createCharge(service.ctx, input, requestOf())).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await later()
    const [row] = await service.database.sql(
      'select transaction_status, va_number from gapura.gateway_payment where order_id = $1',
      [order_id],
    )
    expect(row).toMatchObject({ transaction_status: 'pending' })
    expect(row?.['va_number']).toBeTypeOf('string')
  })

  test('ends a charge that the gateway never had, and releases its order id', async () => {
    const order_id = service.fresh('never')
    await strike('charge', 'timeout_before')
    const input = await chargeOf('bank_transfer', { order_id })
    await expect(createCharge(service.ctx, input, requestOf())).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await later()
    const [row] = await service.database.sql(
      'select transaction_status, refused from gapura.gateway_payment where order_id = $1',
      [order_id],
    )
    expect(row).toEqual({ transaction_status: 'failure', refused: true })
  })

  test('ends a cancel whose answer was lost', async () => {
    const { id } = await charged('bank_transfer')
    // Or the notification of the cancel would end it before the resolver can.
    await service.control('faults', { effect: 'muted', match: { transaction_status: 'cancel' } })
    await strike('cancel', 'drop_after')
    await strike('get_status', 'drop_before', 3)
    await expect(cancelPayment(service.ctx, requestOf(), id)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    expect(await cancelPayment(service.ctx, requestOf(), id)).toEqual({
      kind: 'problem',
      code: 'operation_in_progress',
    })
    await later()
    expect((await read(id))?.transaction_status).toBe('cancel')
  })
})
