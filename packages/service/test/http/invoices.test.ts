// Invoices over HTTP: who may, what is answered, and the same without HTTP.
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { INVOICE, INVOICE_PAGE } from '../../src/http/invoices.ts'
import { useHttp } from './http_bench.ts'

const http = useHttp()
const missing = '01890000-0000-7000-8000-000000000000'

const due_date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
const input = (more: object = {}) => ({
  customer_name: 'Budi',
  customer_email: 'budi@example.com',
  due_date,
  items: [{ description: 'Lamp', price: 12_000, quantity: 2 }],
  ...more,
})
const created = async (more: object = {}) =>
  (await http.post('/invoices/', { body: input(more) })).body

describe('POST /invoices/', () => {
  test('201 and the full form, which fits its schema', async () => {
    const { status, body } = await http.post('/invoices/', { body: input() })
    expect(status).toBe(201)
    expect(Compile(INVOICE).Errors(body)).toEqual([])
    expect(body).toMatchObject({ status: 'pending', total_amount: '24000.00' })
  })

  test('401 without credentials, 403 without the scope', async () => {
    expect((await http.post('/invoices/', { body: input(), as: '' })).status).toBe(401)
    const { status, body } = await http.post('/invoices/', { body: input(), as: 'payer' })
    expect(status).toBe(403)
    expect(body['detail']).toContain('invoices:write')
  })

  test('400 names every fault at once, and unknown fields', async () => {
    const body = input({ customer_name: '', total: 1, items: [] })
    const answer = await http.post('/invoices/', { body })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'invalid_request' })
    const fields = (answer.body['errors'] as { field: string }[]).map(({ field }) => field)
    expect(fields.sort()).toEqual(['customer_name', 'items', 'total'])
  })

  test('the same key replays the same bytes; another body under it is 422', async () => {
    const key = http.fresh('key')
    const first = await http.post('/invoices/', { body: input(), key })
    const again = await http.post('/invoices/', { body: input(), key })
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const other = await http.post('/invoices/', { body: input({ notes: 'x' }), key })
    expect(other.status).toBe(422)
  })

  test('504 names the invoice when the outcome is unknown, and a refusal is kept under its key', async () => {
    await http.strike('create_invoice', 'drop_after', { times: 2 })
    const lost = await http.post('/invoices/', { body: input() })
    expect(lost.status).toBe(504)
    expect(lost.body).toMatchObject({ code: 'outcome_unknown' })
    const { body } = await http.get(`/invoices/${String(lost.body['invoice_id'])}/`)
    expect(body).toMatchObject({ status: 'initiated' })
    expect(lost.body).not.toHaveProperty('payment_id')

    const key = http.fresh('key')
    const no = { options: { http_status: 400, body: { error_messages: ['no such bank'] } } }
    await http.strike('create_invoice', 'status', no)
    const first = await http.post('/invoices/', { body: input(), key })
    expect(first.status).toBe(400)
    expect(first.body).toMatchObject({
      code: 'gateway_rejected',
      gateway: { status_message: 'no such bank' },
    })
    expect(first.body['invoice_id']).toMatch(/^[0-9a-f-]{36}$/)
    expect((await http.post('/invoices/', { body: input(), key })).body).toEqual({
      ...first.body,
      request_id: expect.any(String) as string,
    })
  })
})

describe('GET /invoices/{pk}/', () => {
  test("404 another owner's invoice, byte-identical to a missing one but for request_id", async () => {
    const { id } = await created()
    const headers = { 'x-request-id': 'the-same' }
    const hidden = await http.get(`/invoices/${id}/`, { as: 'budi', headers })
    const none = await http.get(`/invoices/${missing}/`, { as: 'budi', headers })
    const blank = (text: string) => text.replace(/"request_id":"[^"]*"/, '')
    expect(hidden.status).toBe(404)
    expect(blank(hidden.text)).toBe(blank(none.text))
    const void_hidden = await http.post(`/invoices/${id}/void/`, { as: 'budi', headers })
    const void_none = await http.post(`/invoices/${missing}/void/`, { as: 'budi', headers })
    expect(void_hidden.status).toBe(404)
    expect(blank(void_hidden.text)).toBe(blank(void_none.text))
    expect((await http.get(`/invoices/${id}/`, { as: 'staff' })).status).toBe(200)
  })
})

describe('POST /invoices/{pk}/void/', () => {
  test('200 with the reason, then 400; also with no body at all', async () => {
    const { id } = await created()
    const voided = await http.post(`/invoices/${id}/void/`, { body: { reason: 'twice' } })
    expect(voided.status).toBe(200)
    expect(voided.body).toMatchObject({ status: 'voided', void_reason: 'twice' })
    const again = await http.post(`/invoices/${id}/void/`)
    expect(again.body).toMatchObject({ status: 400, code: 'invoice_not_voidable' })
    const { id: other } = await created()
    expect((await http.post(`/invoices/${other}/void/`)).body).toMatchObject({
      status: 'voided',
      void_reason: null,
    })
  })

  test('400 for a paid one, and for a reason too long', async () => {
    const { id, gateway_invoice_id } = await created()
    const long = await http.post(`/invoices/${id}/void/`, { body: { reason: 'x'.repeat(256) } })
    expect(long.body).toMatchObject({ status: 400, code: 'invalid_request' })
    await http.control(`invoices/${String(gateway_invoice_id)}/pay`)
    const paid = await http.post(`/invoices/${id}/void/`)
    expect(paid.status).toBe(400)
    expect((await http.get(`/invoices/${id}/`)).body).toMatchObject({ status: 'paid' })
    expect((await http.post(`/invoices/${id}/void/`)).body).toMatchObject({
      code: 'invoice_not_voidable',
    })
  })
})

describe('GET /invoices/', () => {
  test('pages by links and keeps the filters; a misspelt filter is 400', async () => {
    const customer_email = `${http.fresh('page')}@example.com`
    for (let n = 0; n < 3; n++) await created({ customer_email })
    const query = `?customer_email=${encodeURIComponent(customer_email)}&page_size=2`
    const first = await http.get(`/invoices/${query}`)
    expect(Compile(INVOICE_PAGE).Errors(first.body)).toEqual([])
    expect(first.body['results']).toHaveLength(2)
    const { origin } = new URL(http.parts.url)
    const next = new URL(String(first.body['next']), origin)
    expect(next.searchParams.get('customer_email')).toBe(customer_email)
    const second = await http.get(`/invoices/${next.search}`)
    expect(second.body['results']).toHaveLength(1)
    for (const wrong of ['?state=paid', '?status=sent', '?due_before=tomorrow', '?page_size=101'])
      expect((await http.get(`/invoices/${wrong}`)).status).toBe(400)
  })
})

test('the same in-process', async () => {
  const { api } = http.parts.gapura
  const caller = { owner_id: 'ani', staff: false, scopes: SCOPES }
  const invoice = await api.createInvoice(caller, input(), { idempotencyKey: http.fresh('api') })
  expect(await api.getInvoice(caller, invoice.id)).toEqual(invoice)
  expect((await api.listInvoices(caller, { status: 'pending' })).results[0]?.id).toBe(invoice.id)
  await http.control(`invoices/${String(invoice.gateway_invoice_id)}/pay`)
  expect((await api.getInvoiceStatus(caller, invoice.id)).status).toBe('paid')
  await expect(api.voidInvoice(caller, invoice.id)).rejects.toMatchObject({
    code: 'invoice_not_voidable',
  })
  await expect(api.createInvoice({ ...caller, scopes: [] }, input())).rejects.toMatchObject({
    code: 'forbidden',
  })
})
