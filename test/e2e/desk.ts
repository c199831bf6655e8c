// A merchant's whole installation for one browser: the service with its worker and the built
// dashboard, a real PostgreSQL, the simulator as the gateway, and a key of staff.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSimulator, type Simulator } from '@gapura/simulator'
import {
  createGapura,
  SCOPES,
  type Caller,
  type ChargeInput,
  type Gapura,
  type GapuraOptions,
  type PaymentType,
  type Scope,
} from 'gapura'
import type { ConsoleMessage, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { DATABASE_URL, useDatabase } from '../../packages/service/test/store/test_database.ts'
import { GatewayClient } from '../../packages/service/src/gateway/client.ts'
import { openBrowser, type Browser } from './browser.ts'

export const PREFIX = '/shop/pay'
export const SHOP: Caller = { owner_id: 'toko-ani', staff: false, scopes: SCOPES }

export interface Desk {
  gapura: Gapura
  simulator: Simulator
  url: string
  key: string
  page: Page
  /** What the browser complained about: a script or style its policy refused, an exception. */
  complaints: string[]
}

interface Json {
  [name: string]: unknown
}

const CUSTOMER = {
  first_name: 'Budi',
  last_name: 'Santoso',
  email: 'budi@example.com',
  phone: '081298765432',
}

const MORE: Record<string, object> = {
  bank_transfer: { bank: 'bca' },
  cstore: { store: 'alfamart' },
  ovo: { payer_phone_number: '081298765432' },
}

interface DeskOptions extends Partial<GapuraOptions> {
  /** The application around it: whether it answered a request that is not the service's. */
  host?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Options that depend on the address of the service. */
  prepare?: (url: string) => Promise<Partial<GapuraOptions>>
}

export function useDesk({ host, prepare, ...options }: DeskOptions = {}) {
  const database = useDatabase()
  let desk: (Desk & { browser: Browser }) | undefined
  const opened = () => {
    if (desk === undefined) throw new Error('open only inside tests')
    return desk
  }
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const server = createServer((request, response) => {
      if (host?.(request, response) !== true) opened().gapura.nodeHandler(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const simulator = await createSimulator({
      port: 0,
      seed: 7,
      notification_url: `${base}${PREFIX}/notification/`,
    })
    const { url: base_url, server_key, client_key } = simulator
    const gapura = createGapura({
      databaseUrl: DATABASE_URL,
      schema: database.db.schema,
      gateway: { server_key, client_key, base_url, retry_delay_ms: 1 },
      prefix: PREFIX,
      ...options,
      ...(await prepare?.(`${base}${PREFIX}`)),
    })
    await gapura.migrate()
    const { key } = await gapura.createApiKey({
      owner_id: 'sari',
      name: 'front desk',
      staff: true,
      scopes: SCOPES,
    })
    gapura.subscribe({ name: 'shop', signals: ['payment_settled'], handler: async () => undefined })
    const worker = await gapura.startWorker()
    const browser = await openBrowser()
    const page = browser.context.pages()[0] ?? (await browser.context.newPage())
    // Shorter than a test's timeout, so that the failure names the missing element.
    page.setDefaultTimeout(60_000)
    const complaints: string[] = []
    page.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    desk = { gapura, simulator, url: `${base}${PREFIX}`, key, page, complaints, browser }
    closing.push(
      browser.close,
      async () => await worker.stop(),
      async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
      gapura.close,
      async () => await simulator.close(),
    )
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })
  const control = async (path: string, body: object = {}): Promise<void> => {
    const reply = await fetch(`${opened().simulator.url}/_sim/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`)
  }
  let minted = 0
  const charge = async (payment_type: PaymentType, more: Json = {}) => {
    const price = Number(more['gross_amount'] ?? 150_000)
    const input = {
      payment_type,
      order_id: `order-${(minted += 1)}`,
      gross_amount: price,
      customer_details: CUSTOMER,
      item_details: [{ id: 'tea', name: 'Teh Melati', price, quantity: 1 }],
      ...MORE[payment_type],
      ...more,
    } as ChargeInput
    return await opened().gapura.api.createCharge(SHOP, input)
  }
  return {
    get desk() {
      return opened()
    },
    database,
    control,
    charge,
    /** The payer pays; the gateway sends its webhook. */
    pay: async (order_id: string) => await control(`transactions/${order_id}/pay`),
    paid: async (payment_type: PaymentType, more: Json = {}) => {
      const payment = await charge(payment_type, more)
      await control(`transactions/${payment.order_id}/pay`)
      await expect
        .poll(async () => (await opened().gapura.api.getPayment(SHOP, payment.id)).is_paid)
        .toBe(true)
      return payment
    },
    /** A subscription over a card that the simulator saved. */
    subscribe: async () => {
      const { server_key, client_key, url: base_url } = opened().simulator
      const cards = new GatewayClient({ server_key, client_key, base_url, card_data: true })
      const card = { card_number: '4811111111111114', card_exp_month: '12', card_exp_year: '2035' }
      const token = String((await cards.registerCard(card)).saved_token_id)
      await cards.close()
      return await opened().gapura.api.createSubscription(SHOP, {
        name: 'Teh Bulanan',
        amount: 50_000,
        payment_type: 'credit_card',
        token,
        interval: 1,
        interval_unit: 'month',
        max_interval: 12,
        customer_details: { first_name: 'Citra', last_name: 'Dewi', email: 'citra@example.com' },
      })
    },
    alarm: async () =>
      await database.sql(
        `insert into gapura.gateway_alarm (id, kind, subject_kind, subject_id, owner_id, detail)
         values (gen_random_uuid(), 'late_money', 'payment', gen_random_uuid(), 'toko-ani',
           'expire became settlement')`,
      ),
    /** An answer of the interface, as the page gets it. */
    ask: async (path: string): Promise<Response> =>
      await fetch(`${opened().url}${path}`, {
        headers: { authorization: `Bearer ${opened().key}` },
      }),
    /** Waits until the page has no request under way: what it was going to send is sent. */
    settled: async () => {
      const { page } = opened()
      // Two frames: a key press has been handled and what it renders is rendered.
      await page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
      )
      await page.waitForLoadState('networkidle')
    },
    /** The key of a staff member whose role has these scopes alone. */
    role: async (...scopes: Scope[]): Promise<string> => {
      const order = { owner_id: 'rini', name: 'role', staff: true, scopes }
      return (await opened().gapura.createApiKey(order)).key
    },
    signIn: async (language: 'en' | 'id' = 'en', key = opened().key) => {
      const { page, url } = opened()
      await page.goto(`${url}/dashboard/`)
      await page.evaluate((one) => localStorage.setItem('gapura.language', one), language)
      // The browser keeps the cookie of the session, as after the form.
      // A kept connection may be closed by the server just as it is used again.
      await page.request.post(`${url}/sign_in/key/`, { data: { key }, maxRetries: 3 })
      await page.reload()
      await page.locator('header.top').waitFor()
    },
    /** A page of the dashboard by its address. */
    go: async (hash: string) => {
      const { page, url } = opened()
      // Only the part after # changes: without this the previous page would be taken for the next.
      await page.goto('about:blank')
      await page.goto(`${url}/dashboard/#${hash}`)
      await page.locator('main h1').first().waitFor()
    },
  }
}
