// A host that authenticates its staff by a cookie: which pages may send changes with it.
import Fastify from 'fastify'
import { createServer, request as nodeRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { createGapura, type Gapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { listen, useHttp, type Json } from '../http/http_bench.ts'

const staff: Caller = { owner_id: 'eka', staff: true, scopes: SCOPES }
const SHOP = 'https://shop.example'
const http = useHttp({ refunds: { second_person_above: 50_000 }, authenticate: byCookie })

/** As a host's session does; the bearer is for callers without one. */
function byCookie({ headers }: { headers: Record<string, unknown> }): Caller | null {
  if (headers['cookie'] === 'session=eka') return staff
  if (headers['x-caller'] === 'ani') return { owner_id: 'ani', staff: false, scopes: SCOPES }
  return headers['authorization'] === 'Bearer eka' ? staff : null
}

interface Answer {
  status: number
  body: Json
}

type Headers = Record<string, string>

/** By Node's own client: `fetch` may not set headers that only a browser sets. */
const ask = async (url: string, headers: Headers, method = 'POST', body = ''): Promise<Answer> =>
  await new Promise((resolve, reject) => {
    const sent = nodeRequest(url, { method, headers }, (reply) => {
      let text = ''
      reply.on('data', (chunk: Buffer) => (text += chunk.toString()))
      reply.on('end', () => {
        const json = String(reply.headers['content-type']).includes('json')
        resolve({ status: reply.statusCode ?? 0, body: json ? (JSON.parse(text) as Json) : {} })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })

const COOKIE = { cookie: 'session=eka' }
const EVIL = 'https://evil.example'
const url = (path: string): string => `${http.parts.url}${path}`
const own = (): string => new URL(http.parts.url).origin

/** A refund that waits for a second staff member. */
async function heldRefund(): Promise<string> {
  const { id } = await http.settled()
  const held = await http.post(`/payments/${id}/refund/`, { body: { amount: 60_000 } })
  return /request ([0-9a-f-]{36})/.exec(held.text)?.[1] ?? ''
}

const approveThis = async (id: string, headers: Headers): Promise<Answer> =>
  await ask(
    url(`/staff/refund_requests/${id}/approve/`),
    { ...headers, 'content-type': 'application/json' },
    'POST',
    '{"reason":"checked"}',
  )

const approve = async (headers: Headers): Promise<Answer> =>
  await approveThis(await heldRefund(), headers)

const REFUSED = { status: 403, body: { code: 'cross_site_request', status: 403 } }

describe('a POST with the cookie of a staff member', () => {
  test.each([
    ['a page of another site', { origin: EVIL, 'sec-fetch-site': 'cross-site' }],
    ['a page of another site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a sibling domain', { 'sec-fetch-site': 'same-site' }],
    ['an older browser on another site', { origin: EVIL }],
    ['a sandboxed frame', { origin: 'null' }],
    ['another port of the same host', { origin: 'http://127.0.0.1:1' }],
  ])('403 from %s, and nothing is refunded', async (_who, headers) => {
    const id = await heldRefund()
    const reply = await approveThis(id, { ...COOKIE, ...headers })
    expect(reply).toMatchObject(REFUSED)
    expect(String(reply.body['detail'])).toContain('GAPURA_ALLOWED_ORIGINS')
    const [row] = await http.database.sql('select state from gapura.refund_request where id = $1', [
      id,
    ])
    expect(row).toEqual({ state: 'held' })
  })

  test('200 from a page of the same origin, from the address bar, and without any such header', async () => {
    for (const headers of [
      { origin: own(), 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { origin: own() },
      {},
    ]) {
      expect(await approve({ ...COOKIE, ...headers })).toMatchObject({ status: 200 })
    }
  })

  test('GET is accepted from any origin', async () => {
    const headers = { ...COOKIE, origin: EVIL, 'sec-fetch-site': 'cross-site' }
    expect((await ask(url('/staff/me/'), headers, 'GET')).status).toBe(200)
  })

  test('a forwarded host is ignored without trusted proxies', async () => {
    const headers = { ...COOKIE, origin: EVIL, 'x-forwarded-host': 'evil.example' }
    expect(await approve(headers)).toMatchObject(REFUSED)
  })
})

describe('credentials', () => {
  const cross = { origin: EVIL, 'sec-fetch-site': 'cross-site' }

  test('200 with a bearer from any page, because a page cannot add it without a preflight', async () => {
    expect((await approve({ ...cross, authorization: 'Bearer eka' })).status).toBe(200)
  })

  test('403 with credentials that browsers add by themselves', async () => {
    const headers = { ...COOKIE, ...cross, authorization: 'Basic ZWthOmVrYQ==' }
    expect(await approve(headers)).toMatchObject(REFUSED)
  })

  test('403 before the caller is looked up', async () => {
    expect(await approve(cross)).toMatchObject(REFUSED)
  })
})

test('200 at the notification endpoint, whatever headers the gateway sends', async () => {
  const fields = { order_id: 'elsewhere', status_code: '200', gross_amount: '10000.00' }
  const signature_key = signNotification(fields, http.parts.simulator.server_key)
  const body = JSON.stringify({ ...fields, transaction_status: 'settlement', signature_key })
  const headers = { origin: EVIL, 'sec-fetch-site': 'cross-site' }
  const sent = { ...headers, 'content-type': 'application/json' }
  expect((await ask(url('/notification/'), sent, 'POST', body)).status).toBe(200)
})

test('200 for a change that the dashboard sends, as a browser sends it', async () => {
  const { id } = await http.charged()
  const headers = {
    ...COOKIE,
    origin: own(),
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ text: 'asked the shop' })
  const noted = await ask(url(`/staff/payments/${id}/notes/`), headers, 'POST', body)
  expect(noted).toMatchObject({ status: 200, body: { text: 'asked the shop' } })
})

describe('settings', () => {
  const closing: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closing) await close()
  })
  const options = (more: Partial<GapuraOptions>): GapuraOptions => {
    const { url: base_url, server_key } = http.parts.simulator
    const { schema } = http.database.db
    const gateway = { server_key, base_url }
    return { databaseUrl: DATABASE_URL, schema, gateway, authenticate: byCookie, ...more }
  }
  const another = (more: Partial<GapuraOptions>): Gapura => {
    const gapura = createGapura(options(more))
    closing.push(async () => await gapura.close())
    return gapura
  }
  const notThere = '/staff/alarms/019a8a6e-7c1f-7d7e-9d55-0a2f6b1f9f10/take/'
  let base = ''
  beforeAll(async () => {
    const gapura = another({ allowed_origins: [SHOP], limits: { trusted_proxies: 1 } })
    const server = createServer((request, response) => gapura.nodeHandler(request, response))
    base = await listen(server)
    closing.unshift(async () => {
      server.closeAllConnections()
      server.close()
    })
  })

  test('an allowed origin is accepted, and no other', async () => {
    const from = async (headers: Headers) =>
      (await ask(`${base}${notThere}`, { ...COOKIE, ...headers })).status
    expect(await from({ origin: SHOP, 'sec-fetch-site': 'cross-site' })).toBe(404)
    expect(await from({ origin: SHOP })).toBe(404)
    expect(await from({ origin: `${SHOP}:8443` })).toBe(403)
    expect(await from({ origin: 'http://shop.example' })).toBe(403)
    expect(await from({ origin: 'https://a.shop.example' })).toBe(403)
  })

  test('behind a trusted proxy the forwarded host is our own', async () => {
    const from = async (headers: Headers) =>
      (await ask(`${base}${notThere}`, { ...COOKIE, ...headers })).status
    const origin = 'https://pay.example'
    expect(await from({ origin, 'x-forwarded-host': 'pay.example' })).toBe(404)
    expect(await from({ origin, 'x-forwarded-host': 'pay.example:443' })).toBe(404)
    expect(await from({ origin, 'x-forwarded-host': 'pay.example, other.example' })).toBe(403)
    expect(await from({ origin })).toBe(403)
  })

  test('a standard Request follows the same rule, by the host of its URL', async () => {
    const { fetchHandler } = another({})
    const from = async (origin: string) => {
      const headers = { ...COOKIE, origin }
      const sent = new Request(`https://pay.example${notThere}`, { method: 'POST', headers })
      return (await fetchHandler(sent)).status
    }
    expect(await from('https://pay.example')).toBe(404)
    expect(await from(EVIL)).toBe(403)
  })

  test('the rule holds in a Fastify of the host too', async () => {
    const app = Fastify()
    app.register(another({}).plugin, { prefix: '/pay' })
    closing.unshift(async () => await app.close())
    const from = async (site: string) => {
      const headers = { ...COOKIE, 'sec-fetch-site': site }
      return (await app.inject({ method: 'POST', url: `/pay${notThere}`, headers })).statusCode
    }
    expect([await from('same-origin'), await from('cross-site')]).toEqual([404, 403])
  })

  test('an invalid origin is refused when the service starts', () => {
    for (const origin of ['shop.example', `${SHOP}/`, `${SHOP}/pay`, 'null', '*']) {
      expect(() => createGapura(options({ allowed_origins: [origin] }))).toThrow(TypeError)
    }
  })
})
