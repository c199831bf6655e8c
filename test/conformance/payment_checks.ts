import assert from 'node:assert/strict'
import { ask, atGateway, charge, type Deployment } from './deployment.ts'

export type Check = (deployment: Deployment) => Promise<void>

export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
export const CUSTOMER = { first_name: 'Ani', email: 'ani@example.com', phone: '081111111111' }
export const ITEMS = [
  { name: 'Tea', price: 25_000, quantity: 2, category: 'Food', url: 'https://a.example' },
]

export async function refused(deployment: Deployment, line: string, body: unknown, code: string) {
  const reply = await ask(deployment, line, { body })
  assert.equal(reply.status, 400, JSON.stringify(reply.body))
  assert.equal(reply.body['code'], code)
}

/** The list form of api-rules.md#payments. */
const LISTED = [
  'id',
  'order_id',
  'payment_type',
  'gross_amount',
  'transaction_status',
  'customer_email',
  'is_paid',
  'created_at',
]

/** Checks that need nothing but a caller. */
export const CALLER_CHECKS: Record<string, Check> = {
  charge_created: async (deployment) => {
    const payment = await charge(deployment, { gross_amount: 61_000 })
    const { id, order_id = '' } = payment
    assert.equal(payment['transaction_status'], 'pending')
    assert.equal(payment['gross_amount'], '61000.00')
    // Kept here: read back, the record has every field of the reply.
    const { body } = await ask(deployment, `GET /payments/${id}/`)
    assert.deepEqual(Object.keys(body), Object.keys(payment))
    assert.equal(body['order_id'], order_id)
    if (deployment.simulator_url === null) return
    // Made there: the gateway has the order under the same number and amount.
    const there = await atGateway(deployment, order_id)
    assert.equal(there['gross_amount'], '61000.00')
    assert.equal(there['transaction_id'], payment['transaction_id'])
  },
  field_id: async (deployment) => {
    const payment = await charge(deployment)
    assert.match(payment['id'] ?? '', UUID)
    assert.equal((await ask(deployment, `GET /payments/${payment['id']}/`)).status, 200)
  },
  field_order_id: async (deployment) => {
    const order_id = `conformance-${Date.now()}`
    assert.equal((await charge(deployment, { order_id }))['order_id'], order_id)
    if (deployment.simulator_url !== null) {
      assert.equal((await atGateway(deployment, order_id))['order_id'], order_id)
    }
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
    const [first = {}] = body['results'] as Record<string, unknown>[]
    assert.deepEqual(Object.keys(first).toSorted(), LISTED.toSorted())
    for (const [field, value] of Object.entries(first)) assert.deepEqual(value, payment[field])
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
    const ids = async (query: string): Promise<string[]> => {
      const { status, body } = await ask(deployment, `GET /payments/${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      return (body['results'] as { id: string }[]).map(({ id }) => id)
    }
    const transfer = (await charge(deployment))['id'] ?? ''
    const wallet =
      (await charge(deployment, { payment_type: 'gopay', bank: undefined }))['id'] ?? ''
    await ask(deployment, `POST /payments/${transfer}/cancel/`)
    const all = await ids('')
    assert(all.includes(transfer) && all.includes(wallet))
    for (const [query, found, left_out] of [
      ['?payment_type=bank_transfer', transfer, wallet],
      ['?payment_type=gopay', wallet, transfer],
      ['?status=cancel', transfer, wallet],
      ['?status=pending', wallet, transfer],
    ] as const) {
      const listed = await ids(query)
      assert(listed.includes(found), `${query} leaves out ${found}`)
      assert(!listed.includes(left_out), `${query} lists ${left_out}`)
    }
    assert.deepEqual(await ids('?payment_type=gopay&status=cancel&order_id=none'), [])
  },
  read_payment: async (deployment) => {
    const payment = await charge(deployment, { item_details: ITEMS, customer_details: CUSTOMER })
    const { status, body } = await ask(deployment, `GET /payments/${payment['id']}/`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), Object.keys(payment))
    // A notification about the charge may have been applied in between; nothing else differs.
    const changes = new Set(['updated_at', 'settlement_time', 'last_checked_at', 'raw_response'])
    for (const [field, value] of Object.entries(payment)) {
      if (!changes.has(field)) assert.deepEqual(body[field], value, field)
    }
  },
  payments_read_only: async (deployment) => {
    const before = await charge(deployment)
    const one = `/payments/${before['id']}/`
    for (const line of ['POST /payments/', `PUT ${one}`, `PATCH ${one}`, `DELETE ${one}`]) {
      const { status, body } = await ask(deployment, line, { body: { gross_amount: 1 } })
      assert.equal(status, 405, line)
      assert.equal(body['code'], 'method_not_allowed')
    }
    assert.equal((await ask(deployment, `POST ${one}pay/`)).status, 404)
    const { body } = await ask(deployment, `GET ${one}`)
    assert.equal(body['gross_amount'], before['gross_amount'])
    assert.equal(body['transaction_status'], 'pending')
  },
  json_only: async (deployment) => {
    const { base_url, owner } = deployment
    const { id } = await charge(deployment)
    for (const path of ['/payments/', `/payments/${id}/`, '/invoices/', '/subscriptions/']) {
      const reply = await fetch(base_url + path, { headers: owner })
      assert.match(reply.headers.get('content-type') ?? '', /^application\/json/, path)
      await reply.json()
    }
    const missing = await fetch(`${base_url}/payments/none/`, { headers: owner })
    assert.match(missing.headers.get('content-type') ?? '', /^application\/problem\+json/)
    const form = await fetch(`${base_url}/charge/`, {
      method: 'POST',
      headers: { ...owner, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'payment_type=qris&gross_amount=50000',
    })
    assert.equal(form.status, 415)
  },
  payment_statuses: async (deployment) => {
    const { id } = await charge(deployment)
    const pending = await ask(deployment, `GET /payments/${id}/`)
    assert.equal(pending.body['transaction_status'], 'pending')
    for (const status of ['pending', 'settlement']) {
      assert.equal((await ask(deployment, `GET /payments/?status=${status}`)).status, 200)
    }
    await refused(deployment, 'GET /payments/?status=finished', undefined, 'invalid_request')
  },
}
