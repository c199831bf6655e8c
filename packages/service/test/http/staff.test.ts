// The routes of staff over HTTP (ADR 0020): who finds them, what they answer, and that all of it
// fits the document the SDK is made from.
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { ME } from '../../src/http/staff/desk.ts'
import * as shapes from '../../src/http/staff/payment_schemas.ts'
import { SEARCHED } from '../../src/http/staff/search.ts'
import { REFUNDED } from '../../src/http/payment_schemas.ts'
import { useHttp, type Json } from './http_bench.ts'

const http = useHttp()
const AS = { as: 'clerk' } as const

const faultsOf = (schema: TSchema, value: unknown) => [...Compile(schema).Errors(value)]
const rowsOf = (body: Json): Json[] => body['results'] as Json[]

describe('who finds them', () => {
  test('404 for a caller who is not staff, byte for byte that of no route at all', async () => {
    const { id } = await http.charged()
    const paths = ['/staff/me/', '/staff/payments/', `/staff/payments/${id}/`, '/staff/search/?q=a']
    const headers = { 'x-request-id': 'same' }
    for (const path of paths) {
      const missing = await http.get(path.replace('/staff/', '/nowhere/'), { headers })
      const hidden = await http.get(path, { headers })
      expect([path, hidden.status, hidden.text]).toEqual([path, 404, missing.text])
      const named = (one: typeof hidden) => [...one.headers.keys()].sort()
      expect(named(hidden)).toEqual(named(missing))
    }
    const posted = await http.post(`/staff/payments/${id}/cancel/`, { headers, body: {} })
    const nowhere = await http.post(`/nowhere/payments/${id}/cancel/`, { headers, body: {} })
    expect([posted.status, posted.text]).toEqual([404, nowhere.text])
  })

  test('401 without credentials, 403 for staff without the scope', async () => {
    expect((await http.get('/staff/payments/', { as: '' })).status).toBe(401)
    const bare = await http.get('/staff/payments/', { as: 'bare' })
    expect([bare.status, bare.body['detail']]).toEqual([
      403,
      'Use a key that has the scope staff:read.',
    ])
  })
})

describe('GET /staff/me/', () => {
  test('200 says whose key it is', async () => {
    const { body } = await http.get('/staff/me/', AS)
    expect(faultsOf(ME, body)).toEqual([])
    expect(body).toMatchObject({ owner_id: 'desk', environment: 'sandbox' })
  })
})

describe('GET /staff/payments/', () => {
  test("200 every owner's, in four orders, and back again", async () => {
    const prices = [40_000, 10_000, 30_000, 20_000]
    const owners = ['ani', 'budi', 'ani', 'budi']
    const email = `${http.fresh('sorted')}@example.com`
    for (const [at, price] of prices.entries()) {
      const input = await http.chargeOf('gopay', {
        order_id: http.fresh('sort'),
        gross_amount: price,
        item_details: [{ id: 'a', name: 'a', price, quantity: 1 }],
        customer_details: { first_name: 'Sari', email },
      })
      await http.post('/charge/', { body: input, as: owners[at] ?? '' })
    }
    const listed = async (sort: string) => {
      const amounts: unknown[] = []
      let path: string | null = `/staff/payments/?customer_email=${email}&sort=${sort}&page_size=3`
      while (path !== null) {
        const { body }: { body: Json } = await http.get(path, AS)
        expect(faultsOf(shapes.STAFF_PAYMENT_PAGE, body)).toEqual([])
        amounts.push(...rowsOf(body).map((row) => Number(row['gross_amount'])))
        path = (body['next'] as string | null)?.replace(/^.*(?=\/staff)/, '') ?? null
      }
      return amounts
    }
    expect(await listed('newest')).toEqual([...prices].reverse())
    expect(await listed('oldest')).toEqual(prices)
    expect(await listed('highest')).toEqual([40_000, 30_000, 20_000, 10_000])
    expect(await listed('lowest')).toEqual([10_000, 20_000, 30_000, 40_000])
    const first = await http.get(
      `/staff/payments/?customer_email=${email}&sort=lowest&page_size=2`,
      AS,
    )
    const after = (link: unknown) => String(link).replace(/^.*(?=\/staff)/, '')
    const second = await http.get(after(first.body['next']), AS)
    const back = await http.get(after(second.body['previous']), AS)
    expect(rowsOf(back.body)).toEqual(rowsOf(first.body))
  })

  test('400 for what it does not know: a filter, a cursor of another list, an amount', async () => {
    for (const query of ['colour=red', 'cursor=abc', 'gross_amount=many', 'created_from=today']) {
      expect((await http.get(`/staff/payments/?${query}`, AS)).status).toBe(400)
    }
  })
})

