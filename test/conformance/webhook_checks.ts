import assert from 'node:assert/strict'
import {
  ask,
  charge,
  insideOf,
  paymentNow,
  simulate,
  until,
  type Deployment,
  type Payment,
} from './deployment.ts'
import { UUID, type Check } from './payment_checks.ts'

interface Delivery {
  payload: Record<string, unknown>
  attempts: { http_status: number; reply: string }[]
}

/** What the simulator sent about an order, and how it was answered. */
async function deliveriesOf(deployment: Deployment, order_id = ''): Promise<Delivery[]> {
  const { deliveries } = await simulate(deployment, `deliveries?order_id=${order_id}`, null)
  return deliveries as Delivery[]
}

/** A transfer that the payer paid, and the gateway's own notification of it once it was answered. */
export async function paid(
  deployment: Deployment,
): Promise<{ payment: Payment; settlement: Delivery }> {
  const payment = await charge(deployment)
  const { id = '', order_id } = payment
  await simulate(deployment, `transactions/${order_id}/pay`)
  await until('the settlement', async () => {
    const { transaction_status } = await paymentNow(deployment, id)
    return transaction_status === 'settlement' ? true : undefined
  })
  const settlement = await until('the reply to the notification', async () =>
    (await deliveriesOf(deployment, order_id)).find(
      ({ payload, attempts }) =>
        payload['transaction_status'] === 'settlement' && attempts.length > 0,
    ),
  )
  return { payment, settlement }
}

/** A genuine notification sent once more by hand, without any credentials. */
const post = async (deployment: Deployment, payload: object) =>
  await ask(deployment, 'POST /notification/', { body: payload, as: {} })

/** The record of a notification, read back by staff. */
async function recordOf(deployment: Deployment, id: unknown): Promise<Record<string, unknown>> {
  const line = `GET /staff/notifications/${String(id)}/`
  const { status, body } = await ask(deployment, line, { as: deployment.staff })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Records of settlements; others may arrive in between. */
async function recordsAbout(deployment: Deployment, order_id = '') {
  const line = `GET /staff/notifications/?order_id=${order_id}`
  const { body } = await ask(deployment, line, { as: deployment.staff })
  const records = body['results'] as Record<string, unknown>[]
  return records.filter((record) => record['transaction_status'] === 'settlement')
}

const idIn = ({ attempts }: Delivery): unknown =>
  (JSON.parse(attempts[0]?.reply ?? '{}') as Record<string, unknown>)['notification_id']

export const WEBHOOK_CHECKS: Record<string, Check> = {
  webhook_applied: async (deployment) => {
    const { payment, settlement } = await paid(deployment)
    assert.equal(settlement.attempts[0]?.http_status, 200)
    const record = await recordOf(deployment, idIn(settlement))
    assert.equal(record['payment_id'], payment['id'])
    assert.equal(record['effect'], 'applied')
    assert.equal(record['verified_with'], 'current')
    const now = await paymentNow(deployment, payment['id'] ?? '')
    assert.equal(now['transaction_status'], 'settlement')
    if (deployment.inside === null) return
    // The event names the notification that caused it.
    const event = await until('payment_settled', () =>
      insideOf(deployment).delivered.find(
        ({ type, object }) => type === 'payment_settled' && object.id === payment['id'],
      ),
    )
    assert.equal(event.source, 'notification')
    assert.equal(event.notification_id, record['id'])
  },
  webhook_recorded: async (deployment) => {
    const { payment, settlement } = await paid(deployment)
    const before = await recordsAbout(deployment, payment['order_id'])
    const { status, body } = await post(deployment, settlement.payload)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).toSorted(), ['notification_id', 'status'])
    assert.equal(body['status'], 'ok')
    assert.match(String(body['notification_id']), UUID)
    // One record for every accepted call, a repeat too.
    assert.equal((await recordsAbout(deployment, payment['order_id'])).length, before.length + 1)
    const record = await recordOf(deployment, body['notification_id'])
    assert.equal(record['payment_id'], payment['id'])
    assert.equal(record['order_id'], payment['order_id'])
    assert.equal(record['transaction_status'], 'settlement')
    assert.equal(record['gross_amount'], settlement.payload['gross_amount'])
    assert.equal(record['effect'], 'duplicate')
    assert(!('signature_key' in (record['raw_payload'] as object)))
  },
  webhook_open: async (deployment) => {
    const { payment, settlement } = await paid(deployment)
    assert.equal((await post(deployment, settlement.payload)).status, 200)
    const records = (await recordsAbout(deployment, payment['order_id'])).length
    const forged = { ...settlement.payload, signature_key: '0'.repeat(128) }
    const { status, body } = await post(deployment, forged)
    assert.equal(status, 403)
    assert.equal(body['code'], 'signature_invalid')
    assert.equal((await recordsAbout(deployment, payment['order_id'])).length, records)
  },
  webhook_payload: async (deployment) => {
    const { settlement } = await paid(deployment)
    // Each field of the signature is part of it: changed or missing, the call is refused.
    for (const field of ['order_id', 'status_code', 'gross_amount', 'signature_key']) {
      for (const value of [undefined, `${String(settlement.payload[field])}0`]) {
        const { status } = await post(deployment, { ...settlement.payload, [field]: value })
        assert(status === 403 || (value === undefined && status === 400), `${field}: ${status}`)
      }
    }
    assert.equal((await post(deployment, { hello: 'there' })).status, 400)
    const more = { ...settlement.payload, a_field_of_tomorrow: { a: [1] } }
    assert.equal((await post(deployment, more)).status, 200)
  },
  webhook_order: async (deployment) => {
    const payment = await charge(deployment)
    const { id = '', order_id } = payment
    const forged = {
      order_id,
      transaction_status: 'settlement',
      status_code: '200',
      gross_amount: payment['gross_amount'],
      signature_key: '0'.repeat(128),
    }
    const records = (await recordsAbout(deployment, order_id)).length
    assert.equal((await post(deployment, forged)).status, 403)
    assert.equal((await paymentNow(deployment, id))['transaction_status'], 'pending')
    assert.equal((await recordsAbout(deployment, order_id)).length, records)
    // A genuine one is recorded, applied and published by the time it is answered.
    const { settlement } = await paid(deployment)
    const record = await recordOf(deployment, idIn(settlement))
    const line = `GET /staff/payments/${String(record['payment_id'])}/`
    const { body } = await ask(deployment, line, { as: deployment.staff })
    const { transitions, events } = body as Record<string, Record<string, unknown>[]>
    assert(transitions?.some(({ evidence_id }) => evidence_id === record['id']))
    assert(events?.some(({ notification_id }) => notification_id === record['id']))
  },
}
