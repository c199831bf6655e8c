import { randomUUID } from 'node:crypto'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { SUBSCRIPTION, SUBSCRIPTION_PAGE } from '../../src/http/subscriptions.ts'
import type { Answer } from './http_bench.ts'
import { useSubscriptionHttp } from './subscription_http_bench.ts'

const { http, inputOf, created, hearNotices } = useSubscriptionHttp()
const isSubscription = Compile(SUBSCRIPTION)
const isPage = Compile(SUBSCRIPTION_PAGE)
const ani: Caller = { owner_id: 'ani', staff: false, scopes: SCOPES }
const withoutRequest = ({ status, body }: Answer) => {
  const { request_id: _, ...rest } = body
  return { status, body: JSON.stringify(rest) }
}

describe('201', () => {
  test('POST /subscriptions/ gives the whole subscription, with or without the slash', async () => {
    for (const path of ['/subscriptions/', '/subscriptions']) {
      const { status, body } = await http.post(path, { body: await inputOf() })
      expect(status).toBe(201)
      expect([...isSubscription.Errors(body)]).toEqual([])
      expect(body).toMatchObject({ status: 'active', amount: '50000.00' })
    }
  })

  test('a repeated key gives the same bytes', async () => {
    const sent = { body: await inputOf(), key: http.fresh('key') }
    const first = await http.post('/subscriptions/', sent)
    const again = await http.post('/subscriptions/', sent)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })
})

describe('200', () => {
  test('GET reads it, and lists it in a reduced form', async () => {
    const subscription = await created()
    expect((await http.get(`/subscriptions/${subscription.id}/`)).body).toEqual(subscription)
    const page = (await http.get('/subscriptions/?page_size=1')).body
    expect([...isPage.Errors(page)]).toEqual([])
    expect(page['results']).toMatchObject([{ id: subscription.id, status: 'active' }])
    const older = await http.get(String(page['next']).replace(/^\/api\/pay/, ''))
    expect(older.status).toBe(200)
    expect((older.body['results'] as { id: string }[])[0]?.id).not.toBe(subscription.id)
  })

  test('lists filter by status', async () => {
    const { id } = await created()
    await http.post(`/subscriptions/${id}/disable/`)
    const { body } = await http.get('/subscriptions/?status=disabled')
    expect(body['results']).toMatchObject([{ id, status: 'disabled' }])
  })

  test('disable, enable and cancel answer with the subscription', async () => {
    const { id } = await created()
    for (const [action, status] of [
      ['disable', 'disabled'],
      ['enable', 'active'],
      ['cancel', 'cancelled'],
    ]) {
      const answer = await http.post(`/subscriptions/${id}/${action}/`)
      expect(answer.status).toBe(200)
      expect([...isSubscription.Errors(answer.body)]).toEqual([])
      expect(answer.body).toMatchObject({ id, status })
    }
  })

  test('its payments are found by its id', async () => {
    await hearNotices()
    const { id } = await created({ interval_unit: 'day' })
    await http.control('clock/advance', { days: 1 })
    const { body } = await http.get(`/payments/?subscription_id=${id}`)
    expect(body['results']).toMatchObject([{ is_paid: true, gross_amount: '50000.00' }])
    const [payment] = body['results'] as { id: string }[]
    expect((await http.get(`/subscriptions/${id}/`)).body).toMatchObject({
      current_interval: 1,
      last_payment_id: payment?.id,
    })
  })
})

