import { describe, expect, test } from 'vitest'
import { createClient, GapuraError, type ClientOptions } from '../src/index.ts'
import { json, problem, scripted } from './scripted_server.ts'

describe('createClient', () => {
  test.each([
    ['an address without a host', { baseUrl: '/pay' }, 'baseUrl'],
    ['an address with a query', { baseUrl: 'http://a.example/?a=1' }, 'baseUrl'],
    ['another protocol', { baseUrl: 'ftp://a.example' }, 'baseUrl'],
    ['a key and a token', { apiKey: 'a', token: () => 'b' }, 'not both'],
    ['a key with a blank', { apiKey: 'a b' }, 'apiKey'],
    ['a misspelt name', { timeout: 1 }, 'timeout'],
    ['a time that is none', { timeoutMs: Number.NaN }, 'timeoutMs'],
    ['fewer tries than none', { retries: -1 }, 'retries'],
  ])('refuses %s', (_, given, named) => {
    const options = { baseUrl: 'http://a.example', ...given } as ClientOptions
    expect(() => createClient(options)).toThrow(named)
  })

  test('takes an address with or without its last slash', async () => {
    const { baseUrl, received } = await scripted(json(200, { id: 'a' }))
    for (const one of [baseUrl, `${baseUrl}/`]) {
      await createClient({ baseUrl: one }).payments.get('a')
    }
    expect(received.map(({ url }) => url)).toEqual(['/pay/payments/a/', '/pay/payments/a/'])
  })
})

describe('ids and keys', () => {
  test('an id is one segment of the path, whatever is in it', async () => {
    const { baseUrl, received } = await scripted(json(200, { id: 'a' }))
    await createClient({ baseUrl }).payments.get('a/../b?c#d')
    expect(received[0]?.url).toBe('/pay/payments/a%2F..%2Fb%3Fc%23d/')
  })

  test.each(['', '.', '..'])('the id "%s" is refused: it would name another path', async (id) => {
    const { baseUrl, received } = await scripted(json(200, {}))
    const { payments } = createClient({ baseUrl })
    await expect(payments.cancel(id)).rejects.toThrow('an id')
    expect(received).toHaveLength(0)
  })

  test('a key that is no header is refused before anything is sent', async () => {
    const { baseUrl, received } = await scripted(json(200, {}))
    const { payments } = createClient({ baseUrl })
    await expect(payments.cancel('a', { idempotencyKey: 'a\nb' })).rejects.toThrow(TypeError)
    expect(received).toHaveLength(0)
  })
})

describe('errors', () => {
  test('carry everything the problem says', async () => {
    const { baseUrl } = await scripted(
      problem(400, 'invalid_request', {
        errors: [{ field: 'gross_amount', message: 'whole rupiah' }],
        payment_id: 'payment-1',
        gateway: { status_code: '411', status_message: 'Token expired' },
      }),
    )
    const error: unknown = await createClient({ baseUrl })
      .payments.cancel('a', { idempotencyKey: 'k' })
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(GapuraError)
    expect(Object.fromEntries(Object.entries(error as GapuraError))).toEqual({
      name: 'GapuraError',
      code: 'invalid_request',
      status: 400,
      title: 'A title',
      detail: 'What to do.',
      errors: [{ field: 'gross_amount', message: 'whole rupiah' }],
      gateway: { status_code: '411', status_message: 'Token expired' },
      requestId: 'request-1',
      paymentId: 'payment-1',
      retryable: false,
      retryAfterMs: undefined,
      definite: true,
      attempts: 1,
      idempotencyKey: 'k',
    })
    expect((error as GapuraError).message).toBe(
      'invalid_request: A title. What to do. gross_amount: whole rupiah.',
    )
  })
})

describe('lists', () => {
  const link = (cursor: string): string =>
    `/behind/a/proxy/payments/?status=pending&cursor=${cursor}`

  test('follow the cursor, on their own path and with their own filters', async () => {
    const { baseUrl, received } = await scripted(
      json(200, { results: [{ id: 'a' }, { id: 'b' }], next: link('c1'), previous: null }),
      json(200, { results: [{ id: 'c' }], next: null, previous: link('c0') }),
    )
    const ids: string[] = []
    const { payments } = createClient({ baseUrl })
    for await (const { id } of payments.list({ status: 'pending', page_size: 2 })) ids.push(id)
    expect(ids).toEqual(['a', 'b', 'c'])
    expect(received.map(({ url }) => url)).toEqual([
      '/pay/payments/?status=pending&page_size=2',
      '/pay/payments/?status=pending&page_size=2&cursor=c1',
    ])
  })

  test('request no page before its items are read', async () => {
    const { baseUrl, received } = await scripted(
      json(200, { results: [{ id: 'a' }], next: link('c1'), previous: null }),
    )
    for await (const { id } of createClient({ baseUrl }).payments.list()) {
      expect(id).toBe('a')
      break
    }
    expect(received).toHaveLength(1)
  })

  test('give one page at a time, if asked so', async () => {
    const { baseUrl, received } = await scripted(
      json(200, { results: [{ id: 'a' }], next: link('c1'), previous: link('c0') }),
    )
    const list = createClient({ baseUrl }).payments.list({ page_size: 1 })
    expect(await list.page()).toEqual({
      results: [{ id: 'a' }],
      nextCursor: 'c1',
      previousCursor: 'c0',
    })
    await list.page('c0')
    expect(received[1]?.url).toBe('/pay/payments/?page_size=1&cursor=c0')
  })

  test('stop at a cursor that repeats', async () => {
    const { baseUrl } = await scripted(
      json(200, { results: [{ id: 'a' }], next: link('same'), previous: null }),
    )
    const ids: string[] = []
    const all = async () => {
      for await (const { id } of createClient({ baseUrl }).payments.list()) ids.push(id)
    }
    await expect(all()).rejects.toThrow('same cursor twice')
    expect(ids).toEqual(['a', 'a'])
  })
})
