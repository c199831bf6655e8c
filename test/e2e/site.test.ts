// The documentation site in a real browser: its search finds the right page, and every page fits a
// phone.
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildSite } from '../../site/build.ts'
import { STACKED_COLUMNS_MAX } from '../../site/tables.ts'
import { openBrowser, violationsOf, type Browser } from './browser.ts'

const OUT = path.resolve('dist/docs_e2e')
const PHONE = { width: 390, height: 844 }
const DESK = { width: 1_280, height: 900 }

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
}

/** As any web server for files: a folder is its index. */
const serveFiles = (folder: string): Server =>
  createServer((request, response) => {
    const asked = path.join(folder, decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/'))
    const file =
      existsSync(asked) && statSync(asked).isDirectory() ? path.join(asked, 'index.html') : asked
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'text/plain' })
    response.end(readFileSync(file))
  })

let server: Server
let browser: Browser
let page: Page
let home: string
let places: string[]
let faults: string[]
const foreign = new Set<string>()

beforeAll(async () => {
  const built = await buildSite(OUT)
  faults = built.faults
  places = [...built.content.pages.keys()].map((place) => place.replace(/\.md$/, '.html'))
  server = serveFiles(OUT)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  browser = await openBrowser()
  page = await browser.context.newPage()
  page.on('request', (request) => {
    if (!request.url().startsWith(home) && !request.url().startsWith('data:'))
      foreign.add(request.url())
  })
})

afterAll(async () => {
  await browser.close()
  server.close()
  rmSync(OUT, { recursive: true, force: true })
})

/** The pages that the search box lists, best first; each language has a search of its own. */
async function found(query: string, language = ''): Promise<string[]> {
  await page.goto(home + language)
  // The box opens with the last query, whose results would be read instead.
  await page.evaluate('sessionStorage.clear()')
  await page.locator('.VPNavBarSearch button').first().click()
  await page.locator('#localsearch-input').fill(query)
  await page.locator('.VPLocalSearchBox .result').first().waitFor()
  await expect
    .poll(async () => await page.locator('.VPLocalSearchBox .result.selected').count())
    .toBe(1)
  const links = await page.locator('.VPLocalSearchBox .result').all()
  return await Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''))
}

/** Runs in the page, so it is text: there is no document here. */
const TOO_WIDE = `(() => {
  const root = document.documentElement
  const sideways = root.scrollWidth - root.clientWidth
  const tables = [...document.querySelectorAll('table')].filter(
    (table) =>
      table.scrollWidth > table.clientWidth + 1 &&
      table.rows[0].cells.length <= ${STACKED_COLUMNS_MAX},
  )
  return [
    ...(sideways > 0 ? ['scrolls by ' + sideways + ' px'] : []),
    ...tables.map((table) => 'table ' + table.rows[1].textContent.slice(0, 60)),
  ]
})()`

/** What of this page is wider than the window. */
const tooWide = async (): Promise<string[]> => (await page.evaluate(TOO_WIDE)) as string[]

test('the finished pages have no dead link', () => {
  expect(faults).toEqual([])
})

describe('search', () => {
  test.each([
    ['api reference', '/api_reference.html'],
    ['go live', '/go_live.html'],
    ['logging', '/logging.html'],
    ['refund', '/refunds.html'],
    ['idempotency', '/concepts.html#idempotency'],
    ['notification retries', '/reference/gateway-protocol.html#notification-retries'],
    ['outcome_unknown', '/errors.html#outcome_unknown'],
  ])('for %s lists %s first', async (query, expected) => {
    const [first = ''] = await found(query)
    expect(expected.includes('#') ? first : first.split('#')[0]).toBe(expected)
  })
})

describe('in Indonesian', () => {
  test.each([
    ['mulai cepat', '/id/quick_start.html'],
    ['go-live', '/id/go_live.html'],
    ['virtual account', '/id/payments/bank_transfer.html'],
    ['kedaluwarsa', '/id/payments/'],
    ['gerai retail', '/id/payments/cstore.html'],
  ])('a search for %s lists %s first', async (query, expected) => {
    const [first = ''] = await found(query, 'id/')
    expect(first.slice(0, expected.length)).toBe(expected)
  })

  test('the language menu leads to the same page, or to the first page', async () => {
    const there = async (place: string): Promise<(string | null)[]> => {
      await page.goto(home + place)
      const links = await page.locator('.VPNavBarTranslations a').all()
      return await Promise.all(links.map(async (link) => await link.getAttribute('href')))
    }
    expect(await there('payments/qris.html')).toEqual(['/id/payments/qris.html'])
    expect(await there('id/payments/qris.html')).toEqual(['/payments/qris.html'])
    expect(await there('errors.html')).toEqual(['/id/'])
    expect(await there('id/')).toEqual(['/'])
    expect(await page.locator('html').getAttribute('lang')).toBe('id')
  })
})

describe('on a phone', () => {
  test('no page scrolls sideways, and tables of few columns fit', async () => {
    await page.setViewportSize(PHONE)
    const wide: string[] = []
    for (const place of places) {
      await page.goto(home + place)
      wide.push(...(await tooWide()).map((what) => `${place}: ${what}`))
    }
    await page.setViewportSize(DESK)
    expect(places.length).toBeGreaterThan(60)
    expect(wide).toEqual([])
  })

  test('a page and a table that are too wide would be found', async () => {
    await page.setViewportSize(PHONE)
    await page.goto(`${home}errors.html`)
    await page.addStyleTag({ content: '#app { min-width: 500px }' })
    expect(await tooWide()).toContain('scrolls by 110 px')
    await page.goto(`${home}go_live.html`)
    expect(await tooWide()).toEqual([])
    await page.goto(`${home}configuration.html`)
    await page.addStyleTag({ content: '.vp-doc table.stacked td { white-space: nowrap }' })
    expect(await tooWide()).toEqual([expect.stringContaining('table')])
    await page.setViewportSize(DESK)
  })
})

test('nothing is loaded from elsewhere', () => {
  expect([...foreign]).toEqual([])
})

test('the first page meets WCAG 2.2 AA', async () => {
  await page.goto(home)
  expect(await violationsOf(page)).toEqual([])
})
