// The security headers of every page and every answer.
import { createSimulator, type Simulator } from '@gapura/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, useHttp } from '../../packages/service/test/http/http_bench.ts'

const http = useHttp({ docs: 'public' })
let simulator: Simulator | undefined
beforeAll(async () => {
  simulator = await createSimulator({ port: 0, seed: 1 })
})
afterAll(async () => await simulator?.close())

/** No inline code, no other origin, no HTML from text, no framing. */
const strict = (policy: string): void => {
  const rules = new Map(
    policy.split(';').map((rule): [string, string] => {
      const [name = '', ...sources] = rule.trim().split(' ')
      return [name, sources.join(' ')]
    }),
  )
  expect(rules.get('default-src')).toBe("'none'")
  expect(rules.get('base-uri')).toBe("'none'")
  for (const [name, sources] of rules) {
    if (!name.endsWith('-src')) continue
    expect([name, sources]).toEqual([name, expect.stringMatching(/^'(?:none|self)'$/)])
  }
}

/** Follows the links of the first page to all pages and files. */
async function follow(base: string, first: string) {
  const pages = new Map<string, Awaited<ReturnType<typeof fetch>>>()
  const waiting = [first]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path) || pages.size > 60) continue
    const reply = await fetch(new URL(path, base))
    pages.set(path, reply)
    if (reply.headers.get('content-type')?.startsWith('text/html') !== true) continue
    const text = await reply.text()
    // The policy refuses inline code, so a page that needs it would not work.
    expect([path, /<script(?![^>]*\bsrc=)[^>]*>|\son\w+="|\sstyle="/.exec(text)?.[0]]).toEqual([
      path,
      undefined,
    ])
    for (const [, link = ''] of text.matchAll(/(?:href|src)="([^"#]+)"/g)) {
      const url = new URL(link, new URL(path, base))
      if (url.origin === new URL(base).origin) waiting.push(`${url.pathname}${url.search}`)
    }
  }
  return pages
}

describe('the API page', () => {
  test('and every file it loads have the policy and nosniff', async () => {
    const pages = await follow(
      `${http.parts.url}/docs/`,
      new URL(`${http.parts.url}/docs/`).pathname,
    )
    expect(pages.size).toBeGreaterThan(4)
    for (const [path, { status, headers }] of pages) {
      expect([path, status]).toEqual([path, 200])
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      if (headers.get('content-type')?.startsWith('application/json') === true) continue
      strict(headers.get('content-security-policy') ?? '')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })
})

describe("the simulator's pages", () => {
  test('all have the policy', async () => {
    const pages = await follow(simulator?.url ?? '', '/_sim/ui')
    const documents = [...pages].filter(([, { headers }]) =>
      headers.get('content-type')?.startsWith('text/html'),
    )
    expect(documents.length).toBeGreaterThan(5)
    for (const [path, { headers }] of documents) {
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      strict(headers.get('content-security-policy') ?? '')
    }
  })
})

describe('every answer of the API', () => {
  test.each([
    ['GET', '/payments/'],
    ['GET', '/nowhere'],
    ['GET', '/openapi.json'],
    ['POST', '/charge/'],
    ['POST', '/notification/'],
    ['DELETE', '/payments/'],
  ])('%s %s has no-store and nosniff', async (method, path) => {
    const { headers } = await send(method, `${http.parts.url}${path}`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('server')).toBeNull()
    // Without CORS headers no page of another origin may read it.
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})
