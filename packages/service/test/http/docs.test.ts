// The interface document and its page over HTTP (api-rules.md#authentication, ADR 0023): who gets
// what, and that the page asks for nothing outside the prefix it is served under.
import { createServer, type Server } from 'node:http'
import Fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { addDocs } from '../../src/http/platform/docs.ts'
import { ROUTES } from '../../src/main/routes.ts'
import { createGapura, type Gapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { authenticate, listen, useHttp } from './http_bench.ts'

const http = useHttp()
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

function instance(options: Partial<GapuraOptions> = {}): Gapura {
  const { server_key, url: base_url } = http.parts.simulator
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema: http.database.db.schema,
    gateway: { server_key, base_url },
    authenticate,
    ...options,
  })
  closing.push(gapura.close)
  return gapura
}

async function serving(server: Server): Promise<string> {
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return await listen(server)
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>

const asking =
  (base: string): Ask =>
  async (path, init) =>
    await fetch(`${base}${path}`, { redirect: 'manual', ...init })

const HOSTS: Record<string, (options?: Partial<GapuraOptions>) => Promise<Ask>> = {
  nodeHandler: async (options = {}) => {
    const gapura = instance({ prefix: '/shop/pay', ...options })
    const server = createServer((request, response) => gapura.nodeHandler(request, response))
    return asking(`${await serving(server)}/shop/pay`)
  },
  'the Fastify plugin': async (options) => {
    const app = Fastify()
    await app.register(instance(options).plugin, { prefix: '/shop/pay' })
    closing.push(async () => {
      app.server.closeAllConnections()
      await app.close()
    })
    return asking(`${await app.listen({ port: 0, host: '127.0.0.1' })}/shop/pay`)
  },
  'a Fastify that folds slashes': async (options) => {
    const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
    await app.register(instance(options).plugin, { prefix: '/shop/pay' })
    closing.push(async () => {
      app.server.closeAllConnections()
      await app.close()
    })
    return asking(`${await app.listen({ port: 0, host: '127.0.0.1' })}/shop/pay`)
  },
  fetchHandler: async (options = {}) => {
    const gapura = instance({ prefix: '/shop/pay', ...options })
    return async (path, init) =>
      await gapura.fetchHandler(new Request(`http://host/shop/pay${path}`, init))
  },
}

const as = (caller: string): RequestInit => ({ headers: { 'x-caller': caller } })
const ADDRESS = /(?:href|src)="([^"#]+)"/g
const IMPORT = /from '([^']+)'/g

/** Everything the page loads, from its HTML on, each answered with 200 and the right type. */
async function everythingLoaded(ask: Ask, page: string): Promise<Map<string, string>> {
  const base = 'http://host/shop/pay'
  const loaded = new Map<string, string>()
  const waiting = [new URL(`${base}${page}`).href]
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (loaded.has(url)) continue
    const reply = await ask(url.slice(base.length))
    const text = await reply.text()
    const type = reply.headers.get('content-type') ?? ''
    expect([url, reply.status]).toEqual([url, 200])
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    loaded.set(url, text)
    const pattern = type.includes('html') ? ADDRESS : IMPORT
    const found = type.includes('html') || type.includes('javascript') ? text.matchAll(pattern) : []
    for (const [, address = ''] of found) waiting.push(new URL(address, url).href)
  }
  return loaded
}

describe.each(Object.entries(HOSTS))('%s, a prefix of two segments', (_name, mount) => {
  test('openapi.json: 401 without credentials, 200 with this prefix for a caller of any scope', async () => {
    const ask = await mount()
    const refused = await ask('/openapi.json')
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      401,
      'application/problem+json; charset=utf-8',
    ])
    const reply = await ask('/openapi.json', as('payer'))
    expect(reply.status).toBe(200)
    expect(await reply.json()).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: '/shop/pay' }],
      'x-environment': 'sandbox',
      paths: { '/charge/': {}, '/notification/': {} },
    })
  })

  test.each(['/docs/', '/docs', '/docs?a=1', '/docs/?a=b/'])(
    '200 %s: the page and all it loads, below the prefix',
    async (page) => {
      const loaded = await everythingLoaded(await mount(), page)
      expect(loaded.size).toBeGreaterThan(10)
      for (const url of loaded.keys()) expect(url).toContain('http://host/shop/pay/docs')
    },
  )

  test('405 with Allow for other methods, HEAD as GET', async () => {
    const ask = await mount()
    for (const path of ['/openapi.json', '/docs/', '/docs', '/docs/page.js']) {
      const reply = await ask(path, { method: 'POST', ...as('ani') })
      expect([path, reply.status, reply.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD'])
      expect((await ask(path, { method: 'HEAD', ...as('ani') })).status).toBe(200)
    }
  })

  test("200 for everyone with docs: 'public', 404 with docs: 'off'", async () => {
    const open = await mount({ docs: 'public' })
    expect((await open('/openapi.json')).status).toBe(200)
    expect((await open('/payments/')).status).toBe(401)
    const closed = await mount({ docs: 'off' })
    for (const path of ['/openapi.json', '/docs/', '/docs', '/docs/page.js']) {
      const reply = await closed(path, as('ani'))
      expect(reply.status).toBe(404)
      expect(await reply.json()).toMatchObject({ detail: 'Check the path: no route is there.' })
    }
    expect(await (await open('/nowhere/')).json()).toMatchObject({
      detail: expect.stringContaining('openapi.json'),
    })
  })
})

test('at the root of a host the document says so', async () => {
  const reply = await instance().fetchHandler(new Request('http://host/openapi.json', as('ani')))
  expect(await reply.json()).toMatchObject({ servers: [{ url: '/' }] })
})

test('production is named, so that the page can warn', async () => {
  const app = Fastify()
  const original = ({ url }: { url: string }) => ({ url, native: null })
  const admit = async () => await Promise.reject(new Error('authentication must not run'))
  await addDocs(app, { routes: ROUTES, admit, original, docs: 'public', is_production: true })
  closing.push(async () => await app.close())
  const reply = await app.inject({ url: '/openapi.json' })
  expect(reply.json()).toMatchObject({ 'x-environment': 'production' })
})

describe('the page asks for nothing outside itself', () => {
  test('a policy without exceptions, on every file', async () => {
    const ask = asking(http.parts.url)
    for (const path of ['/docs/', '/docs/page.js', '/docs/page.css', '/docs/icon.svg']) {
      const { headers } = await ask(path)
      const policy = (headers.get('content-security-policy') ?? '').split('; ')
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy.join()).not.toMatch(/unsafe|https?:|data:|\*/)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  test('no address with a host, nothing inline, no text taken for HTML', async () => {
    const loaded = await everythingLoaded(asking(http.parts.url), '/docs/')
    for (const [url, text] of loaded) {
      // Two names that are no addresses: the SVG namespace, and a sample of a link in a body.
      const hosts = [...text.matchAll(/(?:https?:)?\/\/[\w.-]+\.[a-z]{2,}/gi)].map(([one]) => one)
      const names = ['http://www.w3.org', 'https://shop.example']
      expect([url, hosts.filter((one) => !names.includes(one))]).toEqual([url, []])
      expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle="|\son\w+="|@import|url\(/)
      expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/)
    }
  })
})
