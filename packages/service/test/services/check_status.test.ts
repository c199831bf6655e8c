// How an answer of the gateway counts when the payment moved while the request was in flight.
import { beforeEach, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { clientOf, replyServer } from '../gateway/reply_server.ts'
import { useFaults } from './fault_bench.ts'

const { service, caller, mute, rowOf, alarmsOf, charged } = useFaults()

beforeEach(mute)

const statusOf = (transaction_status: string) => ({
  status_code: '200',
  gross_amount: '150000.00',
  fraud_status: 'accept',
  transaction_status,
})

/** A held card, and a gateway that reports one status by webhook before each of its answers. */
async function movingCard(reports: readonly object[], answered: readonly string[]) {
  const card = await charged('credit_card', { capture: false })
  const { order_id, transaction_id } = card
  const report = async (fields: object) => {
    const signed = { order_id, status_code: '200', gross_amount: '150000.00' }
    const signature_key = signNotification(signed, service.simulator.server_key)
    await receiveNotification(service.ctx, { ...signed, transaction_id, ...fields, signature_key })
  }
  const { url, received } = await replyServer((response) => {
    const at = received.length - 1
    const body = { ...statusOf(answered[at] ?? ''), order_id, transaction_id }
    const send = () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const moved = reports[at]
    if (moved === undefined) send()
    else void report(moved).then(send, () => response.destroy())
  })
  const ctx = { ...service.ctx, gateway: clientOf(url) }
  return { ...card, received, check: async () => await getStatus(ctx, caller, card.id) }
}

test('a payment that moves during the first look: looked up again, and the second answer is applied', async () => {
  const { check, order_id, received } = await movingCard(
    [statusOf('capture')],
    ['authorize', 'settlement'],
  )
  await check()
  expect(received).toHaveLength(2)
  expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'settlement' })
})

test('a payment that moves during all three looks: the last answer counts as a report, and is looked up again', async () => {
  const refunds = [{ refund_key: 'part', refund_amount: '50000.00' }]
  const { check, id, order_id, received } = await movingCard(
    [
      statusOf('capture'),
      statusOf('settlement'),
      { ...statusOf('partial_refund'), refund_amount: '50000.00', refunds },
    ],
    ['cancel', 'cancel', 'cancel'],
  )
  await check()
  expect(received).toHaveLength(3)
  expect(await rowOf(order_id)).toMatchObject({
    transaction_status: 'partial_refund',
    refunded: '50000.00',
  })
  expect(await alarmsOf(id)).toEqual([])
  const [due] = await service.database.sql(
    'select next_check_at <= gapura.now() as now from gapura.gateway_payment where id = $1',
    [id],
  )
  expect(due).toEqual({ now: true })
})
