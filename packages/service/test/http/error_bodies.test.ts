import { request as httpRequest, createServer } from 'node:http'
import { Pool } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { createGapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { authenticate, listen, send, useHttp } from './http_bench.ts'

const http = useHttp()
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('bodies', () => {
  const faults: [string, string | Buffer, string][] = [
    ['not JSON', '{"payment_type":', 'not JSON'],
    ['two values', '{}{}', 'not JSON'],
    ['a name twice', '{"order_id":"a","order_id":"b"}', 'same name twice'],
    ['a name twice, one of them escaped', '{"a":{"id":1,"\\u0069d":2}}', 'same name twice'],
    ['__proto__', '{"metadata":{"__proto__":{"staff":true}}}', 'called __proto__'],
    ['constructor.prototype', '{"constructor":{"prototype":{"staff":true}}}', 'called prototype'],
    ['deeper than twenty', `{"metadata":${nested(20)}}`, 'deeper than 20'],
    ['a NUL', '{"order_id":"a\\u0000"}', 'NUL'],
    ['half a character', '{"order_id":"\\ud800"}', 'half a character'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'not UTF-8'],
  ]
  test.each(faults)('400 invalid_request: %s', async (_what, raw, message) => {
    for (const path of ['/charge/', '/notification/']) {
      const { status, body } = await http.post(path, { raw })
      expect([status, body['code']]).toEqual([400, 'invalid_request'])
      expect(body['errors']).toEqual([{ field: 'body', message: expect.stringContaining(message) }])
    }
  })

  test('201 with names that only look alike, and nesting of twenty', async () => {
    const metadata = { a: [{ id: 1 }, { id: 2 }], b: { id: '"id":' }, c: JSON.parse(nested(17)) }
    const body = await http.chargeOf('qris', { metadata })
    expect(await http.post('/charge/', { body })).toMatchObject({ status: 201, body: { metadata } })
  })

  test('413 payload_too_large: past 64 KiB, said or not', async () => {
    const raw = JSON.stringify({ metadata: 'x'.repeat(65_536) })
    expect(await http.post('/charge/', { raw })).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    })
    const chunked = await fetch(`${http.parts.url}/notification/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([raw]).stream(),
      duplex: 'half',
    })
    expect(chunked.status).toBe(413)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    '415 unsupported_media_type: %s',
    async (type) => {
      const headers = { 'content-type': type }
      expect(await http.post('/charge/', { raw: '{}', headers })).toMatchObject({
        status: 415,
        body: { code: 'unsupported_media_type' },
      })
    },
  )
})

describe('request ids', () => {
  test('200 with the id it came with, in header and body', async () => {
    const headers = { 'x-request-id': 'trace:abc/1' }
    const answer = await http.get('/payments/?page_size=0', { headers })
    expect(answer.headers.get('x-request-id')).toBe('trace:abc/1')
    expect(answer.body['request_id']).toBe('trace:abc/1')
  })

  test.each(['a b', '<script>', 'x'.repeat(101)])('a new one in place of %j', async (given) => {
    const answer = await http.get('/nowhere', { headers: { 'x-request-id': given } })
    expect(answer.body['request_id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers.get('x-request-id')).toBe(answer.body['request_id'])
  })
})

describe('paths', () => {
  test.each(['/payments/%E0%A4%A/', '/payments//', '/%00', `/payments/${'x'.repeat(300)}/`])(
    '404 not_found: %s',
    async (path) => {
      const { hostname, port } = new URL(http.parts.url)
      const status = await new Promise((resolve, reject) => {
        const headers = { 'x-caller': 'ani' }
        httpRequest({ hostname, port, path: `/api/pay${path}`, headers }, (reply) => {
          reply.resume()
          resolve([reply.statusCode, reply.headers['content-type']])
        })
          .on('error', reject)
          .end()
      })
      expect(status).toEqual([404, 'application/problem+json; charset=utf-8'])
    },
  )
})

async function serving(options: Partial<GapuraOptions>): Promise<string> {
  const { server_key, url: base_url } = http.parts.simulator
  const gapura = createGapura({
    schema: http.database.db.schema,
    gateway: { server_key, base_url },
    authenticate,
    ...options,
  })
  const server = createServer((request, response) => gapura.nodeHandler(request, response))
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
    await gapura.close()
  })
  return await listen(server)
}

describe('the database is away', () => {
  const away = 'postgres://absent@127.0.0.1:1/none'

  test('503 store_unavailable with Retry-After; 429 to the webhook', async () => {
    const base = await serving({ databaseUrl: away })
    const charge = await send('POST', `${base}/charge/`, { body: await http.chargeOf('qris') })
    expect(charge).toMatchObject({ status: 503, body: { code: 'store_unavailable' } })
    expect(charge.headers.get('retry-after')).toBe('5')
    const notice = await send('POST', `${base}/notification/`, { body: { a: 1 }, as: '' })
    expect(notice).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(notice.headers.get('retry-after')).toBe('5')
  })

  test('503 when the pool of the host was closed under us', async () => {
    const pool = new Pool({ connectionString: DATABASE_URL })
    const base = await serving({ pool })
    expect((await send('GET', `${base}/payments/`)).status).toBe(200)
    await pool.end()
    expect((await send('GET', `${base}/payments/`)).body['code']).toBe('store_unavailable')
  })

  test('503 from the first request on a database of the other environment', async () => {
    expect((await http.get('/payments/')).status).toBe(200)
    const { server_key, url: base_url } = http.parts.simulator
    const gateway = { server_key, base_url, is_production: true }
    const base = await serving({ databaseUrl: DATABASE_URL, gateway })
    expect((await send('GET', `${base}/payments/`)).status).toBe(503)
  })

  test('503 store_unavailable before migrations: the remedy, no SQL, no stack, the id of the log entry', async () => {
    const log: object[] = []
    const note = (fields: object) => void log.push(fields)
    const logger = { info: () => undefined, warn: note, error: note }
    const base = await serving({ databaseUrl: DATABASE_URL, schema: 'not_there', logger })
    const answer = await send('GET', `${base}/payments/`)
    expect(answer).toMatchObject({ status: 503, body: { code: 'store_unavailable' } })
    expect(answer.body['detail']).toMatch(/^Run gapura migrate/)
    expect(answer.text).not.toMatch(/not_there|relation|select|\.ts|at /)
    const line = { request_id: answer.body['request_id'], code: 'store_unavailable' }
    expect(log).toMatchObject([line])
    expect(JSON.stringify(log)).toContain('The schema not_there has no tables')
    expect((await send('POST', `${base}/notification/`, { body: {}, as: '' })).status).toBe(429)
  })
})

describe('the gateway is away', () => {
  test('503 gateway_unavailable: nothing was sent, with Retry-After', async () => {
    const base = await serving({
      databaseUrl: DATABASE_URL,
      gateway: { server_key: 'key', base_url: 'http://127.0.0.1:1' },
    })
    const answer = await send('POST', `${base}/charge/`, { body: await http.chargeOf('qris') })
    expect(answer).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } })
    expect(answer.headers.has('retry-after')).toBe(true)
  })
})

describe('callers', () => {
  test.each([
    ['scopes that are no list', { owner_id: 'x', staff: false, scopes: 'payments:write' }],
    ['an unknown scope', { owner_id: 'x', staff: false, scopes: ['all'] }],
    ['no owner', { owner_id: '', staff: false, scopes: [] }],
  ])('500 internal_error: a host that names a caller with %s', async (_what, caller) => {
    const base = await serving({
      databaseUrl: DATABASE_URL,
      authenticate: () => caller as unknown as ReturnType<typeof authenticate>,
    })
    expect((await send('GET', `${base}/payments/`)).status).toBe(500)
  })

  test('200 with what the host put on its own request', async () => {
    const base = await serving({
      databaseUrl: DATABASE_URL,
      authenticate: ({ native, method, url }) => ({
        owner_id: `${method} ${url} ${(native as { httpVersion: string }).httpVersion}`,
        staff: false,
        scopes: ['payments:write'],
      }),
    })
    await send('POST', `${base}/charge/?a=1`, { body: await http.chargeOf('qris') })
    const owners = await http.database.sql('select distinct owner_id from gapura.gateway_payment')
    expect(owners).toContainEqual({ owner_id: 'POST /charge/?a=1 1.1' })
  })
})

test('no log line has a secret or a body in it', async () => {
  await http.charged('credit_card')
  const text = JSON.stringify(http.log)
  expect(http.log.length).toBeGreaterThan(0)
  expect(text).not.toContain(http.parts.simulator.server_key)
  expect(text).not.toMatch(/token_id|signature_key|ani@example/)
})
