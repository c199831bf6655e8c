import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { GatewayError } from '../../src/domain/errors.ts'
import { createGapura } from '../../src/main/create_gapura.ts'
import type { ChargeInput, QueuedChargeInput } from '../../src/services/payments/charge_types.ts'
import { RequestProblem } from '../../src/services/problem.ts'
import { eventually } from '../store/test_database.ts'
import { useHttp } from './http_bench.ts'

const http = useHttp()
const ani: Caller = { owner_id: 'ani', staff: false, scopes: SCOPES }
const api = () => http.parts.gapura.api
const chargeOf = async (type: string, more: object = {}) =>
  (await http.chargeOf(type, more)) as ChargeInput
const charged = async (type = 'qris', more: object = {}) =>
  await api().createCharge(ani, await chargeOf(type, more))

describe('the same payments as over HTTP', () => {
  test('a charge reads the same in process and over HTTP', async () => {
    const payment = await http.quietly(async () => await charged())
    expect((await http.get(`/payments/${payment.id}/`)).body).toEqual(payment)
    expect(await api().getPayment(ani, payment.id)).toEqual(payment)
  })

  test('lists page by cursors', async () => {
    const older = await charged('akulaku')
    const newer = await charged('akulaku')
    const query = { payment_type: 'akulaku', page_size: 1 } as const
    const first = await api().listPayments(ani, query)
    expect(first.results.map(({ id }) => id)).toEqual([newer.id])
    const second = await api().listPayments(ani, { ...query, cursor: first.next ?? '' })
    expect(second.results.map(({ id }) => id)).toEqual([older.id])
    expect(second.next).toBeNull()
    expect((await api().listPayments(ani)).results.length).toBeGreaterThanOrEqual(2)
  })

  test('check, cancel, expire, refund, capture, approve, deny', async () => {
    const { id } = await charged()
    expect((await api().checkStatus(ani, id)).gateway_response).toMatchObject({
      status_code: '201',
    })
    expect((await api().cancelPayment(ani, id)).transaction_status).toBe('cancel')
    expect((await api().expirePayment(ani, (await charged()).id)).transaction_status).toBe('expire')
    const settled = await http.settled()
    const { refund, payment } = await api().refundPayment(ani, settled.id, { amount: 1_000 })
    expect([refund.amount, payment.refund_amount]).toEqual(['1000.00', '1000.00'])
    const card = await charged('credit_card', { capture: false })
    expect((await api().capturePayment(ani, card.id, {})).transaction_status).toBe('capture')
    const challenge = async () =>
      await charged('credit_card', { token_id: await http.token('4511111111111117') })
    expect((await api().approvePayment(ani, (await challenge()).id)).is_paid).toBe(true)
    expect((await api().denyPayment(ani, (await challenge()).id)).transaction_status).toBe('deny')
  })

  test('a key used over HTTP is the same key here', async () => {
    const idempotencyKey = http.fresh('key')
    const body = await chargeOf('qris')
    const first = await http.post('/charge/', { body, key: idempotencyKey })
    expect(await api().createCharge(ani, body, { idempotencyKey })).toEqual(first.body)
    await expect(
      api().createCharge(ani, await chargeOf('gopay'), { idempotencyKey }),
    ).rejects.toMatchObject({ name: 'RequestProblem', code: 'idempotency_key_reused', status: 422 })
  })

  test('a kept refusal is thrown again as the failure it was', async () => {
    const idempotencyKey = http.fresh('key')
    const bad = { ...(await chargeOf('credit_card')), token_id: 'unknown' }
    const errors: unknown[] = []
    for (let round = 1; round <= 2; round++) {
      await api()
        .createCharge(ani, bad, { idempotencyKey })
        .catch((error: unknown) => errors.push(error))
    }
    const [first, second] = errors as [GatewayError, GatewayError]
    expect(second).toBeInstanceOf(GatewayError)
    expect([second.code, second.payment_id]).toEqual([first.code, first.payment_id])
    expect(second.gateway?.status_message).toBe(first.gateway?.status_message)
  })
})

