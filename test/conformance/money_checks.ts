import assert from 'node:assert/strict'
import {
  ask,
  atGateway,
  cardCharge,
  cardToken,
  charge,
  paymentNow,
  settled,
  simulate,
  type Deployment,
} from './deployment.ts'
import { CUSTOMER, ITEMS, refused, type Check } from './payment_checks.ts'

const INPUTS: Record<string, object> = {
  gopay: {},
  shopeepay: {},
  qris: {},
  ovo: { payer_phone_number: '081111111111' },
  dana: {},
  bank_transfer: { bank: 'bca' },
  echannel: {},
  cstore: { store: 'alfamart' },
  akulaku: {},
  kredivo: {},
}

/** The refunds that the gateway has made of an order. */
const refundedThere = async (deployment: Deployment, order_id = '') =>
  ((await atGateway(deployment, order_id))['refunds'] ?? []) as Record<string, unknown>[]

/** Checks that need a payer. */
export const PAYER_CHECKS: Record<string, Check> = {
  eleven_types: async (deployment) => {
    for (const [payment_type, input] of Object.entries(INPUTS)) {
      const common = { customer_details: CUSTOMER, item_details: ITEMS, bank: undefined }
      const payment = await charge(deployment, { ...common, payment_type, ...input })
      assert.equal(payment['payment_type'], payment_type)
      assert.equal(payment['transaction_status'], 'pending')
      const there = await atGateway(deployment, payment['order_id'] ?? '')
      // DANA writes its statuses in capitals.
      assert.equal(String(there['transaction_status']).toLowerCase(), 'pending', payment_type)
      assert.equal(there['gross_amount'], '50000.00', payment_type)
    }
    // The eleventh with 3-D Secure: pending until the payer has gone through the bank's page.
    const card = await cardCharge(deployment, { authentication: true })
    assert.equal(card['transaction_status'], 'pending')
    assert.match(card['redirect_url'] ?? '', /^http/)
    await simulate(deployment, `transactions/${card['order_id']}/finish_3ds`)
    const { body } = await ask(deployment, `GET /payments/${card['id']}/check_status/`)
    const { transaction_status } = body['payment'] as Record<string, unknown>
    assert.equal(transaction_status, 'capture')
  },
  payments_managed: async (deployment) => {
    const transfer = await charge(deployment)
    const { body: page } = await ask(deployment, 'GET /payments/')
    assert.equal((page['results'] as { id: string }[])[0]?.id, transfer['id'])
    assert.equal((await paymentNow(deployment, transfer['id'] ?? ''))['id'], transfer['id'])
    const refreshed = await ask(deployment, `GET /payments/${transfer['id']}/check_status/`)
    assert.equal(refreshed.status, 200)
    for (const [action, status] of [
      ['cancel', 'cancel'],
      ['expire', 'expire'],
    ] as const) {
      const { id, order_id = '' } = await charge(deployment)
      const reply = await ask(deployment, `POST /payments/${id}/${action}/`)
      assert.equal(reply.status, 200)
      assert.equal(reply.body['transaction_status'], status)
      assert.equal((await atGateway(deployment, order_id))['transaction_status'], status)
    }
    const { id, order_id } = await settled(deployment)
    const body = { amount: 10_000, reason: 'broken', direct: false }
    assert.equal((await ask(deployment, `POST /payments/${id}/refund/`, { body })).status, 200)
    assert.equal((await refundedThere(deployment, order_id)).length, 1)
    const held = await cardCharge(deployment, { capture: false })
    const captured = await ask(deployment, `POST /payments/${held['id']}/capture/`)
    assert.equal(captured.body['transaction_status'], 'capture')
  },
  check_status: async (deployment) => {
    const { id = '', order_id } = await charge(deployment)
    await simulate(deployment, `transactions/${order_id}/pay`)
    const { status, body } = await ask(deployment, `GET /payments/${id}/check_status/`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).toSorted(), ['gateway_response', 'payment'])
    const payment = body['payment'] as Record<string, unknown>
    assert.equal(payment['transaction_status'], 'settlement')
    const reply = body['gateway_response'] as Record<string, unknown>
    assert.equal(reply['order_id'], order_id)
    assert.equal(reply['transaction_status'], 'settlement')
    assert(!('signature_key' in reply))
    const kept = await paymentNow(deployment, id)
    assert.deepEqual(Object.keys(kept), Object.keys(payment))
    assert.equal(kept['transaction_status'], 'settlement')
  },
  refund_returned: async (deployment) => {
    const { id = '', order_id } = await settled(deployment)
    const body = { amount: 10_000, reason: 'broken', direct: false }
    const reply = await ask(deployment, `POST /payments/${id}/refund/`, { body })
    assert.equal(reply.status, 200)
    assert.deepEqual(Object.keys(reply.body).toSorted(), ['payment', 'refund'])
    const refund = reply.body['refund'] as Record<string, unknown>
    assert.equal(refund['amount'], '10000.00')
    assert.equal(refund['reason'], 'broken')
    const payment = reply.body['payment'] as Record<string, unknown>
    // The gateway's own report of the refund may have touched the payment since.
    const now: Record<string, unknown> = await paymentNow(deployment, id)
    assert.deepEqual({ ...payment, updated_at: now['updated_at'] }, now)
    assert.equal(payment['transaction_status'], 'partial_refund')
    assert.deepEqual(payment['refunds'], [refund])
    // The key is the service's own, and the gateway knows the refund by it.
    const [there] = await refundedThere(deployment, order_id)
    assert.equal(there?.['refund_key'], refund['refund_key'])
    const second = await ask(deployment, `POST /payments/${id}/refund/`, { body })
    const { refund_key } = second.body['refund'] as Record<string, unknown>
    assert.notEqual(refund_key, refund['refund_key'])
    const chosen = await ask(deployment, `POST /payments/${id}/refund/`, {
      body: { ...body, refund_key: 'mine' },
    })
    assert.equal(chosen.status, 400)
  },
  input_refund: async (deployment) => {
    const { id, order_id } = await settled(deployment)
    const line = `POST /payments/${id}/refund/`
    await refused(deployment, line, {}, 'invalid_request')
    await refused(deployment, line, { amount: 1_000, reason: 1 }, 'invalid_request')
    await refused(deployment, line, { amount: 1_000, direct: 'yes' }, 'invalid_request')
    assert.deepEqual(await refundedThere(deployment, order_id), [])
    const body = { amount: 1_000, reason: 'broken', direct: true }
    const reply = await ask(deployment, line, { body })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    const [there] = await refundedThere(deployment, order_id)
    assert.equal(Number(there?.['refund_amount']), 1_000)
    assert.equal(there?.['reason'], 'broken')
  },
  refund_rule: async (deployment) => {
    const line = (id = '') => `POST /payments/${id}/refund/`
    const pending = await charge(deployment, { payment_type: 'gopay', bank: undefined })
    const none = 'payment_not_refundable'
    await refused(deployment, line(pending['id']), { amount: 1_000 }, none)
    await ask(deployment, `POST /payments/${pending['id']}/cancel/`)
    await refused(deployment, line(pending['id']), { amount: 1_000 }, none)
    const paid = await settled(deployment)
    const too_much = { amount: 50_001 }
    await refused(deployment, line(paid['id']), too_much, 'refund_amount_exceeded')
    const reply = await ask(deployment, line(paid['id']), { body: { amount: 50_000 } })
    assert.equal(reply.status, 200)
    assert.equal((reply.body['payment'] as Record<string, unknown>)['transaction_status'], 'refund')
  },
  capture_rule: async (deployment) => {
    const line = (id = '') => `POST /payments/${id}/capture/`
    const transfer = await charge(deployment)
    await refused(deployment, line(transfer['id']), { amount: 1 }, 'not_credit_card')
    const captured = await cardCharge(deployment)
    assert.equal(captured['transaction_status'], 'capture')
    await refused(deployment, line(captured['id']), { amount: 1 }, 'payment_not_authorized')
    const held = await cardCharge(deployment, { capture: false })
    assert.equal(held['transaction_status'], 'authorize')
    const { status, body } = await ask(deployment, line(held['id']), { body: { amount: 50_000 } })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body['transaction_status'], 'capture')
    const there = await atGateway(deployment, held['order_id'] ?? '')
    assert.equal(there['transaction_status'], 'capture')
  },
  input_capture: async (deployment) => {
    const { id = '' } = await cardCharge(deployment, { capture: false })
    const line = `POST /payments/${id}/capture/`
    for (const amount of ['many', 0, -1, 0.5, null]) {
      await refused(deployment, line, { amount }, 'invalid_request')
    }
    await refused(deployment, line, { amount: 50_001 }, 'capture_amount_exceeded')
    assert.equal((await paymentNow(deployment, id))['transaction_status'], 'authorize')
    const { body } = await ask(deployment, line, { body: { amount: 20_000 } })
    assert.equal(body['captured_amount'], '20000.00')
  },
  input_custom_expiry: async (deployment) => {
    const custom_expiry = { expiry_duration: 45, unit: 'minute' }
    const { order_id = '', ...payment } = await charge(deployment, { custom_expiry })
    const there = await atGateway(deployment, order_id)
    // The gateway writes times without a zone, in GMT+7.
    const time = (name: string) => Date.parse(`${String(there[name]).replace(' ', 'T')}+07:00`)
    assert.equal(time('expiry_time') - time('transaction_time'), 45 * 60_000)
    assert.equal(Date.parse(payment['expiry_time'] ?? ''), time('expiry_time'))
    for (const wrong of [{}, { expiry_duration: 0 }, { expiry_duration: 1, unit: 'year' }]) {
      const body = { payment_type: 'qris', gross_amount: 50_000, custom_expiry: wrong }
      await refused(deployment, 'POST /charge/', body, 'invalid_request')
    }
  },
  unknown_token: async (deployment) => {
    const token_id = await cardToken(deployment)
    const card = { payment_type: 'credit_card', gross_amount: 50_000 }
    const unknown = { ...card, token_id: `${token_id}x` }
    await refused(deployment, 'POST /charge/', unknown, 'card_token_invalid')
    await refused(deployment, 'POST /charge/', card, 'invalid_request')
  },
}
