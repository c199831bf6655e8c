// An answer counts as of the moment at which the gateway was asked: a replica may answer with what was
// before, and a process may be paused before it records the answer.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { GatewayOperation } from '../../src/domain/operation.ts'
import { factsOf } from '../../src/gateway/facts.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { approvePayment, capturePayment } from '../../src/services/payments/actions.ts'
import { PAYMENT_ACTIONS } from '../../src/services/payments/operations.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { findPaymentById } from '../../src/store/payments/rows.ts'
import { requestOf } from '../services/service_bench.ts'
import { holdUp } from './paused_gateway.ts'
import { PARTLY_REFUNDED, useReports } from './report_bench.ts'

const bench = useReports()
const { service, caller, charged, settledWallet, paymentOf, eventsOf, signed, fault, later } = bench
const BUDGET = { take: async () => undefined }
const clock = performance.now.bind(performance)
let paused_ms = 0
beforeEach(() => {
  paused_ms = 0
  performance.now = () => clock() + paused_ms
})
afterEach(() => {
  performance.now = clock
})

/** The process stands still for so long; both clocks go on. */
async function pause(ms: number): Promise<void> {
  paused_ms += ms
  await later(ms)
}
const statusOf = async (order_id: string) => (await paymentOf(order_id))?.['transaction_status']
const operationOf = async (id: string, kind: string) =>
  (
    await service.database.sql(
      'select state from gapura.gateway_operation where subject_id = $1 and kind = $2',
      [id, kind],
    )
  )[0]?.['state']
/** What the gateway answers for now, or until faults are cleared. */
async function answers(order_id: string, body: object, times: number | null = 1): Promise<void> {
  const shown = { status_code: '200', order_id, gross_amount: '150000.00', ...body }
  await fault('get_status', 'status', { times, options: { http_status: 200, body: shown } })
}
const report = async (order_id: string, body: object): Promise<void> =>
  void (await receiveNotification(service.ctx, signed(order_id, body)))

/** Cancelled at the gateway, and the notification of it has arrived. */
async function cancelThere(order_id: string): Promise<void> {
  await bench.clearFaults()
  await service.ctx.gateway.cancel(order_id)
  await expect.poll(async () => await statusOf(order_id)).toBe('cancel')
  await bench.mute()
}

/** Carries an action out whose reply does not arrive, nor the answers to the looks after it. */
async function leaveUnclear(kind: 'approve' | 'capture', act: () => Promise<unknown>) {
  await fault(kind, 'drop_after')
  await fault('get_status', 'drop_before', { times: 3 })
  await bench.mute()
  await expect(act()).rejects.toMatchObject({ code: 'outcome_unknown' })
  await bench.clearFaults()
  await bench.mute()
}
async function capturedUnclear() {
  const card = await charged('credit_card', { capture: false })
  await leaveUnclear('capture', async () => {
    await capturePayment(service.ctx, requestOf(), card.id, {})
  })
  return card
}
async function approvedUnclear() {
  const token_id = await bench.token('4511111111111117')
  const card = await charged('credit_card', { token_id })
  await leaveUnclear('approve', async () => {
    await approvePayment(service.ctx, requestOf(), card.id)
  })
  return card
}

describe('an answer applied after a pause of two minutes', () => {
  test('to a status check right after a cancellation: the payment stays cancelled', async () => {
    const { id, order_id } = await charged('credit_card')
    await cancelThere(order_id)
    await answers(order_id, { transaction_status: 'capture', fraud_status: 'accept' })
    const ctx = holdUp(service.ctx, 'getStatus', 'after_answer', async () => await pause(120_000))
    await getStatus(ctx, caller, id)
    expect(await statusOf(order_id)).toBe('cancel')
    expect(await eventsOf(id)).toEqual(['payment_settled', 'payment_cancelled'])
  })

  test('to the look-up of a capture right after a cancellation: the payment stays cancelled', async () => {
    const { id, order_id } = await capturedUnclear()
    await cancelThere(order_id)
    await later(5_000)
    await answers(order_id, { transaction_status: 'capture', fraud_status: 'accept' })
    const ctx = holdUp(service.ctx, 'getStatus', 'after_answer', async () => await pause(75_000))
    await resolveOperations(ctx, 10)
    expect(await statusOf(order_id)).toBe('cancel')
    expect(await operationOf(id, 'capture')).toBe('succeeded')
    expect(await eventsOf(id)).toEqual(['payment_received', 'payment_cancelled'])
  })

  test('to a status check right after a refund was reported: the refund is looked up and recorded', async () => {
    const { id, order_id } = await settledWallet()
    await report(order_id, PARTLY_REFUNDED)
    await answers(order_id, { transaction_status: 'settlement' })
    const ctx = holdUp(service.ctx, 'getStatus', 'after_answer', async () => await pause(120_000))
    await service.control(`transactions/${order_id}/refund`, { amount: 50_000, refund_key: 'dash' })
    await getStatus(ctx, caller, id)
    await bench.sixHours()
    expect(await paymentOf(order_id)).toMatchObject({ refunded: '50000.00' })
  })
})

