import assert from 'node:assert/strict'
import { ask, charge, settled, simulate, type Deployment } from './deployment.ts'

export type Check = (deployment: Deployment) => Promise<void>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const CUSTOMER = { first_name: 'Ani', email: 'ani@example.com', phone: '081111111111' }
const ITEMS = [
  { name: 'Tea', price: 25_000, quantity: 2, category: 'Food', url: 'https://a.example' },
]

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

async function refused(deployment: Deployment, line: string, body: unknown, code: string) {
  const reply = await ask(deployment, line, { body })
  assert.equal(reply.status, 400, JSON.stringify(reply.body))
  assert.equal(reply.body['code'], code)
}

/** Checks that need nothing but a caller. */
export const CALLER_CHECKS: Record<string, Check> = {
  charge_created: async (deployment) => {
    const payment = await charge(deployment)
    assert.equal(payment['transaction_status'], 'pending')
    for (const field of ['id', 'order_id', 'payment_type', 'gross_amount', 'va_number', 'items']) {
      assert(field in payment, field)
    }
  },
  eleven_types: async (deployment) => {
    for (const [payment_type, input] of Object.entries(INPUTS)) {
      const common = { customer_details: CUSTOMER, item_details: ITEMS, bank: undefined }
      const payment = await charge(deployment, { ...common, payment_type, ...input })
      assert.equal(payment['payment_type'], payment_type)
    }
    // A card needs a token from the browser; the gateway refuses an unknown one.
    const card = { payment_type: 'credit_card', gross_amount: 50_000, token_id: 'unknown' }
    await refused(deployment, 'POST /charge/', card, 'card_token_invalid')
  },
  field_id: async (deployment) => {
    const payment = await charge(deployment)
    assert.match(payment['id'] ?? '', UUID)
    assert.equal((await ask(deployment, `GET /payments/${payment['id']}/`)).status, 200)
  },
  field_order_id: async (deployment) => {
    const order_id = `conformance-${Date.now()}`
    assert.equal((await charge(deployment, { order_id }))['order_id'], order_id)
  },
  field_payment_type: async (deployment) => {
    assert.equal((await charge(deployment))['payment_type'], 'bank_transfer')
  },
  field_gross_amount: async (deployment) => {
    assert.equal((await charge(deployment, { gross_amount: 50_001 }))['gross_amount'], '50001.00')
  },
  field_status: async (deployment) => {
    assert.equal((await charge(deployment))['transaction_status'], 'pending')
  },
  field_va_number: async (deployment) => {
    assert.match((await charge(deployment))['va_number'] ?? '', /^\d{6,}$/)
  },
  list_reduced: async (deployment) => {
    const payment = await charge(deployment)
    const { body } = await ask(deployment, 'GET /payments/')
    const [first] = body['results'] as Record<string, unknown>[]
    assert.equal(first?.['id'], payment['id'])
    assert(Object.keys(first ?? {}).length < Object.keys(payment).length)
    for (const [field, value] of Object.entries(first ?? {})) {
      assert.deepEqual(value, payment[field])
    }
  },
  items_kept: async (deployment) => {
    const { items } = await charge(deployment, { item_details: ITEMS })
    assert.equal(items.length, 1)
    const [item] = items
    assert.equal(item?.['name'], 'Tea')
    assert.equal(item['price'], '25000.00')
    assert.equal(item['quantity'], 2)
  },
  input_payment_type: async (deployment) => {
    const body = { payment_type: 'cash', gross_amount: 1 }
    await refused(deployment, 'POST /charge/', body, 'invalid_request')
  },
  input_gross_amount: async (deployment) => {
    for (const gross_amount of ['1e4', -1, 0, 0.5, null]) {
      const body = { payment_type: 'qris', gross_amount }
      await refused(deployment, 'POST /charge/', body, 'invalid_request')
    }
  },
  input_bank: async (deployment) => {
    const body = { payment_type: 'bank_transfer', gross_amount: 50_000 }
    await refused(deployment, 'POST /charge/', body, 'invalid_request')
    assert.equal((await charge(deployment, { bank: 'bni' }))['bank'], 'bni')
  },
  input_customer: async (deployment) => {
    const payment = await charge(deployment, { customer_details: CUSTOMER })
    assert.equal(payment['customer_first_name'], 'Ani')
    assert.equal(payment['customer_email'], 'ani@example.com')
  },
  input_items: async (deployment) => {
    const body = { payment_type: 'qris', gross_amount: 1, item_details: ITEMS }
    await refused(deployment, 'POST /charge/', body, 'invalid_request')
  },
  cancel_rule: async (deployment) => {
    const { id } = await charge(deployment)
    const cancelled = await ask(deployment, `POST /payments/${id}/cancel/`)
    assert.equal(cancelled.status, 200)
    assert.equal(cancelled.body['transaction_status'], 'cancel')
    await refused(deployment, `POST /payments/${id}/cancel/`, undefined, 'payment_in_final_state')
  },
  expire_rule: async (deployment) => {
    const { id } = await charge(deployment)
    const expired = await ask(deployment, `POST /payments/${id}/expire/`)
    assert.equal(expired.status, 200)
    assert.equal(expired.body['transaction_status'], 'expire')
    await refused(deployment, `POST /payments/${id}/expire/`, undefined, 'payment_not_pending')
  },
  charge_400: async (deployment) => {
    await refused(deployment, 'POST /charge/', {}, 'invalid_request')
    const card = { payment_type: 'credit_card', gross_amount: 50_000, token_id: 'unknown' }
    await refused(deployment, 'POST /charge/', card, 'card_token_invalid')
  },
  list_filters: async (deployment) => {
    const { id } = await charge(deployment)
    await ask(deployment, `POST /payments/${id}/cancel/`)
    const { body } = await ask(
      deployment,
      'GET /payments/?payment_type=bank_transfer&status=cancel',
    )
    const results = body['results'] as Record<string, unknown>[]
    assert.equal(results[0]?.['id'], id)
    for (const one of results) {
      assert.equal(one['payment_type'], 'bank_transfer')
      assert.equal(one['transaction_status'], 'cancel')
    }
  },
  read_payment: async (deployment) => {
    const payment = await charge(deployment)
    const { status, body } = await ask(deployment, `GET /payments/${payment['id']}/`)
    assert.equal(status, 200)
    // A notification may have changed it in between; its form stays.
    assert.deepEqual(Object.keys(body), Object.keys(payment))
    assert.equal(body['id'], payment['id'])
  },
}