describe('400', () => {
  test('a wrong body names its fields and writes nothing', async () => {
    const before = await http.database.sql('select count(*) from gapura.gateway_subscription')
    const { status, body } = await http.post('/subscriptions/', { body: { amount: -1 } })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_request' })
    expect(await http.database.sql('select count(*) from gapura.gateway_subscription')).toEqual(
      before,
    )
  })

  test('an action that does not exist, for a subscription of any owner', async () => {
    const { id } = await created()
    for (const action of ['destroy', 'update', 'status', 'Disable', 'constructor']) {
      const own = await http.post(`/subscriptions/${id}/${action}/`)
      expect(own).toMatchObject({ status: 400, body: { code: 'unknown_action' } })
      const foreign = await http.post(`/subscriptions/${id}/${action}/`, { as: 'budi' })
      expect(withoutRequest(foreign)).toEqual(withoutRequest(own))
    }
  })

  test('an action the state does not allow', async () => {
    const { id } = await created()
    const refused = { status: 400, body: { code: 'subscription_action_refused' } }
    expect(await http.post(`/subscriptions/${id}/enable/`)).toMatchObject(refused)
    await http.post(`/subscriptions/${id}/cancel/`)
    expect(await http.post(`/subscriptions/${id}/enable/`)).toMatchObject(refused)
  })

  test.each(['?status=dead', '?page_size=0', '?cursor=x', '?nothing=1'])('%s', async (query) => {
    expect(await http.get(`/subscriptions/${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    })
  })

  test('what the gateway refuses names the subscription it left', async () => {
    await http.strike('create_subscription', 'status', {
      options: { http_status: 400, body: { status_message: 'no' } },
    })
    const { status, body } = await http.post('/subscriptions/', { body: await inputOf() })
    expect(status).toBe(400)
    const left = await http.get(`/subscriptions/${String(body['subscription_id'])}/`)
    expect(left.body).toMatchObject({ status: 'failure' })
  })
})

test('401 without a caller, 403 without the scope', async () => {
  const { id } = await created()
  for (const [method, path] of [
    ['get', '/subscriptions/'],
    ['post', '/subscriptions/'],
    ['get', `/subscriptions/${id}/`],
    ['post', `/subscriptions/${id}/cancel/`],
  ] as const) {
    expect((await http[method](path, { as: '' })).status).toBe(401)
    if (method === 'post') expect((await http.post(path, { as: 'payer' })).status).toBe(403)
  }
  // Seeing everything is not doing everything (ADR 0020).
  expect((await http.get(`/subscriptions/${id}/`, { as: 'staff' })).status).toBe(200)
  expect((await http.post(`/subscriptions/${id}/cancel/`, { as: 'staff' })).status).toBe(403)
})

test("404: another owner's and a missing one are the same bytes", async () => {
  const { id } = await created()
  const missing = randomUUID()
  for (const path of ['/', '/disable/', '/enable/', '/cancel/']) {
    const method = path === '/' ? 'get' : 'post'
    const foreign = await http[method](`/subscriptions/${id}${path}`, { as: 'budi' })
    const nothing = await http[method](`/subscriptions/${missing}${path}`, { as: 'budi' })
    expect(foreign.status).toBe(404)
    expect(withoutRequest(foreign)).toEqual(withoutRequest(nothing))
    expect(withoutRequest(await http[method](`/subscriptions/x${path}`))).toEqual(
      withoutRequest(nothing),
    )
  }
  const { body } = await http.get('/subscriptions/', { as: 'budi' })
  expect(body['results']).toEqual([])
})

test('405 with Allow for another method', async () => {
  const { id } = await created()
  const answer = await http.get(`/subscriptions/${id}/disable/`)
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('POST')
})

test('422: a key stands for one action on one subscription', async () => {
  const { id } = await created()
  const key = http.fresh('key')
  expect((await http.post(`/subscriptions/${id}/disable/`, { key })).status).toBe(200)
  expect((await http.post(`/subscriptions/${id}/cancel/`, { key })).status).toBe(422)
})

test('504 when the outcome is unknown, with the id to read', async () => {
  await http.strike('create_subscription', 'drop_after', { times: 2 })
  const { status, body } = await http.post('/subscriptions/', { body: await inputOf() })
  expect(status).toBe(504)
  expect(body).toMatchObject({ code: 'outcome_unknown', retryable: true })
  const read = await http.get(`/subscriptions/${String(body['subscription_id'])}/`)
  expect(read.body).toMatchObject({ status: 'initiated', gateway_subscription_id: null })
})

test('in-process: the same subscriptions, and the two services without a path', async () => {
  const { api } = http.parts.gapura
  const made = await api.createSubscription(ani, await inputOf())
  expect((await http.get(`/subscriptions/${made.id}/`)).body).toEqual(made)
  expect(await api.getSubscription(ani, made.id)).toEqual(made)
  expect((await api.listSubscriptions(ani, { page_size: 1 })).results[0]?.id).toBe(made.id)
  const checked = await api.getSubscriptionStatus(ani, made.id)
  expect(checked.gateway_response).toMatchObject({ status: 'active' })
  const updated = await api.updateSubscription(ani, made.id, { amount: 60_000 })
  expect(updated.amount).toBe('60000.00')
  const key = { idempotencyKey: http.fresh('key') }
  const disabled = await api.disableSubscription(ani, made.id, key)
  expect(disabled.status).toBe('disabled')
  const path = `/subscriptions/${made.id}/disable/`
  expect((await http.post(path, { key: key.idempotencyKey })).body).toEqual(disabled)
  expect((await api.enableSubscription(ani, made.id)).status).toBe('active')
  expect((await api.cancelSubscription(ani, made.id)).status).toBe('cancelled')
  await expect(api.getSubscription({ ...ani, owner_id: 'x' }, made.id)).rejects.toMatchObject({
    code: 'not_found',
  })
})