describe('GET /staff/payments/export/', () => {
  test('200 exactly what the filters list, and nothing a spreadsheet would run', async () => {
    const email = `${http.fresh('export')}@example.com`
    const evil = { first_name: '=HYPERLINK("http://evil")', last_name: 'a "b", c', email }
    for (const phone of ['+6281111', '0812']) {
      const input = await http.chargeOf('gopay', {
        order_id: http.fresh('export'),
        customer_details: { ...evil, phone },
      })
      await http.post('/charge/', { body: input })
    }
    const query = `customer_email=${email}&sort=oldest`
    const reply = await fetch(`${http.parts.url}/staff/payments/export/?${query}`, {
      headers: { 'x-caller': 'clerk' },
    })
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="payments-/)
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const lines = bytes.subarray(3).toString().trimEnd().split('\r\n')
    const listed = rowsOf((await http.get(`/staff/payments/?${query}`, AS)).body)
    expect(lines).toHaveLength(1 + listed.length)
    for (const [at, line] of lines.slice(1).entries()) {
      expect(line).toContain(
        `"${String(listed[at]?.['id'])}","${String(listed[at]?.['order_id'])}"`,
      )
      expect(line).toContain('"\'=HYPERLINK(""http://evil"") a ""b"", c"')
      expect(line).toContain(`"150000.00"`)
      expect(line).toMatch(/"\d{4}-\d\d-\d\dT[\d:.]+\+07:00"/)
    }
    expect(lines[1]).toContain(`"'+6281111"`)
    expect(lines[2]).toContain('"0812"')
  })

  test('400 for a filter it does not know, 404 for who is not staff', async () => {
    expect((await http.get('/staff/payments/export/?page_size=3', AS)).status).toBe(400)
    expect((await http.get('/staff/payments/export/')).status).toBe(404)
  })
})

describe('GET /staff/search/', () => {
  const found = async (term: unknown) => {
    const { body } = await http.get(`/staff/search/?q=${encodeURIComponent(String(term))}`, AS)
    expect(faultsOf(SEARCHED, body)).toEqual([])
    const matches = body['matches'] as (Json & { results: Json[] })[]
    return matches.map(({ kind, results }) => ({ kind, ids: results.map(({ id }) => id) }))
  }

  test('200 by every kind of term', async () => {
    const va = await http.charged('bank_transfer')
    const bill = await http.charged('echannel')
    const store = await http.charged('cstore')
    expect(await found(va.id)).toContainEqual({ kind: 'id', ids: [va.id] })
    expect(await found(va['order_id'])).toContainEqual({ kind: 'order_id', ids: [va.id] })
    expect(await found(va['transaction_id'])).toContainEqual({
      kind: 'transaction_id',
      ids: [va.id],
    })
    expect(await found(va['va_number'])).toContainEqual({ kind: 'va_number', ids: [va.id] })
    expect(await found(bill['bill_key'])).toContainEqual({ kind: 'bill_key', ids: [bill.id] })
    expect(await found(store['payment_code'])).toContainEqual({
      kind: 'payment_code',
      ids: [store.id],
    })
    const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
    for (const [term, kind] of [
      [String(va['customer_email']).toUpperCase(), 'customer_email'],
      [Number(va['gross_amount']).toLocaleString('id-ID'), 'gross_amount'],
      [today, 'created_on'],
    ]) {
      expect((await found(term)).map((match) => match.kind)).toEqual([kind])
    }
    expect(await found('nothing-of-the-kind')).toEqual([])
  })
})

describe('GET /staff/payments/{pk}/', () => {
  test('200 with its history, why it is so and what can be done', async () => {
    const { id } = await http.settled('gopay')
    const { status, body } = await http.get(`/staff/payments/${id}/`, AS)
    expect(status).toBe(200)
    expect(faultsOf(shapes.STAFF_PAYMENT, body)).toEqual([])
    expect(body).toMatchObject({
      owner_id: 'ani',
      why: { code: 'settled' },
      refund: { allowed: true, partial: true },
      actions: expect.arrayContaining([
        expect.objectContaining({
          name: 'cancel',
          allowed: false,
          refusal: 'payment_in_final_state',
        }),
      ]),
    })
    expect((body['transitions'] as Json[]).map((one) => one['to_status'])).toEqual([
      'initiated',
      'pending',
      'settlement',
    ])
  })

  test('every look of staff is kept, with who and which request', async () => {
    const { id } = await http.charged()
    const headers = { 'x-request-id': 'look-1' }
    await http.get(`/staff/payments/${id}/`, { ...AS, headers })
    await http.get(`/staff/payments/${id}/pulse/`, AS)
    const { body } = await http.get(`/staff/payments/${id}/`, AS)
    expect(body['acts']).toMatchObject([
      { actor: 'desk', action: 'payment.read', request_id: 'look-1' },
    ])
    const email = 'ani@example.com'
    await http.get(`/staff/payments/?customer_email=${email}`, AS)
    await http.get(`/staff/search/?q=${email}`, AS)
    await fetch(`${http.parts.url}/staff/payments/export/?customer_email=${email}`, {
      headers: { 'x-caller': 'clerk' },
    })
    const kept = await http.database.sql(
      `select action, detail from gapura.audit_unsealed where subject_id = '-'`,
    )
    expect(kept.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['payment.list', 'payment.search', 'payment.export']),
    )
    expect(JSON.stringify(kept)).not.toContain(email)
  })

  test('404 for a payment that is not there', async () => {
    const gone = '0199a1b2-1111-7222-8333-444455556666'
    expect((await http.get(`/staff/payments/${gone}/`, AS)).status).toBe(404)
    expect((await http.get('/staff/payments/x/', AS)).status).toBe(404)
  })
})