describe('the same refusals as over HTTP', () => {
  test('invalid_request, and what no table can hold', async () => {
    await expect(
      api().createCharge(ani, { payment_type: 'cheque' } as never),
    ).rejects.toMatchObject({
      name: 'GatewayValidationError',
      code: 'invalid_request',
    })
    const nul = await chargeOf('qris', { metadata: { a: '\0' } })
    await expect(api().createCharge(ani, nul)).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(api().listPayments(ani, { colour: 'red' } as never)).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('forbidden without the scope, not_found for a payment of another owner', async () => {
    const { id } = await charged()
    const payer = { ...ani, scopes: [] }
    for (const act of [api().cancelPayment, api().approvePayment, api().denyPayment]) {
      await expect(act(payer, id)).rejects.toMatchObject({ code: 'forbidden' })
    }
    const budi = { ...ani, owner_id: 'budi' }
    await expect(api().getPayment(budi, id)).rejects.toBeInstanceOf(RequestProblem)
    await expect(api().getPayment(ani, 'robert')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a value that is not a caller throws a TypeError', async () => {
    const invalid = {} as unknown as Caller
    await expect(api().getPayment(invalid, 'x')).rejects.toBeInstanceOf(TypeError)
  })

  test('store_unavailable when the database is away', async () => {
    const gapura = createGapura({
      databaseUrl: 'postgres://absent@127.0.0.1:1/none',
      gateway: { server_key: 'key' },
    })
    await expect(gapura.api.listPayments(ani)).rejects.toMatchObject({ code: 'store_unavailable' })
    await gapura.close()
  })

  test('a database and nothing or two of them is refused at once', () => {
    expect(() => createGapura({ gateway: { server_key: 'key' } })).toThrow(/pool or databaseUrl/)
  })
})

const settled = async () => await api().getPayment(ani, (await http.settled()).id)

const isRunning = (error: unknown): undefined => {
  expect(error).toMatchObject({ code: 'request_in_progress' })
}

describe('queueCharge and queueRefund', () => {
  const queuedOf = async (type: string) => (await http.chargeOf(type)) as QueuedChargeInput
  beforeAll(async () => {
    await http.parts.gapura.migrate()
  })

  test('a queued charge is made by a worker, once, however often its key is repeated', async () => {
    const options = { idempotencyKey: http.fresh('key') }
    const body = await queuedOf('qris')
    const first = await api().queueCharge(ani, body, options)
    expect(await api().queueCharge(ani, body, options)).toEqual(first)
    const worker = await http.parts.gapura.startWorker()
    const made = await eventually(
      async () => (await api().listPayments(ani, { order_id: first.order_id })).results[0],
      (payment) => payment?.transaction_status === 'pending',
    )
    // The same key made at once is the payment that the queue made. Its notification may come before
    // the worker has ended the operation.
    const again = await eventually(
      async () => await api().createCharge(ani, body, options).catch(isRunning),
      (answer) => answer !== undefined,
    )
    expect(again?.id).toBe(made?.id)
    expect(await api().queueCharge(ani, body, options)).toEqual(first)
    await worker.stop()
    expect((await http.ledger(first.order_id))?.['charges']).toBe(1)
    await expect(api().queueCharge(ani, await queuedOf('gopay'), options)).rejects.toMatchObject({
      name: 'RequestProblem',
      code: 'idempotency_key_reused',
    })
  })

  test('a charge that a direct call would refuse is refused before it is queued', async () => {
    const reader: Caller = { ...ani, scopes: [] }
    await expect(api().queueCharge(reader, await queuedOf('qris'))).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(
      api().queueCharge(ani, { ...(await queuedOf('qris')), gross_amount: '1.50' }),
    ).rejects.toMatchObject({ name: 'GatewayValidationError', code: 'invalid_request' })
    const { order_id } = await charged()
    await expect(
      api().queueCharge(ani, { ...(await queuedOf('qris')), order_id }),
    ).rejects.toMatchObject({ name: 'GatewayDuplicateOrderError' })
  })

  test('a refund that a direct call would refuse is refused before it is queued', async () => {
    const { id } = await http.settled()
    const refund = { amount: 1_000 }
    const reader: Caller = { ...ani, scopes: ['payments:write'] }
    await expect(api().queueRefund(reader, id, refund)).rejects.toMatchObject({ code: 'forbidden' })
    const budi: Caller = { ...ani, owner_id: 'budi' }
    await expect(api().queueRefund(budi, id, refund)).rejects.toMatchObject({ code: 'not_found' })
    await expect(api().queueRefund(ani, id, { amount: 0 })).rejects.toMatchObject({
      name: 'GatewayValidationError',
    })
    await expect(api().queueRefund(ani, id, { amount: 99_000_000 })).rejects.toMatchObject({
      code: 'refund_amount_exceeded',
    })
    const unpaid = await charged()
    await expect(api().queueRefund(ani, unpaid.id, refund)).rejects.toMatchObject({
      name: 'GatewayValidationError',
    })
  })

  test("a staff member's queued refund of another owner's payment is made, in the staff member's name", async () => {
    const { id, order_id } = await settled()
    const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
    await api().queueRefund(dewi, id, { amount: 1_000, reason: 'broken' })
    const worker = await http.parts.gapura.startWorker()
    const paid = await eventually(
      async () => await api().getPayment(ani, id),
      ({ refund_amount }) => refund_amount === '1000.00',
    )
    await worker.stop()
    expect(paid.refunds).toMatchObject([{ amount: '1000.00', reason: 'broken' }])
    expect((await http.ledger(order_id))?.['refunded']).toBe(1_000)
    const audit = await http.parts.gapura.staff.listAudit(dewi, { subject_id: id })
    expect(audit).toContainEqual(
      expect.objectContaining({ actor: 'dewi', action: 'payment.refund' }),
    )
  })
})

describe('tasks', () => {
  test('each runs when it is called, by the name of the specification', async () => {
    const { tasks } = http.parts.gapura
    const { id, order_id } = await charged()
    await http.control(`transactions/${order_id}/pay`)
    expect(await tasks.check_payment_status({ order_id })).toMatchObject({ order_id })
    expect((await api().getPayment(ani, id)).is_paid).toBe(true)
    expect(await tasks.check_pending_payments()).toHaveProperty('unchanged')
    expect(await tasks.expire_stale_payments()).toEqual({ moved: 0 })
    expect(await tasks.check_overdue_invoices()).toHaveProperty('unchanged')
    expect(await tasks.sync_subscription_status()).toHaveProperty('unchanged')
    await expect(tasks.check_payment_status({} as never)).rejects.toMatchObject({
      name: 'GatewayValidationError',
    })
  })
})

test('the client of the service calls the gateway, under the names of the specification', async () => {
  const { client } = http.parts.gapura
  const { id, order_id } = await settled()
  expect((await client.getStatus(order_id)).transaction_status).toBe('settlement')
  await client.refund(order_id, http.fresh('refund'), 10_000, 'broken')
  expect((await http.ledger(order_id))?.['refunded']).toBe(10_000)
  const { payment } = await api().getStatus(ani, id)
  expect(payment.refund_amount).toBe('10000.00')
})
