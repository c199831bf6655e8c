import assert from 'node:assert/strict'
import { ask, charge, type Deployment } from './deployment.ts'
import type { Check } from './payment_checks.ts'

async function needsCaller(deployment: Deployment, line: string) {
  const { status, headers } = await ask(deployment, line, { as: {} })
  assert.equal(status, 401, line)
  assert(headers.has('www-authenticate'), line)
}

export const ACCESS_CHECKS: Record<string, Check> = {
  charge_needs_caller: async (deployment) => {
    await needsCaller(deployment, 'POST /charge/')
  },
  callers_only: async (deployment) => {
    const { id } = await charge(deployment)
    const payment = `/payments/${id}/`
    await needsCaller(deployment, 'GET /payments/')
    await needsCaller(deployment, `GET ${payment}`)
    await needsCaller(deployment, `GET ${payment}check_status/`)
    for (const action of ['cancel', 'expire', 'refund', 'capture']) {
      await needsCaller(deployment, `POST ${payment}${action}/`)
    }
    const invoice = '/invoices/01890000-0000-7000-8000-000000000000/'
    for (const line of ['GET /invoices/', 'POST /invoices/', `GET ${invoice}`]) {
      await needsCaller(deployment, line)
    }
    await needsCaller(deployment, `POST ${invoice}void/`)
    for (const action of ['', 'disable/', 'enable/', 'cancel/']) {
      const method = action === '' ? 'GET' : 'POST'
      await needsCaller(deployment, `${method} /subscriptions/${id}/${action}`)
    }
    await needsCaller(deployment, 'GET /subscriptions/')
    await needsCaller(deployment, 'POST /subscriptions/')
  },
  visibility: async (deployment) => {
    const { id } = await charge(deployment)
    const { other, staff } = deployment
    assert.equal((await ask(deployment, `GET /payments/${id}/`, { as: other })).status, 404)
    assert.equal((await ask(deployment, `GET /payments/${id}/`, { as: staff })).status, 200)
    const listed = async (as: Record<string, string>) => {
      const { body } = await ask(deployment, 'GET /payments/', { as })
      return (body['results'] as { id: string }[]).some((one) => one.id === id)
    }
    assert.equal(await listed(other), false)
    assert.equal(await listed(staff), true)
  },
  any_prefix: async (deployment) => {
    // The deployment under judgement is mounted where its owner chose; no path names a version.
    assert.doesNotMatch(new URL(deployment.base_url).pathname, /\/v\d+(?:\/|$)/)
    assert.equal((await ask(deployment, 'GET /payments/')).status, 200)
    assert.equal((await ask(deployment, 'GET /v1/payments/')).status, 404)
  },
}