describe('a replica that answers with what was before', () => {
  test('a chargeback: it stays, until an answer a minute later says otherwise', async () => {
    const { id, order_id } = await settledWallet()
    await service.control(`transactions/${order_id}/refund`, { amount: 50_000, refund_key: 'dash' })
    await getStatus(service.ctx, caller, id)
    expect(await statusOf(order_id)).toBe('partial_refund')
    await later(120_000)
    await report(order_id, { transaction_status: 'chargeback' })
    // The simulator knows of no chargeback: it answers with the refund, as a replica would.
    await getStatus(service.ctx, caller, id)
    expect(await statusOf(order_id)).toBe('chargeback')
    await checkPendingPayments(service.ctx, { budget: BUDGET })
    expect(await statusOf(order_id)).toBe('chargeback')
    await later(61_000)
    await checkPendingPayments(service.ctx, { budget: BUDGET })
    expect(await statusOf(order_id)).toBe('partial_refund')
  })

  test('late money: a payment that came back from its expiry is not reversed', async () => {
    const { id, order_id } = await charged('gopay')
    await answers(order_id, { transaction_status: 'expire', status_code: '407' })
    await getStatus(service.ctx, caller, id)
    expect(await statusOf(order_id)).toBe('expire')
    await later(120_000)
    await service.control(`transactions/${order_id}/pay`)
    await getStatus(service.ctx, caller, id)
    expect(await statusOf(order_id)).toBe('settlement')
    await answers(order_id, { transaction_status: 'expire', status_code: '407' })
    await getStatus(service.ctx, caller, id)
    expect(await statusOf(order_id)).toBe('settlement')
    expect(await eventsOf(id)).toEqual(['payment_received', 'payment_expired', 'payment_settled'])
  })
})

describe('what shows that money was taken', () => {
  test('a chargeback after an unclear approval: the approval was carried out', async () => {
    const { id, order_id } = await approvedUnclear()
    await later(61_000)
    await answers(order_id, { transaction_status: 'chargeback' }, null)
    await resolveOperations(service.ctx, 10)
    expect(await operationOf(id, 'approve')).toBe('succeeded')
  })

  test.each(['capture', 'approve'] as const)(
    'what was paid before the %s was asked for does not show that it was carried out',
    async (kind) => {
      const { id, order_id } = await charged('credit_card')
      const row = await service.database.do((tx) => findPaymentById(tx, id))
      const answer = factsOf(await service.ctx.gateway.getStatus(order_id))
      if (!row?.paid_at || answer === undefined) throw new Error('not paid')
      const shown = { ...answer, status: 'authorize' as const }
      const isDone = (created_at: Date) =>
        PAYMENT_ACTIONS[kind].isDone({ created_at } as GatewayOperation, shown, row)
      expect(isDone(row.paid_at)).toBe(true)
      expect(isDone(new Date(row.paid_at.getTime() + 1))).toBe(false)
    },
  )

  test('a capture that was reported before the cancellation: the capture was carried out', async () => {
    const { id, order_id } = await capturedUnclear()
    const card = { payment_type: 'credit_card', fraud_status: 'accept' }
    await report(order_id, { ...card, transaction_status: 'capture' })
    await cancelThere(order_id)
    await later(61_000)
    await resolveOperations(service.ctx, 10)
    expect(await operationOf(id, 'capture')).toBe('succeeded')
    expect(await statusOf(order_id)).toBe('cancel')
  })
})
