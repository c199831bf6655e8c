import { describe, expect, test } from 'vitest'
import { useHttp, type Json } from './http_bench.ts'

const cursorAt = (time: string): string =>
  Buffer.from(`older ${time} 01890000-0000-7000-8000-000000000000`).toString('base64url')

const http = useHttp()
const idsOf = (body: Json): string[] => (body['results'] as { id: string }[]).map(({ id }) => id)
const missing = '01890000-0000-7000-8000-000000000000'

describe('GET /payments/', () => {
  test('200 newest first, in the reduced form', async () => {
    const older = await http.charged('qris')
    const newer = await http.charged('gopay')
    const { status, body } = await http.get('/payments/')
    expect(status).toBe(200)
    expect(idsOf(body).slice(0, 2)).toEqual([newer.id, older.id])
    const [first] = body['results'] as Json[]
    expect(Object.keys(first ?? {})).toEqual([
      'id',
      'order_id',
      'payment_type',
      'gross_amount',
      'transaction_status',
      'customer_email',
      'is_paid',
      'created_at',
    ])
  })

  test('200 page by page there and back, each payment once', async () => {
    for (let made = 0; made < 5; made++) await http.charged('cstore')
    const seen: string[][] = []
    const walk = async (way: 'next' | 'previous', from: string) => {
      for (let path: string | null = from; path !== null;) {
        const { body } = await http.get(path.replace('/api/pay', ''))
        seen.push(idsOf(body))
        path = body[way] as string | null
        if (way === 'next' && path === null) return body['previous'] as string
      }
      return ''
    }
    const back = await walk('next', '/payments/?payment_type=cstore&page_size=2')
    const there = seen.splice(0)
    expect(there.map((page) => page.length)).toEqual([2, 2, 1])
    expect(new Set(there.flat()).size).toBe(5)
    await walk('previous', back)
    expect(seen.flat()).toEqual([...(there[1] ?? []), ...(there[0] ?? [])].flatMap((id) => id))
  })

  test('200 by each filter', async () => {
    const email = 'Siti@Example.com'
    const { id, order_id } = await http.charged('akulaku', {
      customer_details: { first_name: 'Siti', email, phone: '0811' },
    })
    const found = async (query: Record<string, string>) =>
      idsOf((await http.get(`/payments/?${new URLSearchParams(query).toString()}`)).body)
    expect(await found({ payment_type: 'akulaku' })).toEqual([id])
    expect(await found({ order_id: String(order_id) })).toEqual([id])
    expect(await found({ customer_email: 'siti@example.com' })).toEqual([id])
    expect(await found({ customer_email: email, status: 'pending' })).toEqual([id])
    expect(await found({ customer_email: email, status: 'settlement' })).toEqual([])
    const now = (await http.get(`/payments/${id}/`)).body['created_at'] as string
    expect(await found({ created_from: now })).toContain(id)
    expect(await found({ created_before: now })).not.toContain(id)
    expect(await found({ created_from: '2026-01-01T00:00:00+07:00' })).toContain(id)
  })

  test('200 with what is the caller’s own; staff see everybody’s', async () => {
    const { id } = await http.charged()
    expect(idsOf((await http.get('/payments/', { as: 'budi' })).body)).toEqual([])
    expect(idsOf((await http.get('/payments/', { as: 'staff' })).body)).toContain(id)
    expect(idsOf((await http.get('/payments/', { as: 'payer' })).body)).toContain(id)
  })

  test.each([
    ['stauts=pending', 'stauts'],
    ['status=paid', 'status'],
    ['status=pending&status=deny', 'status'],
    ['payment_type=', 'payment_type'],
    ['page_size=0', 'page_size'],
    ['page_size=101', 'page_size'],
    ['page_size=ten', 'page_size'],
    ['created_from=2026-01-01', 'created_from'],
    ['created_before=2026-13-01T00:00:00Z', 'created_before'],
    ['cursor=bm9uc2Vuc2U', 'cursor'],
    // Moments that our own language can write and the database cannot read.
    ...[
      '-271821-04-20T00:00:00.000Z',
      '+275760-09-13T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
    ].map((time): [string, string] => [`cursor=${cursorAt(time)}`, 'cursor']),
    ['created_from=0000-01-01T00:00:00Z', 'created_from'],
    ['created_before=2026-02-30T00:00:00Z', 'created_before'],
    ['order_id=%00', 'body'],
  ])('400 invalid_request: ?%s', async (query, field) => {
    const { status, body } = await http.get(`/payments/?${query}`)
    expect(status).toBe(400)
    expect(body['code']).toBe('invalid_request')
    expect((body['errors'] as { field: string }[])[0]?.field).toContain(field)
  })

  test('401 without a caller', async () => {
    expect((await http.get('/payments/', { as: '' })).status).toBe(401)
    expect((await http.get('/payments/', { as: 'mallory' })).status).toBe(401)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('405 for %s', async (method) => {
    const reply = await fetch(`${http.parts.url}/payments/`, { method, body: null })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('GET /payments/{pk}/', () => {
  test('200 with the full payment, the same as the charge answered', async () => {
    const charged = await http.quietly(async () => await http.charged())
    const { status, body } = await http.get(`/payments/${charged.id}/`)
    expect(status).toBe(200)
    expect(body).toEqual(charged)
  })

  test('200 for staff; 200 without the slash; HEAD has no body', async () => {
    const { id } = await http.charged()
    expect((await http.get(`/payments/${id}`, { as: 'staff' })).status).toBe(200)
    const head = await fetch(`${http.parts.url}/payments/${id}/`, {
      method: 'HEAD',
      headers: { 'x-caller': 'ani' },
    })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test("404 another owner's payment, byte-identical to a missing one but for request_id", async () => {
    const { id } = await http.charged()
    const headers = { 'x-request-id': 'same' }
    const theirs = await http.get(`/payments/${id}/`, { as: 'budi', headers })
    const none = await http.get(`/payments/${missing}/`, { as: 'budi', headers })
    const odd = await http.get('/payments/robert/', { as: 'budi', headers })
    expect(theirs.status).toBe(404)
    expect(theirs.text).toBe(none.text)
    expect(theirs.text).toBe(odd.text)
    const names = ({ headers: sent }: { headers: Headers }) =>
      [...sent].filter(([name]) => name !== 'date')
    expect(names(theirs)).toEqual(names(none))
  })

  test('401 without a caller', async () => {
    expect((await http.get(`/payments/${missing}/`, { as: '' })).status).toBe(401)
  })
})

describe('GET /payments/{pk}/check_status/', () => {
  test('200 with the payment after it, and the raw answer without its signature', async () => {
    const { id, order_id } = await http.charged('gopay')
    await http.control('faults', { effect: 'muted', match: { transaction_status: 'settlement' } })
    await http.control(`transactions/${String(order_id)}/pay`)
    const { status, body, text } = await http.get(`/payments/${id}/check_status/`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      payment: { id, transaction_status: 'settlement', is_paid: true },
      gateway_response: { order_id, transaction_status: 'settlement' },
    })
    expect(text).not.toContain('signature_key')
    expect((await http.get(`/payments/${id}/`)).body).toEqual(body['payment'])
  })

  test("404 another owner's payment, and the gateway is not asked", async () => {
    const { id } = await http.charged()
    const { status } = await http.get(`/payments/${id}/check_status/`, { as: 'budi' })
    expect(status).toBe(404)
  })

  test('502 gateway_failed, 502 gateway_authentication_failed, 503 gateway_rate_limited', async () => {
    const { id } = await http.charged()
    const check = async (http_status: number) => {
      await http.strike('get_status', 'status', { options: { http_status }, times: 9 })
      const answer = await http.get(`/payments/${id}/check_status/`)
      await http.calm()
      return [answer.status, answer.body['code'], answer.headers.has('retry-after')]
    }
    expect(await check(401)).toEqual([502, 'gateway_authentication_failed', false])
    expect(await check(503)).toEqual([502, 'gateway_failed', false])
    expect(await check(429)).toEqual([503, 'gateway_rate_limited', true])
  })
})
