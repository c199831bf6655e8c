// A staff member resolves an operation that looks alone could not. The simulator knows what really
// happened, and its answer takes precedence over the staff member's.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { resolveOperation } from '../../src/services/staff/operations.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { expirePayment } from '../../src/services/payments/actions.ts'
import { readPaymentHistory } from '../../src/services/staff/history.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { alarmAbout } from '../../src/services/payments/record_step.ts'
import { useFaults } from './fault_bench.ts'
import { requestOf } from './service_bench.ts'

// These tests lose answers on purpose; an open circuit breaker would delay the next test.
const bench = useFaults({ breaker_rest_ms: 1 })
const { service } = bench
const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
const reason = 'seen on the bank statement'

beforeEach(bench.mute)
afterEach(bench.clearFaults)

const openOf = async (subject_id: string): Promise<string> => {
  const [row] = await service.database.sql(
    `select id from gapura.gateway_operation
     where subject_id = $1 and state in ('started', 'unknown')`,
    [subject_id],
  )
  return String(row?.['id'])
}
const end = async (id: string, outcome: string, more: object = {}) =>
  await resolveOperation(service.ctx, dewi, id, { outcome, reason, ...more })

/** A refund whose answer and look were both lost; the first argument says whether it was made. */
async function lostRefund(effect: 'timeout_before' | 'timeout_after') {
  const payment = await bench.settledWallet()
  await bench.fault('refund', effect)
  await bench.fault('get_status', 'drop_before', { times: 5 })
  await refundPayment(service.ctx, requestOf(), payment.id, { amount: 50_000 }).catch(() => 0)
  await bench.clearFaults()
  await bench.mute()
  const detail = 'refund: the gateway has not shown whether it was carried out'
  await service.database.do((tx) =>
    alarmAbout(tx, { id: payment.id, owner_id: 'owner-1' }, 'refund_overdue', detail),
  )
  return { ...payment, operation_id: await openOf(payment.id) }
}

const openAlarms = async (subject_id: string) =>
  await service.database.sql(
    'select kind, closed_by, note from gapura.gateway_alarm where subject_id = $1',
    [subject_id],
  )

describe('a refund', () => {
  test('marking a refund refused releases the reserved amount and records staff id and reason', async () => {
    const { id, order_id, operation_id } = await lostRefund('timeout_before')
    await bench.later(61_000)
    const resolved = await end(operation_id, 'refused')
    expect(resolved?.operation).toMatchObject({
      state: 'refused',
      reply: { error: 'refund_denied', resolved_by: 'dewi', reason },
    })
    expect(resolved?.payment).toMatchObject({ refundable_amount: '150000.00' })
    expect(await bench.rowOf(order_id)).toMatchObject({ reserved: '0.00', refunded: '0.00' })
    expect(await openAlarms(id)).toMatchObject([{ closed_by: 'dewi', note: reason }])
  })

  test('marked refused although the gateway made it is recorded as made', async () => {
    const { order_id, operation_id } = await lostRefund('timeout_after')
    await bench.later(61_000)
    const resolved = await end(operation_id, 'refused')
    expect(resolved?.operation.state).toBe('succeeded')
    expect(await bench.rowOf(order_id)).toMatchObject({ reserved: '0.00', refunded: '50000.00' })
  })

  test('marked done is accepted where the gateway does not list it, and published like any other', async () => {
    const { id, order_id, operation_id } = await lostRefund('timeout_before')
    await bench.later(61_000)
    const resolved = await end(operation_id, 'done')
    expect(resolved?.payment).toMatchObject({
      transaction_status: 'partial_refund',
      refund_amount: '50000.00',
    })
    expect(await bench.rowOf(order_id)).toMatchObject({ reserved: '0.00', refunded: '50000.00' })
    const history = await readPaymentHistory(service.ctx, dewi, id)
    expect(history?.transitions.at(-1)).toMatchObject({
      to_status: 'partial_refund',
      source: 'staff',
      reason: `by dewi: ${reason}`,
    })
    expect(history?.operations.at(-1)).toMatchObject({ kind: 'refund', state: 'succeeded' })
    const events = await service.database.sql(
      "select source from gapura.gateway_event where object_id = $1 and type = 'payment_refunded'",
      [id],
    )
    expect(events).toEqual([{ source: 'staff' }])
  })

  test('is not resolved while it may still be in flight, nor twice', async () => {
    const { operation_id } = await lostRefund('timeout_before')
    await expect(end(operation_id, 'refused')).rejects.toMatchObject({ code: 'invalid_request' })
    await bench.later(61_000)
    await end(operation_id, 'refused')
    await expect(end(operation_id, 'done')).rejects.toMatchObject({
      errors: [{ field: 'id', message: 'it has ended: refused' }],
    })
  })
})

