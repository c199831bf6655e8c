import assert from 'node:assert/strict'
import { ask, savedToken, simulate, type Deployment } from './deployment.ts'
import type { Check } from './payment_checks.ts'

const BODY = {
  name: 'Monthly tea',
  amount: 50_000,
  payment_type: 'credit_card',
  token: 'no-such-token',
  interval: 1,
  interval_unit: 'month',
  max_interval: 12,
}

async function create(deployment: Deployment, more: object = {}) {
  const body = { ...BODY, token: await savedToken(deployment), ...more }
  const reply = await ask(deployment, 'POST /subscriptions/', { body })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body as Record<string, unknown> & { id: string }
}

/** The subscription as the gateway holds it. */
async function atGateway(
  deployment: Deployment,
  { gateway_subscription_id }: Record<string, unknown>,
) {
  const { subscriptions } = await simulate(deployment, 'subscriptions', null)
  const found = (subscriptions as Record<string, unknown>[]).find(
    ({ id }) => id === gateway_subscription_id,
  )
  assert(found, 'the gateway does not have the subscription')
  return found
}

async function act(deployment: Deployment, id: string, action: string) {
  return await ask(deployment, `POST /subscriptions/${id}/${action}/`)
}

/** Each of these values of a field is refused, and the refusal names the field. */
const refuses =
  (field: string, values: readonly unknown[]): Check =>
  async (deployment) => {
    for (const value of values) {
      const body = { ...BODY, [field]: value }
      const reply = await ask(deployment, 'POST /subscriptions/', { body })
      assert.equal(reply.status, 400, `${field}: ${String(value)}`)
      assert.equal(reply.body['code'], 'invalid_request')
      const errors = reply.body['errors'] as { field: string; message: string }[]
      assert(
        // What is missing altogether is named in the words about the body.
        errors.some((error) => error.field === field || error.message.includes(field)),
        JSON.stringify(errors),
      )
    }
  }

/** Checks that need no gateway behind the service. */
export const SUBSCRIPTION_INPUT_CHECKS: Record<string, Check> = {
  subscription_name: refuses('name', [undefined, '', 7]),
  subscription_amount: refuses('amount', [undefined, 0, -1, 0.5, '1e4', null]),
  subscription_type: refuses('payment_type', [undefined, 'qris', 'cash']),
  subscription_token: refuses('token', [undefined, '', 7]),
  subscription_interval: refuses('interval', [0, -1, 1.5, 'one']),
  subscription_unit: refuses('interval_unit', ['hour', 'year', '']),
  subscription_max: refuses('max_interval', [0, -1, 1.5, 'many']),
}

/** Checks that need a saved card, which only the gateway's side can give. */
export const SUBSCRIPTION_CHECKS: Record<string, Check> = {
  subscription_created: async (deployment) => {
    const body = await create(deployment)
    assert.equal(body['status'], 'active')
    assert.equal(body['amount'], '50000.00')
    for (const field of ['name', 'payment_type', 'interval', 'interval_unit', 'max_interval']) {
      assert.equal(body[field], BODY[field as keyof typeof BODY], field)
    }
    const there = await atGateway(deployment, body)
    // The gateway wants a unique name of its own alphabet, so ours is in it with an id.
    assert.match(String(there['name']), /^monthly-tea-/)
    assert.equal(there['status'], 'active')
  },
  subscription_form: async (deployment) => {
    const body = await create(deployment)
    assert.match(body.id, /^[0-9a-f-]{36}$/)
    assert(!('token' in body))
    assert.equal(body['current_interval'], 0)
  },
  subscription_list: async (deployment) => {
    const { id } = await create(deployment)
    const seen = async (as: Record<string, string>) => {
      const { status, body } = await ask(deployment, 'GET /subscriptions/', { as })
      assert.equal(status, 200)
      return (body['results'] as { id: string }[]).some((one) => one.id === id)
    }
    assert.equal(await seen(deployment.owner), true)
    assert.equal(await seen(deployment.other), false)
    assert.equal(await seen(deployment.staff), true)
  },
  subscription_read: async (deployment) => {
    const created = await create(deployment)
    const { status, body } = await ask(deployment, `GET /subscriptions/${created.id}/`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), Object.keys(created))
    const { other: as } = deployment
    const foreign = await ask(deployment, `GET /subscriptions/${created.id}/`, { as })
    assert.equal(foreign.status, 404)
  },
  subscription_actions: async (deployment) => {
    const subscription = await create(deployment)
    const { id } = subscription
    const steps = {
      disable: ['disabled', 'inactive'],
      enable: ['active', 'active'],
      cancel: ['cancelled', 'inactive'],
    }
    for (const [action, [status, there]] of Object.entries(steps)) {
      const reply = await act(deployment, id, action)
      assert.equal(reply.status, 200, action)
      assert.equal(reply.body['status'], status)
      assert.equal((await atGateway(deployment, subscription))['status'], there, action)
    }
    // Permanently, and nothing else is an action.
    assert.equal((await act(deployment, id, 'enable')).status, 400)
    assert.equal((await act(deployment, id, 'destroy')).status, 400)
  },
  subscriptions_managed: async (deployment) => {
    const { id } = await create(deployment)
    assert.equal((await ask(deployment, 'GET /subscriptions/')).status, 200)
    assert.equal((await ask(deployment, `GET /subscriptions/${id}/`)).status, 200)
    for (const action of ['disable', 'enable', 'cancel']) {
      assert.equal((await act(deployment, id, action)).status, 200)
    }
  },
}
