// One intent has one effect, however late it is repeated: replies are purged a day after the end of
// an operation, the identity of its intent never.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  processChargeAsync,
  processRefundAsync,
} from '../../src/services/background/queued_request.ts'
import { createInvoice } from '../../src/services/invoices/actions.ts'
import { cancelPayment } from '../../src/services/payments/actions.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { runMaintenance } from '../../src/services/sweeps/run_maintenance.ts'
import { newId } from '../../src/store/sql/values.ts'
import { useFaults } from '../services/fault_bench.ts'
import { bodyOf, requestOf } from '../services/service_bench.ts'

const bench = useFaults({ breaker_rest_ms: 1 })
const { service, chargeOf, fault, mute, clearFaults, later, settledWallet, charged } = bench
const HOUR = 3_600_000
const DAY = 24 * HOUR

beforeEach(mute)
afterEach(clearFaults)

/** The gateway does not answer for so long; resolver and maintenance run. */
async function awayFor(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    await later(HOUR)
    await resolveOperations(service.ctx, 50)
    await runMaintenance(service.ctx)
  }
}

async function back(): Promise<void> {
  await clearFaults()
  await mute()
  for (let round = 0; round < 3; round++) {
    await later(HOUR)
    await resolveOperations(service.ctx, 50)
  }
  await runMaintenance(service.ctx)
}

/** Time passes until every reply is purged. */
async function pass(ms: number): Promise<void> {
  await later(ms)
  await runMaintenance(service.ctx)
  const [row] = await service.database.sql(
    'select count(*)::int as kept from gapura.operation_reply',
  )
  expect(row?.['kept']).toBe(0)
}

