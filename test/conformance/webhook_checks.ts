import assert from 'node:assert/strict'
import { ask, charge, simulate, type Deployment } from './deployment.ts'
import type { Check } from './payment_checks.ts'

const DEADLINE_MS = 10_000

/** Waits until the gateway's own notification has moved the payment. */
async function movedTo(deployment: Deployment, id: string, status: string) {
  const end = Date.now() + DEADLINE_MS
  for (;;) {
    const { body } = await ask(deployment, `GET /payments/${id}/`)
    if (body['transaction_status'] === status) return
    assert(Date.now() < end, `it stayed ${String(body['transaction_status'])}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** What the simulator sent about an order, and how it was answered. */
async function deliveriesOf({ simulator_url }: Deployment, order_id: string) {
  const reply = await fetch(`${simulator_url}/_sim/deliveries?order_id=${order_id}`)
  const { deliveries } = (await reply.json()) as {
    deliveries: { payload: Record<string, unknown>; attempts: { http_status: number }[] }[]
  }
  return deliveries
}

async function paid(deployment: Deployment) {
  const payment = await charge(deployment)
  await simulate(deployment, `transactions/${payment['order_id']}/pay`)
  await movedTo(deployment, payment['id'] ?? '', 'settlement')
  const deliveries = await deliveriesOf(deployment, payment['order_id'] ?? '')
  const settlement = deliveries.find(
    ({ payload }) => payload['transaction_status'] === 'settlement',
  )
  assert(settlement, 'no settlement was sent')
  return { payment, settlement }
}

/** A genuine notification sent once more by hand, without any credentials. */
const repeat = async (deployment: Deployment, payload: object) =>
  await ask(deployment, 'POST /notification/', { body: payload, as: {} })

export const WEBHOOK_CHECKS: Record<string, Check> = {
  webhook_applied: async (deployment) => {
    const { settlement } = await paid(deployment)
    assert.equal(settlement.attempts[0]?.http_status, 200)
  },
  webhook_recorded: async (deployment) => {
    const { settlement } = await paid(deployment)
    const { status, body } = await repeat(deployment, settlement.payload)
    assert.equal(status, 200)
    assert.equal(body['status'], 'ok')
    assert.match(String(body['notification_id']), /^[0-9a-f-]{36}$/)
  },
  webhook_open: async (deployment) => {
    const { settlement } = await paid(deployment)
    assert.equal((await repeat(deployment, settlement.payload)).status, 200)
    const forged = { ...settlement.payload, signature_key: '0'.repeat(128) }
    assert.equal((await repeat(deployment, forged)).status, 403)
  },
  webhook_payload: async (deployment) => {
    const { settlement } = await paid(deployment)
    for (const field of ['order_id', 'signature_key', 'gross_amount']) {
      const { status } = await repeat(deployment, { ...settlement.payload, [field]: undefined })
      assert.equal(status, 403, field)
    }
    assert.equal((await repeat(deployment, { hello: 'there' })).status, 400)
  },
  webhook_order: async (deployment) => {
    const payment = await charge(deployment)
    const forged = {
      order_id: payment['order_id'],
      transaction_status: 'settlement',
      status_code: '200',
      gross_amount: payment['gross_amount'],
      signature_key: '0'.repeat(128),
    }
    assert.equal((await repeat(deployment, forged)).status, 403)
    const { body } = await ask(deployment, `GET /payments/${payment['id']}/`)
    assert.equal(body['transaction_status'], 'pending')
  },
}