/** Checks that need a payer. */
export const PAYER_CHECKS: Record<string, Check> = {
  payments_managed: async (deployment) => {
    for (const action of ['cancel', 'expire']) {
      const { id } = await charge(deployment)
      assert.equal((await ask(deployment, `POST /payments/${id}/${action}/`)).status, 200)
    }
    const { id } = await settled(deployment)
    const refund = { amount: 10_000, reason: 'broken', direct: false }
    assert.equal(
      (await ask(deployment, `POST /payments/${id}/refund/`, { body: refund })).status,
      200,
    )
  },
  check_status: async (deployment) => {
    const { id, order_id } = await charge(deployment)
    await simulate(deployment, `transactions/${order_id}/pay`)
    const { status, body } = await ask(deployment, `GET /payments/${id}/check_status/`)
    assert.equal(status, 200)
    const payment = body['payment'] as Record<string, unknown>
    assert.equal(payment['transaction_status'], 'settlement')
    const said = body['gateway_response'] as Record<string, unknown>
    assert.equal(said['transaction_status'], 'settlement')
    assert(!('signature_key' in said))
  },
  refund_returned: async (deployment) => {
    const { id } = await settled(deployment)
    const body = { amount: 10_000, reason: 'broken', direct: false }
    const reply = await ask(deployment, `POST /payments/${id}/refund/`, { body })
    assert.equal(reply.status, 200)
    const refund = reply.body['refund'] as Record<string, unknown>
    assert.equal(refund['amount'], '10000.00')
    assert.match(String(refund['refund_key']), /^[A-Za-z0-9_-]+$/)
    const payment = reply.body['payment'] as Record<string, unknown>
    assert.equal(payment['transaction_status'], 'partial_refund')
  },
  input_refund: async (deployment) => {
    const { id } = await settled(deployment)
    const line = `POST /payments/${id}/refund/`
    await refused(deployment, line, {}, 'invalid_request')
    await refused(deployment, line, { amount: 1_000, reason: 1 }, 'invalid_request')
    await refused(deployment, line, { amount: 1_000, direct: 'yes' }, 'invalid_request')
    const body = { amount: 1_000, reason: 'broken', direct: true }
    const reply = await ask(deployment, line, { body })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
  },
  refund_rule: async (deployment) => {
    const { id } = await charge(deployment, { payment_type: 'gopay', bank: undefined })
    await refused(
      deployment,
      `POST /payments/${id}/refund/`,
      { amount: 1 },
      'payment_not_refundable',
    )
  },
  capture_rule: async (deployment) => {
    const { id } = await charge(deployment)
    await refused(deployment, `POST /payments/${id}/capture/`, { amount: 1 }, 'not_credit_card')
  },
}