describe('a charge', () => {
  async function lostCharge(payment_type: string, effect: string) {
    const order_id = service.fresh(payment_type)
    await bench.fault('charge', effect)
    await bench.fault('get_status', 'drop_before', { times: 5 })
    const input = await bench.chargeOf(payment_type, { order_id })
    await createCharge(service.ctx, input, requestOf()).catch(() => 0)
    await bench.clearFaults()
    await bench.mute()
    const row = await bench.rowOf(order_id)
    const id = String(row?.['id'])
    return { id, order_id, operation_id: await openOf(id) }
  }

  test('that the gateway made is recorded as made, whatever staff say', async () => {
    const { order_id, operation_id } = await lostCharge('qris', 'timeout_after')
    await bench.later(61_000)
    const resolved = await end(operation_id, 'refused')
    expect(resolved?.payment).toMatchObject({ transaction_status: 'pending' })
    expect(await bench.rowOf(order_id)).toMatchObject({ refused: false })
  })

  test('that the gateway has not made cannot be marked as made', async () => {
    const { operation_id } = await lostCharge('qris', 'timeout_before')
    await bench.later(61_000)
    await expect(end(operation_id, 'done')).rejects.toMatchObject({
      errors: [{ field: 'outcome', message: 'the gateway shows no such charge of ours' }],
    })
  })

  test('stays unchanged while the gateway is unreachable', async () => {
    const { order_id, operation_id } = await lostCharge('qris', 'timeout_before')
    await bench.later(61_000)
    await bench.fault('get_status', 'drop_before', { times: 5 })
    await expect(end(operation_id, 'refused')).rejects.toMatchObject({
      code: 'gateway_unavailable',
    })
    expect(await bench.rowOf(order_id)).toMatchObject({ transaction_status: 'initiated' })
  })

  test('of DANA, which cannot be looked up, can be marked as not made by staff', async () => {
    const { id, order_id, operation_id } = await lostCharge('dana', 'timeout_before')
    await bench.later(61_000)
    const resolved = await end(operation_id, 'refused')
    expect(resolved?.operation).toMatchObject({ state: 'refused', reply: { resolved_by: 'dewi' } })
    expect(await bench.rowOf(order_id)).toMatchObject({ transaction_status: 'failure' })
    const history = await readPaymentHistory(service.ctx, dewi, id)
    expect(history?.transitions.at(-1)).toMatchObject({ reason: `by dewi: ${reason}` })
  })

  test('of DANA is found by the transaction id that staff read from the dashboard', async () => {
    const { order_id, operation_id } = await lostCharge('dana', 'timeout_after')
    await bench.later(61_000)
    await expect(end(operation_id, 'done')).rejects.toMatchObject({ code: 'invalid_request' })
    const reply = await fetch(`${service.simulator.url}/_sim/transactions/${order_id}`)
    const { transaction_id } = (await reply.json()) as { transaction_id: string }
    const resolved = await end(operation_id, 'done', { transaction_id })
    expect(resolved?.payment).toMatchObject({ transaction_status: 'pending', transaction_id })
  })
})

test('an expiry is looked up at once, and is never marked done', async () => {
  const { id } = await bench.charged('bank_transfer')
  await bench.fault('expire', 'timeout_before')
  await bench.fault('get_status', 'drop_before', { times: 5 })
  await expirePayment(service.ctx, requestOf(), id).catch(() => 0)
  await bench.clearFaults()
  const operation_id = await openOf(id)
  await bench.later(61_000)
  await expect(end(operation_id, 'done')).rejects.toMatchObject({ code: 'invalid_request' })
  const resolved = await end(operation_id, 'look')
  expect(resolved?.operation.state).toBe('succeeded')
  expect(resolved?.payment).toMatchObject({ transaction_status: 'expire' })
})

test('403 for a caller that is not staff or may only read; undefined for an unknown id', async () => {
  const id = '01890000-0000-7000-8000-000000000000'
  for (const caller of [
    { ...dewi, staff: false },
    { ...dewi, scopes: ['staff:read' as const] },
  ]) {
    const asked = resolveOperation(service.ctx, caller, id, { outcome: 'look', reason })
    await expect(asked).rejects.toMatchObject({ code: 'forbidden' })
  }
  expect(await end(id, 'look')).toBeUndefined()
  await expect(end(id, 'maybe')).rejects.toMatchObject({ code: 'invalid_request' })
})