describe('what staff do', () => {
  test("200 refunds part of another's payment, and the page says so", async () => {
    const { id } = await http.settled('gopay')
    const body = { amount: 1_000, reason: 'one cup was cold' }
    const refunded = await http.post(`/staff/payments/${id}/refund/`, { ...AS, body })
    expect(refunded.status).toBe(200)
    expect(faultsOf(REFUNDED, refunded.body)).toEqual([])
    const { body: detail } = await http.get(`/staff/payments/${id}/`, AS)
    expect(detail).toMatchObject({ why: { code: 'refunded_in_part' } })
    expect((detail['acts'] as Json[])[0]).toMatchObject({
      actor: 'desk',
      actor_kind: 'staff',
      action: 'payment.refund',
      reason: 'one cup was cold',
      request_id: refunded.headers.get('x-request-id'),
    })
  })

  test('200 cancels, expires, refreshes; 400 where the rules say no', async () => {
    const first = await http.charged()
    const second = await http.charged()
    const body = { reason: 'ordered twice' }
    const cancelled = await http.post(`/staff/payments/${first.id}/cancel/`, { ...AS, body })
    expect([cancelled.status, cancelled.body['transaction_status']]).toEqual([200, 'cancel'])
    const again = await http.post(`/staff/payments/${first.id}/cancel/`, { ...AS, body })
    expect([again.status, again.body['code']]).toEqual([400, 'payment_in_final_state'])
    const expired = await http.post(`/staff/payments/${second.id}/expire/`, { ...AS, body })
    expect([expired.status, expired.body['transaction_status']]).toEqual([200, 'expire'])
    const refreshed = await http.post(`/staff/payments/${second.id}/refresh/`, AS)
    expect([refreshed.status, refreshed.body['transaction_status']]).toEqual([200, 'expire'])
    const { body: detail } = await http.get(`/staff/payments/${first.id}/`, AS)
    const acts = detail['acts'] as Json[]
    expect(acts).toContainEqual(
      expect.objectContaining({ action: 'payment.cancel', reason: 'ordered twice' }),
    )
    const review = await http.post(`/staff/payments/${second.id}/approve/`, { ...AS, body })
    expect([review.status, review.body['code']]).toEqual([400, 'payment_not_in_review'])
  })

  test('200 writes a note; sent twice under one key it is one note', async () => {
    const { id } = await http.charged()
    const sent = { ...AS, body: { text: ' called the customer ' }, key: http.fresh('note') }
    const first = await http.post(`/staff/payments/${id}/notes/`, sent)
    expect(faultsOf(shapes.STAFF_NOTE, first.body)).toEqual([])
    await http.post(`/staff/payments/${id}/notes/`, sent)
    await http.post(`/staff/payments/${id}/notes/`, { ...AS, body: { text: 'the customer paid' } })
    const { body } = await http.get(`/staff/payments/${id}/`, AS)
    expect((body['notes'] as Json[]).map(({ author, text }) => [author, text])).toEqual([
      ['desk', 'called the customer'],
      ['desk', 'the customer paid'],
    ])
  })

  test('400 for a note that says nothing or holds a secret, 404 for no payment', async () => {
    const { id } = await http.charged()
    const post = async (text: string) =>
      (await http.post(`/staff/payments/${id}/notes/`, { ...AS, body: { text } })).status
    expect(await post('  ')).toBe(400)
    expect(await post('card 4811 1111 1111 1114')).toBe(400)
    const gone = '0199a1b2-1111-7222-8333-444455556666'
    const body = { text: 'x' }
    expect((await http.post(`/staff/payments/${gone}/notes/`, { ...AS, body })).status).toBe(404)
  })
})
