// The answer to a call of our own that arrives after newer facts counts as a report.
import { afterEach, describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import {
  approvePayment,
  cancelPayment,
  capturePayment,
} from '../../src/services/payments/actions.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { useFaults } from '../services/fault_bench.ts'
import { bodyOf, requestOf } from '../services/service_bench.ts'
import { holdUp } from './paused_gateway.ts'

const bench = useFaults({ breaker_rest_ms: 1, timeout_ms_max: 5_000 })
const { service, chargeOf, token, rowOf, clearFaults, later, fault, eventsOf, settledWallet } =
  bench
const BUDGET = { take: async () => undefined }
afterEach(clearFaults)

const statusOf = async (order_id: string) => (await rowOf(order_id))?.['transaction_status']

/** Cancelled at the gateway, and the notification of it has arrived. */
async function cancelThere(order_id: string): Promise<void> {
  await service.ctx.gateway.cancel(order_id)
  await expect.poll(async () => await statusOf(order_id)).toBe('cancel')
}

/** The same so long ago that an answer is not too soon after it: what counts is that it was late. */
async function cancelLongAgo(order_id: string): Promise<void> {
  await cancelThere(order_id)
  await later(61_000)
}

describe('a payment that was cancelled while the answer was in flight', () => {
  test('charge answered capture: it stays cancelled, and payment_settled is not published again', async () => {
    const order_id = service.fresh('charge')
    const input = await chargeOf('credit_card', { order_id })
    const ctx = holdUp(
      service.ctx,
      'charge',
      'after_answer',
      async () => await cancelLongAgo(order_id),
    )
    const body = bodyOf(await createCharge(ctx, input, requestOf()))
    expect(body).toMatchObject({ transaction_status: 'cancel', is_paid: false })
    await checkPendingPayments(service.ctx, { budget: BUDGET })
    expect(await statusOf(order_id)).toBe('cancel')
    expect(await eventsOf(body.id)).toEqual(['payment_settled', 'payment_cancelled'])
  })

  test('capture answered capture: it stays cancelled', async () => {
    const order_id = service.fresh('capture')
    const input = await chargeOf('credit_card', { order_id, capture: false })
    const { id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
    const ctx = holdUp(
      service.ctx,
      'capture',
      'after_answer',
      async () => await cancelLongAgo(order_id),
    )
    const body = bodyOf(await capturePayment(ctx, requestOf(), id, {}))
    expect(body).toMatchObject({ transaction_status: 'cancel', is_paid: false })
    await checkPendingPayments(service.ctx, { budget: BUDGET })
    expect(await statusOf(order_id)).toBe('cancel')
  })

  test('the resolver’s look showed capture: it stays cancelled', async () => {
    const order_id = service.fresh('look')
    const input = await chargeOf('credit_card', { order_id })
    await fault('charge', 'drop_after')
    await fault('get_status', 'drop_before', { times: 3 })
    await expect(createCharge(service.ctx, input, requestOf())).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await clearFaults()
    await later(70_000)
    const ctx = holdUp(
      service.ctx,
      'getStatus',
      'after_answer',
      async () => await cancelLongAgo(order_id),
    )
    await resolveOperations(ctx, 10)
    expect(await statusOf(order_id)).toBe('cancel')
  })
})

describe('an approval that is sent again is answered with its first reply', () => {
  /** Approved, but the reply was lost and the gateway could not be queried. */
  async function approvedUnclear() {
    const order_id = service.fresh('approve')
    const token_id = await token('4511111111111117')
    const input = await chargeOf('credit_card', { order_id, token_id })
    const { id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
    await fault('approve', 'drop_after')
    await fault('get_status', 'drop_before', { times: 3 })
    await bench.mute()
    const approved = approvePayment(service.ctx, requestOf(), id)
    await expect(approved).rejects.toMatchObject({ code: 'outcome_unknown' })
    await clearFaults()
    return { id, order_id }
  }
  const operationOf = async (id: string) =>
    (
      await service.database.sql(
        `select sends, state from gapura.gateway_operation
         where subject_id = $1 and kind = 'approve'`,
        [id],
      )
    )[0]

  test('the payment was cancelled since: it stays cancelled', async () => {
    const { id, order_id } = await approvedUnclear()
    await cancelLongAgo(order_id)
    await resolveOperations(service.ctx, 10)
    expect(await operationOf(id)).toEqual({ sends: 2, state: 'succeeded' })
    expect(await statusOf(order_id)).toBe('cancel')
    await checkPendingPayments(service.ctx, { budget: BUDGET })
    expect(await statusOf(order_id)).toBe('cancel')
    expect(await bench.alarmsOf(id)).toEqual([])
  })

  test('the notification of its cancellation was lost: it is cancelled, not paid', async () => {
    const { id, order_id } = await approvedUnclear()
    await bench.mute()
    await service.ctx.gateway.cancel(order_id)
    await later(61_000)
    await resolveOperations(service.ctx, 10)
    expect(await operationOf(id)).toEqual({ sends: 2, state: 'succeeded' })
    expect(await statusOf(order_id)).toBe('cancel')
    expect(await eventsOf(id)).toEqual(['payment_received', 'payment_cancelled'])
  })
})

test('a replica does not show a cancellation that was sent again: it is asked again within the minute', async () => {
  const order_id = service.fresh('cancel')
  const input = await chargeOf('credit_card', { order_id, capture: false })
  const { id, transaction_id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
  await bench.mute()
  await fault('cancel', 'drop_before')
  await fault('get_status', 'drop_before', { times: 3 })
  await expect(cancelPayment(service.ctx, requestOf(), id)).rejects.toMatchObject({
    code: 'outcome_unknown',
  })
  await clearFaults()
  await bench.mute()
  await later(61_000)
  const body = {
    status_code: '200',
    order_id,
    transaction_id,
    payment_type: 'credit_card',
    transaction_status: 'authorize',
    fraud_status: 'accept',
    gross_amount: '150000.00',
  }
  const ctx = holdUp(service.ctx, 'cancel', 'after_answer', async () => {
    await fault('get_status', 'status', { options: { http_status: 200, body } })
  })
  await resolveOperations(ctx, 10)
  expect(await statusOf(order_id)).toBe('authorize')
  await later(61_000)
  await checkPendingPayments(service.ctx, { budget: BUDGET })
  expect(await statusOf(order_id)).toBe('cancel')
})

describe('a card payment that was cancelled after its capture', () => {
  async function cancelledCard() {
    const order_id = service.fresh('replica')
    const input = await chargeOf('credit_card', { order_id })
    const { id, transaction_id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
    await cancelThere(order_id)
    const { caller } = requestOf()
    /** The answer of a replica that has not seen the cancellation. */
    const checkAtReplica = async () => {
      const body = {
        status_code: '200',
        order_id,
        transaction_id,
        payment_type: 'credit_card',
        transaction_status: 'capture',
        fraud_status: 'accept',
        gross_amount: '150000.00',
      }
      await fault('get_status', 'status', { options: { http_status: 200, body } })
      return (await getStatus(service.ctx, caller, id))?.payment.transaction_status
    }
    return { id, order_id, checkAtReplica }
  }

  test('is not paid again by an answer from before the cancellation', async () => {
    const { id, order_id, checkAtReplica } = await cancelledCard()
    expect(await checkAtReplica()).toBe('cancel')
    // The same answer a second time proves no more.
    expect(await checkAtReplica()).toBe('cancel')
    await checkPendingPayments(service.ctx, { budget: BUDGET })
    await later(11_000)
    await checkPendingPayments(service.ctx, { budget: BUDGET })
    expect(await statusOf(order_id)).toBe('cancel')
    expect(await eventsOf(id)).toEqual(['payment_settled', 'payment_cancelled'])
    expect(await bench.alarmsOf(id)).toEqual([])
  })

  test('is paid again, with an alarm, by an answer that comes a minute later', async () => {
    const { id, checkAtReplica } = await cancelledCard()
    expect(await checkAtReplica()).toBe('cancel')
    await later(61_000)
    expect(await checkAtReplica()).toBe('capture')
    expect(await bench.alarmsOf(id)).toEqual(['late_money'])
  })
})

test('a refund answered after another refund was reported: both are recorded, nothing stays reserved', async () => {
  const { id, order_id, transaction_id } = await settledWallet()
  const about = { status_code: '200', order_id, transaction_id, payment_type: 'gopay' }
  // The answer names only its own amount, which is less than what was refunded by then.
  const body = { ...about, transaction_status: 'partial_refund', refund_amount: '30000.00' }
  await fault('refund', 'status', { options: { http_status: 200, body } })
  const ctx = holdUp(service.ctx, 'refund', 'after_answer', async () => {
    const fields = { order_id, status_code: '200', gross_amount: '150000.00' }
    await receiveNotification(service.ctx, {
      ...about,
      ...fields,
      transaction_status: 'partial_refund',
      refund_amount: '40000.00',
      refunds: [{ refund_key: 'dashboard', refund_amount: '40000.00' }],
      signature_key: signNotification(fields, service.simulator.server_key),
    })
    expect(await rowOf(order_id)).toMatchObject({ refunded: '40000.00', reserved: '30000.00' })
  })
  const answer = bodyOf(await refundPayment(ctx, requestOf(), id, { amount: 30_000 }))
  expect(answer['refund']).toMatchObject({ status: 'succeeded', amount: '30000.00' })
  expect(await rowOf(order_id)).toMatchObject({ refunded: '70000.00', reserved: '0.00' })
})

test('a payment that has failed is not pending again by an answer from before its failure', async () => {
  const { id, order_id } = await bench.charged('gopay')
  const fields = { order_id, status_code: '202', gross_amount: '150000.00' }
  await receiveNotification(service.ctx, {
    ...fields,
    payment_type: 'gopay',
    transaction_status: 'failure',
    signature_key: signNotification(fields, service.simulator.server_key),
  })
  expect(await statusOf(order_id)).toBe('failure')
  // The simulator still shows it as pending, as a replica of the gateway would.
  await getStatus(service.ctx, requestOf().caller, id)
  expect(await statusOf(order_id)).toBe('failure')
  expect(await eventsOf(id)).toEqual(['payment_received', 'payment_failed'])
})

test('an answer about the payment’s current state is applied at once', async () => {
  const order_id = service.fresh('fresh')
  const input = await chargeOf('credit_card', { order_id, capture: false })
  const { id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
  const body = bodyOf(await capturePayment(service.ctx, requestOf(), id, { amount: 50_000 }))
  expect(body).toMatchObject({ transaction_status: 'capture', is_paid: true })
})
