// The staff's pages over HTTP (ADR 0024): there if the package is installed, at any prefix, under a
// policy without exceptions, and nothing of them if it is not.
import Fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { addDashboard, type DashboardFiles } from '../../src/http/platform/dashboard.ts'
import { dashboardFiles } from '../../src/main/dashboard_files.ts'
import { useHttp } from './http_bench.ts'

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

const file = (text: string, type: string) => ({ content: Buffer.from(text), type })
const FILES: DashboardFiles = new Map([
  ['index.html', file('<script src="./assets/a-1.js"></script>', 'text/html; charset=utf-8')],
  ['assets/a-1.js', file('1', 'text/javascript; charset=utf-8')],
])

async function serving(dashboard: DashboardFiles, folds = false) {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: folds } })
  await app.register(
    async (inside) => {
      addDashboard(inside, { dashboard, original: ({ url }) => ({ url }) })
    },
    { prefix: '/shop/pay' },
  )
  closing.push(async () => await app.close())
  return async (url: string, method: 'GET' | 'POST' | 'HEAD' = 'GET') =>
    await app.inject({ method, url: `/shop/pay${url}` })
}

describe.each([false, true])('a router that folds slashes: %s', (folds) => {
  test('200 the page with its slash and without, each with addresses that lead to its files', async () => {
    const ask = await serving(FILES, folds)
    for (const url of ['/dashboard/', '/dashboard', '/dashboard?a=b/']) {
      const page = await ask(url)
      expect(page.statusCode).toBe(200)
      const [, address = ''] = /src="([^"]+)"/.exec(page.body) ?? []
      const found = new URL(address, `http://host/shop/pay${url}`).pathname
      expect(found).toBe('/shop/pay/dashboard/assets/a-1.js')
    }
    const script = await ask('/dashboard/assets/a-1.js')
    expect([script.statusCode, script.headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ])
  })
})

test('a policy without exceptions, on every file', async () => {
  const ask = await serving(FILES)
  for (const url of ['/dashboard/', '/dashboard/assets/a-1.js']) {
    const { headers } = await ask(url)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|data:|blob:|nonce|\*/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
  }
})

test('405 for other methods, HEAD as GET', async () => {
  const ask = await serving(FILES)
  expect((await ask('/dashboard/', 'HEAD')).statusCode).toBe(200)
  for (const url of ['/dashboard/', '/dashboard/assets/a-1.js']) {
    const { statusCode, headers } = await ask(url, 'POST')
    expect(statusCode).toBe(405)
    expect(headers['allow']).toBe('GET, HEAD')
  }
})

test('nothing outside its list of files is served, whatever the path says', async () => {
  const ask = await serving(FILES)
  for (const url of [
    '/dashboard/index.html',
    '/dashboard/../package.json',
    '/dashboard/assets/b.js',
  ]) {
    expect((await ask(url)).statusCode).toBe(404)
  }
})

test('404 where it is not installed', async () => {
  const ask = await serving(new Map())
  expect((await ask('/dashboard/')).statusCode).toBe(404)
})

test('off serves no dashboard files', () => {
  expect(dashboardFiles('off').size).toBe(0)
})

describe('switched off', () => {
  const http = useHttp({ dashboard: 'off' })
  test('404, as every path that is not there', async () => {
    const missing = await http.get('/nowhere/', { headers: { 'x-request-id': 'same' } })
    const page = await http.get('/dashboard/', { headers: { 'x-request-id': 'same' } })
    expect([page.status, page.text]).toEqual([404, missing.text])
  })
})
