// What a payment says about its money: net amount, chargebacks, and whether it can be refunded.
import { expect, test } from 'vitest'
import { useHttp } from './http_bench.ts'

const http = useHttp()

const act = async (id: string, action: string, body: object = {}) =>
  await http.post(`/payments/${id}/${action}/`, { body })
const read = async (id: string) => (await http.get(`/payments/${id}/`)).body
const checked = async (id: string) =>
  (await http.get(`/payments/${id}/check_status/`)).body['payment']

/** A card of which the gateway has settled everything. */
async function settledCard() {
  const payment = await http.charged('credit_card')
  await http.control(`transactions/${String(payment['order_id'])}/settle`)
  expect(await checked(payment.id)).toMatchObject({ transaction_status: 'settlement' })
  return payment
}

test('a pending payment has no net amount', async () => {
  const payment = await http.charged()
  expect(payment).toMatchObject({
    transaction_status: 'pending',
    captured_amount: '0.00',
    net_amount: '0.00',
    charged_back_amount: '0.00',
    invoice_id: null,
    subscription_id: null,
  })
})

test('after a partial capture the net amount is what was captured, less what was refunded', async () => {
  const { id, order_id } = await http.charged('credit_card', { capture: false })
  expect(await read(id)).toMatchObject({ transaction_status: 'authorize', net_amount: '0.00' })
  const captured = await act(id, 'capture', { amount: 100_000 })
  expect(captured.body).toMatchObject({ captured_amount: '100000.00', net_amount: '100000.00' })
  await http.control(`transactions/${String(order_id)}/settle`)
  await checked(id)
  await act(id, 'refund', { amount: 30_000 })
  expect(await read(id)).toMatchObject({ refund_amount: '30000.00', net_amount: '70000.00' })
})

test('a captured card that is cancelled has no net amount', async () => {
  const { id, net_amount } = await http.charged('credit_card')
  expect(net_amount).toBe('150000.00')
  const cancelled = await act(id, 'cancel')
  expect(cancelled.body).toMatchObject({
    transaction_status: 'cancel',
    is_paid: false,
    net_amount: '0.00',
  })
})

test('a chargeback leaves nothing, and says that it cannot be refunded', async () => {
  const { id, order_id } = await settledCard()
  await http.control(`transactions/${String(order_id)}/chargeback`)
  expect(await checked(id)).toMatchObject({
    transaction_status: 'chargeback',
    is_paid: false,
    charged_back_amount: '150000.00',
    net_amount: '0.00',
    refundable_amount: '0.00',
  })
})

test('after a partial chargeback it is paid, and refundability says why nothing can be refunded', async () => {
  const { id, order_id } = await settledCard()
  await http.control(`transactions/${String(order_id)}/chargeback`, { amount: 50_000 })
  expect(await checked(id)).toMatchObject({
    transaction_status: 'partial_chargeback',
    is_paid: true,
    // The gateway does not report how much was taken back.
    charged_back_amount: null,
    refundable_amount: '0.00',
    refund_unavailable_reason: 'A payment that was charged back cannot be refunded',
  })
  const refused = await act(id, 'refund', { amount: 1_000 })
  expect(refused).toMatchObject({ status: 400, body: { code: 'refund_after_chargeback' } })
})

test('a refund keeps the code and the message of the gateway, made or refused', async () => {
  const { id } = await http.settled('gopay')
  const made = await act(id, 'refund', { amount: 10_000 })
  expect(made.body['refund']).toMatchObject({
    status: 'succeeded',
    status_code: '200',
    status_message: 'Success, refund request is approved',
  })
  await http.control(`transactions/${String((await read(id))['order_id'])}/refuse_next`, {
    operation: 'direct_refund',
  })
  await act(id, 'refund', { amount: 10_000, direct: true })
  expect((await read(id))['refunds']).toMatchObject([
    { status: 'succeeded', status_code: '200' },
    {
      status: 'failed',
      status_code: '202',
      status_message: expect.stringContaining('denied') as string,
    },
  ])
})

test('a refund that a status check confirms after a lost answer has the code of that answer', async () => {
  const { id } = await http.settled('gopay')
  await http.strike('refund', 'lost')
  const reply = await act(id, 'refund', { amount: 10_000 })
  expect([reply.status, (await read(id))['refunds']]).toMatchObject([
    200,
    [{ status: 'succeeded', status_code: '200', status_message: expect.any(String) as string }],
  ])
})
