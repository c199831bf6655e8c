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
    const { owner, other, staff } = deployment
    for (const [as, status] of [
      [owner, 200],
      [other, 404],
      [staff, 200],
    ] as const) {
      assert.equal((await ask(deployment, `GET /payments/${id}/`, { as })).status, status)
      const { body } = await ask(deployment, 'GET /payments/', { as })
      const listed = (body['results'] as { id: string }[]).some((one) => one.id === id)
      assert.equal(listed, status === 200)
    }
    for (const action of ['cancel', 'expire', 'refund', 'capture']) {
      const body = action === 'refund' ? { amount: 1_000 } : {}
      const reply = await ask(deployment, `POST /payments/${id}/${action}/`, { as: other, body })
      assert.equal(reply.status, 404, action)
    }
  },
  any_prefix: async (deployment) => {
    // The deployment is mounted where its owner chose, with all its routes; no path has a version.
    const { pathname, origin } = new URL(deployment.base_url)
    assert.doesNotMatch(pathname, /\/v\d+(?:\/|$)/)
    for (const path of ['/payments/', '/invoices/', '/subscriptions/']) {
      assert.equal((await ask(deployment, `GET ${path}`)).status, 200, path)
      assert.equal((await ask(deployment, `GET /v1${path}`)).status, 404, path)
      if (pathname !== '/') {
        const { owner } = deployment
        assert.equal((await fetch(origin + path, { headers: owner })).status, 404, path)
      }
    }
    const { status } = await ask(deployment, 'POST /notification/', { body: {}, as: {} })
    assert.equal(status, 400)
    assert.equal((await ask(deployment, 'POST /charge/', { body: {} })).status, 400)
  },
}
