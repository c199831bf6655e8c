// Draws docs/images/dashboard: every page, light in English, dark in Indonesian, and narrow.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { SCOPES } from 'gapura'
import { expect, test } from 'vitest'
import { SHOP, useDesk } from './desk.ts'

const e2e = useDesk({
  refunds: { second_person_above: 200_000 },
  webhooks: { keys: [randomBytes(32).toString('base64')] },
})
const page = () => e2e.desk.page
const FOLDER = new URL('../../docs/images/dashboard/', import.meta.url).pathname

const PEOPLE = [
  { first_name: 'Ani', last_name: 'Lestari', email: 'ani@example.com', phone: '081234567890' },
  { first_name: 'Budi', last_name: 'Santoso', email: 'budi@example.com', phone: '081298765432' },
  { first_name: 'Citra', last_name: 'Dewi', email: 'citra@example.com', phone: '081311112222' },
  { first_name: 'Dewi', last_name: 'Anggraini', email: 'dewi@example.com', phone: '081322223333' },
  { first_name: 'Eko', last_name: 'Prasetyo', email: 'eko@example.com', phone: '081333334444' },
]
const TYPES = ['bank_transfer', 'qris', 'gopay', 'cstore', 'shopeepay', 'echannel', 'dana'] as const
const PAYMENTS = 70

let shown = {
  payment: '',
  held: '',
  invoice: '',
  subscription: '',
  notification: '',
  webhook: '',
}

test('a merchant with two weeks of trade', async () => {
  mkdirSync(FOLDER, { recursive: true })
  const ids: string[] = []
  for (let n = 0; n < PAYMENTS; n += 1) {
    const type = TYPES[(n * 5 + (n % 3)) % TYPES.length] ?? 'gopay'
    const customer_details = PEOPLE[n % PEOPLE.length]
    const gross_amount = 15_000 * (1 + ((n * 7) % 23))
    const order_id = `toko-${String(4_200 + n)}`
    const more = { gross_amount, customer_details, order_id }
    const open = n % 6 === 0 || n > PAYMENTS - 3
    const payment = open ? await e2e.charge(type, more) : await e2e.paid(type, more)
    if (n % 11 === 3)
      await e2e.desk.gapura.api.cancelPayment(SHOP, payment.id).catch(() => undefined)
    ids.push(payment.id)
  }
  const last = await e2e.paid('gopay', {
    gross_amount: 245_000,
    customer_details: PEOPLE[1],
    order_id: 'toko-4290',
  })
  await e2e.desk.gapura.api.refundPayment(SHOP, last.id, {
    amount: 45_000,
    reason: 'Satu cangkir pecah',
  })
  const held = await e2e.paid('shopeepay', {
    gross_amount: 375_000,
    customer_details: PEOPLE[0],
    order_id: 'toko-4291',
  })
  // Requested by another staff member, so it needs approval by the signed-in one.
  const rudi = { owner_id: 'rudi', staff: true, scopes: SCOPES }
  const order_of_all = { amount: 375_000, reason: 'Set teh datang pecah, foto di tiket 318' }
  await expect(
    e2e.desk.gapura.api.refundPayment(rudi, held.id, order_of_all),
  ).rejects.toMatchObject({ code: 'refund_held' })
  // Two weeks of payments for the plots.
  await e2e.database.sql(
    `update gapura.gateway_payment as payment
     set created_at = created_at - place.days * interval '1 day',
         paid_at = paid_at - place.days * interval '1 day' + place.days * interval '3 minutes'
     from (
       select id, mod(row_number() over (order by id), 14)::integer as days
       from gapura.gateway_payment
       where order_id < 'toko-4262'
     ) as place
     where payment.id = place.id`,
  )
  await e2e.database.sql(
    `insert into gapura.gateway_notification
       (id, order_id, transaction_status, effect, reason, gross_amount, raw_payload)
     values (gen_random_uuid(), 'toko-lama-77', 'settlement', 'unmatched', null, '85000.00',
       '{"order_id": "toko-lama-77", "transaction_status": "settlement", "gross_amount": "85000.00"}')`,
  )
  await e2e.alarm()
  const due_date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  const items = [{ description: 'Lampu meja', price: 120_000, quantity: 2 }]
  const order = {
    customer_name: 'Dewi Anggraini',
    customer_email: 'dewi@example.com',
    due_date,
    items,
  }
  const invoice = await e2e.desk.gapura.api.createInvoice(SHOP, order)
  await e2e.desk.gapura.api.createInvoice(SHOP, { ...order, customer_name: 'Eko Prasetyo' })
  const subscription = await e2e.subscribe()
  const webhook = await e2e.desk.gapura.api.createWebhookEndpoint(SHOP, {
    url: 'https://toko-ani.example/webhooks',
    types: ['payment_settled', 'payment_refunded'],
    description: 'Kasir',
  })
  await e2e.desk.gapura.api.pauseWebhookEndpoint(SHOP, webhook.id)
  const heard = (await (await e2e.ask('/staff/notifications/?effect=applied')).json()) as {
    results: { id: string }[]
  }
  shown = {
    payment: last.id,
    held: held.id,
    invoice: invoice.id,
    subscription: subscription.id,
    notification: heard.results[0]?.id ?? '',
    webhook: webhook.id,
  }
  await e2e.signIn()
  await e2e.go(`/payments/${last.id}`)
  await page()
    .getByLabel(/New note/)
    .fill('Pelanggan menelepon: satu cangkir pecah saat dikirim.')
  await page().getByRole('button', { name: 'Add note' }).click()
  await page().locator('.notes li').waitFor()
}, 240_000)

