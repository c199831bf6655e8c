// The simulator's hosted page in a real browser: redirect and popup, from a shop of another origin
// under a strict policy, in both languages.
import { createSimulator, type Simulator } from '@gapura/simulator'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, violationsOf, type Browser } from './browser.ts'
import { openShopServer, type PopupShop } from './popup_shop.ts'

type Body = Record<string, unknown>

const SCREENS = [
  { size: { width: 390, height: 844 }, colorScheme: 'dark' },
  { size: { width: 1_280, height: 900 }, colorScheme: 'light' },
] as const

let simulator: Simulator
let shop: PopupShop
let shop_url = ''
let browser: Browser
let page: Page
let count = 0
const complaints: string[] = []
const foreign = new Set<string>()

beforeAll(async () => {
  simulator = await createSimulator({ port: 0, seed: 5 })
  shop = await openShopServer(simulator)
  shop_url = shop.url
  browser = await openBrowser()
  page = await browser.context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const own = [simulator.url, shop_url, 'data:'].some((base) => request.url().startsWith(base))
    if (!own) foreign.add(request.url())
  })
})

afterAll(async () => {
  await browser.close()
  await simulator.close()
  shop.close()
})

async function control(path: string, body: Body = {}): Promise<Body> {
  const reply = await fetch(`${simulator.url}/_sim/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  return (await reply.json()) as Body
}

interface Created {
  token: string
  redirect_url: string
  order_id: string
}

async function create(fields: Body = {}): Promise<Created> {
  count += 1
  const order_id = `order-${count}`
  const reply = await fetch(`${simulator.url}/snap/v1/transactions`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${simulator.server_key}:`).toString('base64')}`,
    },
    body: JSON.stringify({
      transaction_details: { order_id, gross_amount: 125_000 },
      item_details: [
        { id: 'a', name: 'Kopi Gayo 250 g', price: 50_000, quantity: 2 },
        { id: 'b', name: 'Ongkos kirim', price: 25_000, quantity: 1 },
      ],
      customer_details: { first_name: 'Budi', phone: '081234567890' },
      credit_card: { secure: true },
      callbacks: { finish: `${shop_url}/finish` },
      ...fields,
    }),
  })
  const { token, redirect_url } = (await reply.json()) as Created
  return { token, redirect_url, order_id }
}

/** What axe and the width find, on a dark phone and on a light desk. */
async function faultsOf(): Promise<string[]> {
  const faults: string[] = []
  for (const { size, colorScheme } of SCREENS) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    for (const fault of await violationsOf(page)) faults.push(`${size.width} ${fault}`)
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    if (Number(wide) > 0) faults.push(`${size.width}: scrolls sideways by ${String(wide)} px`)
  }
  return faults
}

const TEXTS = {
  en: {
    choose: 'Choose how to pay',
    other: 'Choose another method',
    card: 'Credit or debit card',
    pay: /^Pay Rp/,
    submit: 'Submit',
    deny: 'Deny',
    failed: 'was not made',
    paid: 'Paid',
    back: 'Return to the shop',
    leave: 'Leave without paying',
    expired: 'This page has expired',
    show: 'Show BCA virtual account',
  },
  id: {
    choose: 'Pilih cara membayar',
    other: 'Pilih cara lain',
    card: 'Kartu kredit atau debit',
    pay: /^Bayar Rp/,
    submit: 'Kirim',
    deny: 'Tolak',
    failed: 'gagal',
    paid: 'Lunas',
    back: 'Kembali ke toko',
    leave: 'Keluar tanpa membayar',
    expired: 'Halaman ini sudah kedaluwarsa',
    show: 'Lihat Virtual account BCA',
  },
} as const

const LANGUAGES = ['en', 'id'] as const
const heading = (name: string) => page.getByRole('heading', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const link = (name: string) => page.getByRole('link', { name, exact: true })

describe.each(LANGUAGES)('the page by redirect in %s', (language) => {
  const text = TEXTS[language]
  const openPage = async (created: Created): Promise<void> => {
    await page.goto(`${created.redirect_url}?lang=${language}`)
  }

  test('a denied card, then a virtual account that is paid, and back with the result', async () => {
    const created = await create()
    await openPage(created)
    await heading(text.choose).waitFor()
    expect(await faultsOf()).toEqual([])
    await link(text.card).click()
    expect(await faultsOf()).toEqual([])
    await page.locator('[name=card_number]').fill('4911 1111 1111 1113')
    await button(text.pay).click()
    expect(await faultsOf()).toEqual([])
    await button(text.submit).click()
    await page.getByText(text.failed).waitFor()
    expect(await faultsOf()).toEqual([])
    await button('BCA').click()
    await page.locator('.numberblock output').waitFor()
    expect(await faultsOf()).toEqual([])
    await button(text.pay).click()
    await heading(text.paid).waitFor()
    expect(await faultsOf()).toEqual([])
    await link(text.back).click()
    await page.waitForURL(`${shop_url}/finish?**`)
    const query = Object.fromEntries(new URL(page.url()).searchParams)
    expect(query).toMatchObject({
      order_id: created.order_id,
      status_code: '200',
      transaction_status: 'settlement',
    })
  })

  test('an earlier account stays payable beside a newer QR code: both are paid', async () => {
    const created = await create()
    await openPage(created)
    await button('BCA').click()
    await link(text.other).click()
    await button('QRIS').click()
    await page.locator('svg.qr').waitFor()
    expect(await faultsOf()).toEqual([])
    await button(text.pay).click()
    await heading(text.paid).waitFor()
    await link(text.show).click()
    expect(await faultsOf()).toEqual([])
    await button(text.pay).click()
    await heading(text.paid).waitFor()
    const reply = await fetch(`${simulator.url}/_sim/ledger/summary`)
    const { orders } = (await reply.json()) as { orders: Record<string, Body> }
    expect(orders[created.order_id]).toMatchObject({ charges: 2, captured: 250_000 })
  })

  test('an expired page shows no method; leaving a live one returns without a status', async () => {
    const created = await create()
    await openPage(created)
    await link(text.leave).click()
    await page.waitForURL(`${shop_url}/finish?**`)
    expect(new URL(page.url()).searchParams.has('transaction_status')).toBe(false)
    await control(`checkouts/${created.token}/expire`)
    await openPage(created)
    await heading(text.expired).waitFor()
    expect(await page.locator('.ways').count()).toBe(0)
    expect(await faultsOf()).toEqual([])
  })

  test.each(['Indomaret', 'Mandiri', 'GoPay', 'Kredivo', 'ShopeePay'])(
    '%s shows how to pay',
    async (name) => {
      const created = await create()
      await openPage(created)
      await button(name).click()
      await page.locator('#actions').waitFor()
      expect(await faultsOf()).toEqual([])
    },
  )
})

describe('the popup of snap.js', () => {
  const frame = (): FrameLocator => page.frameLocator('#snap-midtrans')
  const called = async (): Promise<string> => (await page.locator('output').textContent()) ?? ''
  const inFrame = (name: string | RegExp) => frame().getByRole('button', { name, exact: true })
  const frameLink = (name: string) => frame().getByRole('link', { name, exact: true })

  const openShop = async ({ token }: Created, more = ''): Promise<void> => {
    await page.goto(`${shop_url}/?token=${token}&lang=id${more}`)
    await button('Pay').click()
  }

  test('onSuccess with the result, after the payer has paid; the overlay is gone', async () => {
    const created = await create()
    await openShop(created)
    expect(await violationsOf(page)).toEqual([])
    await inFrame('BNI').click()
    await inFrame(TEXTS.id.pay).click()
    await frameLink(TEXTS.id.back).click()
    await expect.poll(called).toContain('success {')
    const result = JSON.parse((await called()).slice('success '.length)) as Body
    expect(result).toMatchObject({
      order_id: created.order_id,
      status_code: '200',
      transaction_status: 'settlement',
      gross_amount: '125000.00',
      finish_redirect_url: expect.stringContaining(shop_url) as string,
    })
    expect(await page.locator('#snap-midtrans-overlay').count()).toBe(0)
  })

  test('onPending with a chosen account, onError with a denied one, onClose with none', async () => {
    const waiting = await create()
    await openShop(waiting)
    await inFrame('BRI').click()
    await frameLink(TEXTS.id.back).click()
    await expect.poll(called).toContain('pending {')
    await openShop(waiting)
    await inFrame(TEXTS.id.deny).click()
    await frameLink(TEXTS.id.back).click()
    await expect.poll(called).toContain('error {')
    await openShop(await create())
    await frameLink(TEXTS.id.leave).click()
    await expect.poll(called).toContain('close {}')
  })

  test('without callbacks the shop is led to the finish URL; a second pay is refused', async () => {
    await browser.context.clearCookies()
    await page.goto(`${shop_url}/?token=${(await create()).token}`)
    await button('Plain').click()
    await expect(page.evaluate("snap.pay('other')")).rejects.toThrow('Invalid state transition')
    await page.evaluate('snap.hide()')
    expect(await page.locator('#snap-midtrans-overlay').count()).toBe(0)
    await button('Plain').click()
    await inFrame('Alfamart').click()
    await frameLink(TEXTS.en.back).click()
    await page.waitForURL(`${shop_url}/finish?**transaction_status=pending**`)
  })

  test('a client key of another account is refused', async () => {
    const before = complaints.length
    await openShop(await create(), '&key=other')
    await frame().getByText('client key akun ini').waitFor()
    // The browser reports the answer 401 of the frame; what came before stays a complaint.
    expect(complaints.splice(before)).toEqual([expect.stringContaining('401')])
  })
})

test('the browser had nothing to complain about and loaded nothing from elsewhere', () => {
  expect(complaints).toEqual([])
  expect([...foreign]).toEqual([])
})
