import assert from 'node:assert/strict'
import { ask, type Deployment } from './deployment.ts'
import type { Check } from './payment_checks.ts'

const ITEMS = [
  { description: 'Lamp', price: 75_000, quantity: 2 },
  { description: 'Delivery', price: 5_000, quantity: 1 },
]

/** A week from now in any zone. */
const dueDate = (): string => new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)

const inputOf = (more: object = {}) => ({
  customer_name: 'Budi',
  customer_email: 'budi@example.com',
  due_date: dueDate(),
  items: ITEMS,
  notes: 'Thank you',
  ...more,
})

async function invoice(deployment: Deployment, more: object = {}) {
  const { status, body } = await ask(deployment, 'POST /invoices/', { body: inputOf(more) })
  assert.equal(status, 201, JSON.stringify(body))
  return body as Record<string, string> & { items: Record<string, unknown>[] }
}

async function refused(deployment: Deployment, ...wrong: object[]) {
  for (const more of wrong) {
    const { status, body } = await ask(deployment, 'POST /invoices/', { body: inputOf(more) })
    assert.equal(status, 400, JSON.stringify(more))
    assert.equal(body['code'], 'invalid_request')
  }
}

export const INVOICE_CHECKS: Record<string, Check> = {
  invoices_managed: async (deployment) => {
    const { id } = await invoice(deployment)
    assert.equal((await ask(deployment, `GET /invoices/${id}/`)).body['status'], 'pending')
    const voided = await ask(deployment, `POST /invoices/${id}/void/`, { body: { reason: 'x' } })
    assert.equal(voided.body['status'], 'voided')
    const again = await ask(deployment, `POST /invoices/${id}/void/`, { body: { reason: 'x' } })
    assert.equal(again.status, 400)
    assert.equal(again.body['code'], 'invoice_not_voidable')
  },
  invoice_form: async (deployment) => {
    const made = await invoice(deployment)
    for (const field of ['id', 'invoice_number', 'order_id', 'status', 'pdf_url', 'items']) {
      assert(field in made, field)
    }
    assert.equal(made['total_amount'], '155000.00')
    assert.equal(made.items[0]?.['subtotal'], '150000.00')
  },
  invoices_listed: async (deployment) => {
    const { id } = await invoice(deployment)
    const { body } = await ask(deployment, 'GET /invoices/')
    const [first] = body['results'] as { id: string }[]
    assert.equal(first?.id, id)
    const theirs = await ask(deployment, 'GET /invoices/', { as: deployment.other })
    assert(!(theirs.body['results'] as { id: string }[]).some((one) => one.id === id))
  },
  invoice_created: async (deployment) => {
    const made = await invoice(deployment)
    assert.equal(made['status'], 'pending')
    assert.match(made['payment_link_url'] ?? '', /^https?:/)
  },
  invoice_read: async (deployment) => {
    const made = await invoice(deployment)
    const { status, body } = await ask(deployment, `GET /invoices/${made['id']}/`)
    assert.equal(status, 200)
    assert.deepEqual(body, made)
    const { other, staff } = deployment
    const path = `GET /invoices/${made['id']}/`
    assert.equal((await ask(deployment, path, { as: other })).status, 404)
    assert.equal((await ask(deployment, path, { as: staff })).status, 200)
  },
  invoice_voided: async (deployment) => {
    const { id } = await invoice(deployment)
    const reason = 'ordered twice'
    const { status, body } = await ask(deployment, `POST /invoices/${id}/void/`, {
      body: { reason },
    })
    assert.equal(status, 200)
    assert.equal(body['status'], 'voided')
    assert.equal(body['void_reason'], reason)
  },
  invoice_name: async (deployment) => {
    await refused(deployment, { customer_name: undefined }, { customer_name: 7 })
    assert.equal((await invoice(deployment))['customer_name'], 'Budi')
  },
  invoice_email: async (deployment) => {
    await refused(deployment, { customer_email: undefined }, { customer_email: 'budi' })
    assert.equal((await invoice(deployment))['customer_email'], 'budi@example.com')
  },
  invoice_due: async (deployment) => {
    await refused(
      deployment,
      { due_date: undefined },
      { due_date: '2020-01-01' },
      { due_date: '2999-02-30' },
      { due_date: 'soon' },
    )
    assert.equal((await invoice(deployment))['due_date'], dueDate())
  },
  invoice_items: async (deployment) => {
    const item = { description: 'Lamp', price: 1, quantity: 1 }
    await refused(
      deployment,
      { items: undefined },
      { items: [] },
      { items: [{ ...item, price: 0.5 }] },
      { items: [{ ...item, quantity: 0 }] },
      { items: [{ ...item, description: undefined }] },
    )
    const { items } = await invoice(deployment)
    assert.deepEqual(
      items.map(({ description, price, quantity }) => ({ description, price, quantity })),
      [
        { description: 'Lamp', price: '75000.00', quantity: 2 },
        { description: 'Delivery', price: '5000.00', quantity: 1 },
      ],
    )
  },
  invoice_notes: async (deployment) => {
    await refused(deployment, { notes: 7 }, { notes: 'x'.repeat(1_001) })
    assert.equal((await invoice(deployment))['notes'], 'Thank you')
  },
}
