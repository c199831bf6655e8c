// The list of payments in the system's Chromium: the time until its rows are on the screen, and while
// scrolling fifty pages deep with real wheel events.
import type { Page } from 'playwright-core'
import { openBrowser } from '../test/e2e/browser.ts'

/** Addresses of the list, as its filters make them. */
const FILTERS: Record<string, string> = {
  'status settlement': 'status=settlement',
  'status pending': 'status=pending',
  'status chargeback': 'status=chargeback',
  'method bank_transfer': 'payment_type=bank_transfer',
  'method akulaku': 'payment_type=akulaku',
  'status and method': 'status=chargeback&payment_type=akulaku',
  'one day': 'from=2026-03-01&until=2026-03-01',
  'one year': 'from=2025-03-01&until=2026-02-28',
  'past its time': 'overdue=true',
  'order id': 'order_id=order-500000',
  'e-mail': 'customer_email=customer7%40example.com',
  'VA number': 'va_number=%22810000500000%22',
  'oldest first': 'sort=oldest',
  'highest first': 'sort=highest',
  'lowest first': 'sort=lowest',
  'a common status, highest first': 'status=settlement&sort=highest',
  'a method and a year, lowest first':
    'payment_type=qris&from=2025-03-01&until=2026-02-28&sort=lowest',
}

const DEEP = 50
const PAGE_ROWS = 50
const ROW_HEIGHT = 45
/** A row that takes longer than this fails the run. */
const ROW_WAIT_MS_MAX = 30_000

export interface InBrowser {
  /** From an empty cache to the first rows: page, script, caller, list. */
  first_ms: number
  /** The same once more, with the files in the browser's cache. */
  again_ms: number
  filters: Record<string, number>
  /** From a page's worth of wheel to the next page's rows, page by page. */
  pages_ms: number[]
  /** Elements of the document and rows of the table, after each page. */
  elements: number[]
  rows: number[]
  /** Between one frame and the next, while pages 1 to 10 and the last ten were scrolled. */
  frames_ms: [first: number[], last: number[]]
  heap_mb: number
}

/** Needs the built dashboard, served below this address. */
export async function measureInBrowser(base_url: string, key: string): Promise<InBrowser> {
  const browser = await openBrowser()
  try {
    const page = browser.context.pages()[0] ?? (await browser.context.newPage())
    page.setDefaultTimeout(ROW_WAIT_MS_MAX)
    const address = `${base_url}/dashboard/`
    await page.goto(address)
    await page.request.post(`${base_url}/sign_in/key/`, { data: { key } })
    const opened = async (): Promise<void> => {
      await page.goto('about:blank')
      await page.goto(`${address}#/payments`)
    }
    const first_ms = await shownIn(page, opened)
    const again_ms = await shownIn(page, opened)
    const filters: Record<string, number> = {}
    for (const [name, search] of Object.entries(FILTERS)) {
      filters[name] = await shownIn(page, async () => await go(page, `#/payments?${search}`))
    }
    // Opened once more, because what was shown a moment ago is not asked for again.
    await shownIn(page, opened)
    return { first_ms, again_ms, filters, ...(await scrolled(page)) }
  } finally {
    await browser.close()
  }
}

/** Within the page: nothing is reloaded, as when a filter is chosen. */
const go = async (page: Page, hash: string): Promise<void> =>
  await page.evaluate(`void (location.hash = ${JSON.stringify(hash)})`)

/** Until the answer is drawn: its rows, or the text that there are none. */
async function shownIn(page: Page, begin: () => Promise<void>): Promise<number> {
  const answered = page.waitForResponse((one) => /\/staff\/payments\/\?/.test(one.url()))
  const began = performance.now()
  await begin()
  await (await answered).finished()
  await page.locator('.loading').waitFor({ state: 'detached' })
  await page.locator('tbody tr[data-row], .empty').first().waitFor()
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
  return performance.now() - began
}

async function scrolled(page: Page): Promise<Omit<InBrowser, 'first_ms' | 'again_ms' | 'filters'>> {
  await page.mouse.move(600, 500)
  const measured = {
    pages_ms: [] as number[],
    elements: [] as number[],
    rows: [] as number[],
    frames_ms: [[], []] as [number[], number[]],
  }
  await watchFrames(page)
  for (let number = 2; number <= DEEP; number += 1) {
    const began = performance.now()
    await page.mouse.wheel(0, PAGE_ROWS * ROW_HEIGHT)
    await page.locator(`tr[data-row="${(number - 1) * PAGE_ROWS}"]`).waitFor({ state: 'attached' })
    measured.pages_ms.push(performance.now() - began)
    const elements = await page.locator('*').count()
    const rows = await page.locator('tbody tr[data-row]').count()
    measured.elements.push(elements)
    measured.rows.push(rows)
    if (number === 10) measured.frames_ms[0] = await takeFrames(page)
    if (number === DEEP - 10) await takeFrames(page)
    if (number === DEEP) measured.frames_ms[1] = await takeFrames(page)
  }
  const heap = Number(await page.evaluate('performance.memory.usedJSHeapSize'))
  return { ...measured, heap_mb: heap / 1_048_576 }
}

/** Notes the time of every frame. */
const WATCH = `
  globalThis.frames = []
  let last = performance.now()
  const beat = () => {
    const now = performance.now()
    frames.push(now - last)
    last = now
    requestAnimationFrame(beat)
  }
  requestAnimationFrame(beat)`

const watchFrames = async (page: Page): Promise<void> => {
  await page.evaluate(`{ ${WATCH} }`)
}

const takeFrames = async (page: Page): Promise<number[]> =>
  (await page.evaluate('frames.splice(0)')) as number[]