describe('an operation that was unclear for 25 hours', () => {
  test('refund: a repeat with the same key refunds nothing more', async () => {
    const { id, order_id } = await settledWallet()
    const input = { amount: 50_000 }
    const refund = async () =>
      await refundPayment(service.ctx, requestOf('owner-1', 'slow-refund'), id, input)
    await fault('refund', 'drop_before', { times: 1 })
    await fault('get_status', 'drop_before', { times: null })
    await expect(refund()).rejects.toMatchObject({ code: 'outcome_unknown' })
    await awayFor(25)
    expect(await refund()).toMatchObject({ kind: 'problem', code: 'request_in_progress' })
    await back()
    const repeated = await refund()
    expect(repeated).toMatchObject({ kind: 'reply', replayed: true, reply: { code: 200 } })
    expect(bodyOf(repeated)).toMatchObject({ refund: { amount: '50000.00', status: 'succeeded' } })
    expect((await service.ledger(order_id))?.refunded).toBe(50_000)
  })

  test('charge with a minted order id: a repeat with the same key names the first payment', async () => {
    const input = await chargeOf('bank_transfer')
    const charge = async () =>
      await createCharge(service.ctx, input, requestOf('owner-1', 'slow-charge'))
    await fault('charge', 'drop_after')
    await fault('get_status', 'drop_before', { times: null })
    await expect(charge()).rejects.toMatchObject({ code: 'outcome_unknown' })
    const [first] = await service.database.sql(
      'select order_id from gapura.gateway_payment order by created_at desc limit 1',
    )
    await awayFor(25)
    await back()
    expect(bodyOf(await charge())['order_id']).toBe(first?.['order_id'])
    expect((await service.ledger(String(first?.['order_id'])))?.charges).toBe(1)
  })

  test('queued refund: its next attempt refunds nothing more', async () => {
    const { id, order_id } = await settledWallet()
    const job = { job_id: newId(), owner_id: 'owner-1', payment_id: id, refund: { amount: 40_000 } }
    await fault('refund', 'drop_before', { times: 1 })
    await fault('get_status', 'drop_before', { times: null })
    await expect(processRefundAsync(service.ctx, job)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await awayFor(25)
    await back()
    expect(await processRefundAsync(service.ctx, job)).toMatchObject({ outcome: 'done' })
    expect((await service.ledger(order_id))?.refunded).toBe(40_000)
  })
})

describe('a repeat after eight days, its reply purged', () => {
  test('of a charge answers with the current payment', async () => {
    const input = await chargeOf('bank_transfer')
    const request = requestOf('owner-1', 'old-charge')
    const { id, order_id } = bodyOf(await createCharge(service.ctx, input, request))
    await cancelPayment(service.ctx, requestOf(), id)
    await pass(8 * DAY)
    const repeated = await createCharge(service.ctx, input, request)
    expect(repeated).toMatchObject({ kind: 'reply', replayed: true, reply: { code: 201 } })
    expect(bodyOf(repeated)).toMatchObject({ id, order_id, transaction_status: 'cancel' })
  })

  test('of a refund answers with the current refund', async () => {
    const { id, order_id } = await settledWallet()
    const request = requestOf('owner-1', 'old-refund')
    const made = bodyOf(await refundPayment(service.ctx, request, id, { amount: 30_000 }))
    await pass(8 * DAY)
    const repeated = await refundPayment(service.ctx, request, id, { amount: 30_000 })
    expect(repeated).toMatchObject({ kind: 'reply', replayed: true, reply: { code: 200 } })
    expect(bodyOf(repeated)['refund']).toMatchObject({
      id: (made['refund'] as { id: string }).id,
      status: 'succeeded',
    })
    expect((await service.ledger(order_id))?.refunded).toBe(30_000)
  })

  test('of a cancel answers with the payment, and sends nothing', async () => {
    const { id } = await charged('bank_transfer')
    const request = requestOf('owner-1', 'old-cancel')
    await cancelPayment(service.ctx, request, id)
    await pass(8 * DAY)
    await fault('cancel', 'status', { options: { http_status: 500, body: {} } })
    expect(bodyOf(await cancelPayment(service.ctx, request, id))).toMatchObject({
      id,
      transaction_status: 'cancel',
    })
  })

  test('of an invoice answers with the current invoice', async () => {
    const input = {
      customer_name: 'Budi',
      customer_email: 'budi@example.com',
      due_date: new Date(Date.now() + 30 * DAY).toISOString().slice(0, 10),
      items: [{ description: 'Lamp', price: 75_000, quantity: 1 }],
    }
    const request = requestOf('owner-1', 'old-invoice')
    const { id } = bodyOf(await createInvoice(service.ctx, input, request))
    await pass(8 * DAY)
    expect(await createInvoice(service.ctx, input, request)).toMatchObject({ replayed: true })
    expect(bodyOf(await createInvoice(service.ctx, input, request)).id).toBe(id)
  })

  test('of a refusal answers with the same refusal, and sends nothing', async () => {
    const order_id = service.fresh('refused')
    const input = await chargeOf('bank_transfer', { order_id })
    const request = requestOf('owner-1', 'old-refusal')
    const body = { status_code: '402', status_message: 'not active' }
    await fault('charge', 'status', { options: { http_status: 200, body } })
    await expect(createCharge(service.ctx, input, request)).rejects.toMatchObject({
      code: 'channel_not_active',
    })
    await pass(8 * DAY)
    const repeated = await createCharge(service.ctx, input, request)
    expect(repeated).toMatchObject({ kind: 'reply', replayed: true, reply: { code: 400 } })
    expect(bodyOf(repeated)).toMatchObject({
      code: 'channel_not_active',
      gateway: { status_code: '402', status_message: 'not active' },
    })
    expect(await service.ledger(order_id)).toBeUndefined()
  })

  test('with another body is refused as a reused key', async () => {
    const input = await chargeOf('bank_transfer')
    await createCharge(service.ctx, input, requestOf('owner-1', 'old-key', 'one'))
    await pass(8 * DAY)
    const other = await createCharge(service.ctx, input, requestOf('owner-1', 'old-key', 'two'))
    expect(other).toEqual({ kind: 'problem', code: 'idempotency_key_reused' })
  })
})

describe('an intent whose operation had no effect', () => {
  test('charge that the gateway had no capacity for: a repeat makes it', async () => {
    const input = await chargeOf('bank_transfer', { order_id: service.fresh('busy') })
    const request = requestOf('owner-1', 'busy')
    const body = { status_code: '429', status_message: 'slow down' }
    await fault('charge', 'status', { options: { http_status: 429, body } })
    await expect(createCharge(service.ctx, input, request)).rejects.toMatchObject({
      code: 'gateway_rate_limited',
    })
    expect(bodyOf(await createCharge(service.ctx, input, request))).toMatchObject({
      transaction_status: 'pending',
    })
  })

  test('refund that the gateway had no capacity for: repeats make one refund', async () => {
    const { id, order_id } = await settledWallet()
    const request = requestOf('owner-1', 'busy-refund')
    const body = { status_code: '429', status_message: 'slow down' }
    await fault('refund', 'status', { options: { http_status: 429, body } })
    const refund = async () => await refundPayment(service.ctx, request, id, { amount: 20_000 })
    await expect(refund()).rejects.toMatchObject({ code: 'gateway_rate_limited' })
    await Promise.all([refund(), refund(), refund()])
    await refund()
    expect((await service.ledger(order_id))?.refunded).toBe(20_000)
  })

  test('charge given up and tried again keeps its minted order id', async () => {
    const input = await chargeOf('bank_transfer')
    const request = requestOf('owner-1', 'given-up')
    await fault('charge', 'drop_before')
    await expect(createCharge(service.ctx, input, request)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await later(5 * 60_000)
    await resolveOperations(service.ctx, 10)
    const made = bodyOf(await createCharge(service.ctx, input, request))
    const rows = await service.database.sql(
      'select refused from gapura.gateway_payment where order_id = $1 order by created_at',
      [made['order_id']],
    )
    expect(rows.map(({ refused }) => refused)).toEqual([true, false])
    expect((await service.ledger(String(made['order_id'])))?.charges).toBe(1)
  })

  test('queued charge: attempts over days make one charge', async () => {
    const order_id = service.fresh('queued')
    const request = { ...(await chargeOf('bank_transfer')), order_id }
    const job = { job_id: newId(), owner_id: 'owner-1', request }
    await fault('charge', 'drop_before')
    await expect(processChargeAsync(service.ctx, job)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await awayFor(26)
    expect(await processChargeAsync(service.ctx, job)).toMatchObject({ outcome: 'done' })
    await pass(8 * DAY)
    expect(await processChargeAsync(service.ctx, job)).toMatchObject({ outcome: 'done' })
    expect((await service.ledger(order_id))?.charges).toBe(1)
  })
})

test('a caller’s key that looks like a job of the service does not match that job', async () => {
  const { id, order_id } = await settledWallet()
  const job = { job_id: newId(), owner_id: 'owner-1', payment_id: id, refund: { amount: 10_000 } }
  const request = requestOf('owner-1', `job:${job.job_id}`)
  await refundPayment(service.ctx, request, id, { amount: 5_000 })
  expect(await processRefundAsync(service.ctx, job)).toMatchObject({ outcome: 'done' })
  expect((await service.ledger(order_id))?.refunded).toBe(15_000)
})