const pages = (): Record<string, string> => ({
  payments: '/payments',
  payment: `/payments/${shown.payment}`,
  held: `/payments/${shown.held}`,
  search: '/search?q=toko-9999',
  overview: '/overview?from=' + day(-13) + '&until=' + day(0),
  notifications: '/notifications',
  notification: `/notifications/${shown.notification}`,
  invoices: '/invoices',
  invoice: `/invoices/${shown.invoice}`,
  subscriptions: '/subscriptions',
  subscription: `/subscriptions/${shown.subscription}`,
  webhooks: '/webhooks',
  webhook: `/webhooks/${shown.webhook}`,
  health: '/health',
})

const day = (days: number): string =>
  new Date(Date.now() + 7 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)

const LOOKS = [
  { name: 'en', language: 'en', theme: 'light', width: 1_280, height: 860 },
  { name: 'id-dark', language: 'id', theme: 'dark', width: 1_280, height: 860 },
  { name: 'narrow', language: 'id', theme: 'light', width: 390, height: 844 },
] as const

test('every page, each way', async () => {
  for (const { name, language, theme, width, height } of LOOKS) {
    await page().setViewportSize({ width, height })
    await page().evaluate(
      ([spoken, worn]) => {
        localStorage.setItem('gapura.language', spoken)
        localStorage.setItem('gapura.theme', worn)
      },
      [language, theme] as const,
    )
    for (const [title, hash] of Object.entries(pages())) {
      await e2e.go(hash)
      await page().locator('.loading').waitFor({ state: 'detached' })
      // Plots are drawn a frame after their place is known.
      await page().waitForTimeout(400)
      // Of a list only what is on the screen is there.
      const fullPage = width < 500 && !/^(?:payments|notifications)$/.test(title)
      await page().screenshot({ path: `${FOLDER}${title}-${name}.png`, fullPage })
    }
  }
  await page().setViewportSize({ width: 1_280, height: 860 })
  await page().evaluate(() => localStorage.setItem('gapura.theme', 'light'))
  await page().evaluate(() => localStorage.setItem('gapura.language', 'en'))
  await e2e.go(`/payments/${shown.payment}`)
  await page().getByRole('button', { name: 'Refund…' }).click()
  await page().screenshot({ path: `${FOLDER}refund-en.png` })
  await page().getByLabel('Reason').fill('Cangkir kedua juga pecah')
  await page().getByRole('button', { name: 'Continue' }).click()
  await page().screenshot({ path: `${FOLDER}refund-review-en.png` })
  await page().keyboard.press('Escape')
  await e2e.go(`/payments/${shown.held}`)
  await page().locator('.held').getByRole('button', { name: 'Approve the refund…' }).click()
  await page().screenshot({ path: `${FOLDER}approve-en.png` })
  await page().keyboard.press('Escape')
  await page().getByRole('button', { name: 'Sign out' }).click()
  await page().getByLabel('API key').waitFor()
  await page().screenshot({ path: `${FOLDER}sign-in-en.png` })
  const files = readdirSync(FOLDER).map((file) => `${FOLDER}${file}`)
  try {
    execFileSync('pngquant', ['--force', '--ext', '.png', '--speed', '1', '--strip', ...files])
  } catch {
    process.stdout.write('pngquant is not here: the pictures are larger than they need be\n')
  }
}, 240_000)
