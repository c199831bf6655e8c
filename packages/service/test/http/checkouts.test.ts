// Checkouts over HTTP: who may, what is answered, and what is refused.
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { CHECKOUT, CHECKOUT_PAGE } from '../../src/http/checkouts.ts'
import { useHttp } from './http_bench.ts'

const http = useHttp()
const missing = '01890000-0000-7000-8000-000000000000'
const created = async (more: object = {}) =>
  (await http.post('/checkouts/', { body: { amount: 24_000, ...more } })).body

describe('POST /checkouts/', () => {
  test('201 and the full form with the page, which fits its schema', async () => {
    const { status, body } = await http.post('/checkouts/', { body: { amount: 24_000 } })
    expect(status).toBe(201)
    expect(Compile(CHECKOUT).Errors(body)).toEqual([])
    expect(body).toMatchObject({ status: 'open', amount: '24000.00' })
    expect(body['redirect_url']).toContain(String(body['token']))
  })

  test('200 and the same page for the same order and content without a key', async () => {
    const body = { amount: 24_000, order_id: http.fresh('page') }
    const first = await http.post('/checkouts/', { body })
    const again = await http.post('/checkouts/', { body })
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
  })

  test('the same key replays 201; another body under it is 422', async () => {
    const key = http.fresh('key')
    const first = await http.post('/checkouts/', { body: { amount: 24_000 }, key })
    const again = await http.post('/checkouts/', { body: { amount: 24_000 }, key })
    expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await http.post('/checkouts/', { body: { amount: 25_000 }, key })).status).toBe(422)
  })

  test('401 without credentials', async () => {
    const body = { amount: 24_000 }
    expect((await http.post('/checkouts/', { body, as: '' })).status).toBe(401)
  })

  test('400 names every fault at once, and unknown fields', async () => {
    const body = {
      amount: 0,
      page_expiry_minutes: 4,
      return_url: 'javascript:alert(1)',
      payment_types: ['cash'],
      total: 1,
    }
    const answer = await http.post('/checkouts/', { body })
    expect(answer.status).toBe(400)
    const fields = (answer.body['errors'] as { field: string }[]).map(({ field }) => field)
    expect(fields.sort()).toEqual(['page_expiry_minutes', 'payment_types.0', 'return_url', 'total'])
    const items = [{ name: 'Lamp', price: 1_000, quantity: 2 }]
    const sum = await http.post('/checkouts/', { body: { amount: 24_000, item_details: items } })
    expect(sum.body['errors']).toEqual([
      { field: 'item_details', message: 'must add up to amount' },
    ])
  })

  test('504 names the checkout when the outcome is unknown', async () => {
    await http.strike('create_checkout', 'drop_after', { times: 2 })
    const lost = await http.post('/checkouts/', { body: { amount: 24_000 } })
    expect(lost.status).toBe(504)
    expect(lost.body).toMatchObject({ code: 'outcome_unknown' })
    const { status, body } = await http.get(`/checkouts/${String(lost.body['checkout_id'])}/`)
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'initiated' } })
  })
})

describe('GET /checkouts/', () => {
  test('lists by status, order id and time, newest first, without the pages', async () => {
    const first = await created({ order_id: http.fresh('listed') })
    const second = await created({ description: 'Tea' })
    const { body, text } = await http.get('/checkouts/?page_size=2&status=open')
    expect(Compile(CHECKOUT_PAGE).Errors(body)).toEqual([])
    const ids = (body['results'] as { id: string }[]).map(({ id }) => id)
    expect(ids).toEqual([second.id, first.id])
    expect(text).not.toContain(String(first['token']))
    const one = await http.get(`/checkouts/?order_id=${String(first['order_id'])}`)
    expect(one.body['results']).toMatchObject([{ id: first.id }])
    for (const time of ['0000-01-01T00:00:00Z', '2026-01-31', 'x']) {
      expect((await http.get(`/checkouts/?created_before=${time}`)).status).toBe(400)
    }
    const none = await http.get('/checkouts/?created_before=2020-01-01T00:00:00Z')
    expect(none.body['results']).toEqual([])
    expect((await http.get('/checkouts/?created_from=yesterday')).status).toBe(400)
  })
})

describe('POST /checkouts/{pk}/cancel/', () => {
  test('200 and says whether the gateway closed the page; a second time 400', async () => {
    const { id } = await created()
    const { status, body } = await http.post(`/checkouts/${id}/cancel/`)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'cancelled', page_closed: false, token: null, redirect_url: null },
    })
    const again = await http.post(`/checkouts/${id}/cancel/`)
    expect({ status: again.status, body: again.body }).toMatchObject({
      status: 400,
      body: { code: 'checkout_not_open' },
    })
    expect((await http.post(`/checkouts/${missing}/cancel/`)).status).toBe(404)
  })
})

describe('POST /staff/checkouts/', () => {
  const auditOf = async (id: string) =>
    await http.database.sql(
      'select actor, action, owner_id from gapura.audit_unsealed where subject_id = $1 order by id',
      [id],
    )

  test('201 and a page that belongs to the owner that staff name, with an audit entry', async () => {
    const body = { owner_id: 'ani', amount: 24_000, order_id: http.fresh('staff') }
    const { status, body: made } = await http.post('/staff/checkouts/', { as: 'clerk', body })
    expect(status).toBe(201)
    expect(Compile(CHECKOUT).Errors(made)).toEqual([])
    const entry = { actor: 'desk', action: 'checkout.create_checkout', owner_id: 'ani' }
    expect(await auditOf(made.id)).toEqual([entry])
    expect((await http.get(`/checkouts/${made.id}/`)).body).toEqual(made)
    // A repeat shows the page of another owner: it is a read.
    const again = await http.post('/staff/checkouts/', { as: 'clerk', body })
    expect([again.status, again.body]).toEqual([200, made])
    expect(await auditOf(made.id)).toEqual([entry, { ...entry, action: 'checkout.read' }])
  })

  test('400 without an owner; 403 without staff:act, unless it is their own; 404 to owners', async () => {
    const input = { amount: 24_000 }
    const refused = await http.post('/staff/checkouts/', { as: 'clerk', body: input })
    expect(refused.body).toMatchObject({ status: 400, errors: [{ field: 'owner_id' }] })
    const caller = { owner_id: 'eka', staff: true, scopes: ['payments:write'] } as const
    const { staff } = http.parts.gapura
    await expect(staff.createCheckout(caller, { owner_id: 'ani', ...input })).rejects.toMatchObject(
      { code: 'forbidden' },
    )
    const own = await staff.createCheckout(caller, { owner_id: 'eka', ...input })
    expect(own.status).toBe('open')
    const body = { owner_id: 'ani', ...input }
    expect((await http.post('/staff/checkouts/', { body })).status).toBe(404)
  })
})

describe('POST /staff/checkouts/{pk}/cancel/', () => {
  test('400 without a reason and nothing changes; 200 with one cancels what was chosen too', async () => {
    const order_id = http.fresh('staff')
    const { id } = await created({ order_id })
    const url = `/staff/checkouts/${id}/cancel/`
    for (const body of [{}, { reason: ' ' }, { reason: 'no' }]) {
      expect((await http.post(url, { as: 'clerk', body })).status).toBe(400)
    }
    expect((await http.get(`/checkouts/${id}/`)).body['status']).toBe('open')
    const reason = 'ordered twice'
    const ended = await http.post(url, { as: 'clerk', body: { reason } })
    expect(ended).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    const again = await http.post(url, { as: 'clerk', body: { reason } })
    expect(again.body).toMatchObject({ status: 400, code: 'checkout_not_open' })
  })
})
