// The other pages: notifications, invoices, subscriptions, overview, health.
import { createReadStream, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { readXlsx } from '../../packages/service/src/services/statements/files/xlsx.ts'
import { SHOP, useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page

interface Listed {
  results: Record<string, unknown>[]
}

const listed = async (path: string) => ((await (await e2e.ask(path)).json()) as Listed).results

test('an export is exactly what the filters list', async () => {
  for (const price of [30_000, 10_000, 20_000]) await e2e.charge('gopay', { gross_amount: price })
  await e2e.charge('bank_transfer')
  await e2e.signIn()
  await e2e.go('/payments?payment_type=gopay&sort=lowest')
  await page().locator('tbody tr[data-row]').nth(2).waitFor()
  const [download] = await Promise.all([
    page().waitForEvent('download'),
    page().getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/)
  const content = await text(createReadStream(await download.path()))
  const lines = content.replace('\uFEFF', '').trimEnd().split('\r\n')
  const [head = '', ...rows] = lines.map((line) => line.slice(1, -1).split('","'))
  const api = await listed('/staff/payments/?payment_type=gopay&sort=lowest&page_size=100')
  expect(rows.map((row) => row[head.indexOf('id')])).toEqual(api.map(({ id }) => id))
  expect(rows.map((row) => row[head.indexOf('gross_amount')])).toEqual(
    api.map(({ gross_amount }) => gross_amount),
  )
  expect(api).toHaveLength(3)
})

test('a page whose script an upgrade has replaced is reloaded and shown', async () => {
  await e2e.signIn()
  await e2e.go('/payments')
  let asked = 0
  await page().route('**/assets/audit_page-*.js', async (route) => {
    asked += 1
    if (asked === 1) await route.fulfill({ status: 404 })
    else await route.continue()
  })
  await page().getByRole('link', { name: 'Audit' }).click()
  await page().getByRole('heading', { name: 'Audit' }).waitFor()
  expect(asked).toBeGreaterThan(1)
  await page().unrouteAll()
})

describe('notifications', () => {
  test('a notification is opened and replayed; an unmatched one is listed first', async () => {
    const payment = await e2e.paid('gopay')
    await e2e.database.sql(
      `insert into gapura.gateway_notification (id, order_id, effect, reason, raw_payload)
       values (gen_random_uuid(), 'unknown-order', 'mismatch', 'amount_mismatch', '{}')`,
    )
    await e2e.signIn()
    await e2e.go('/notifications')
    const first = page().getByRole('table', { name: 'Needs attention' })
    await first.getByRole('link', { name: 'unknown-order' }).waitFor()
    const all = page().getByRole('table', { name: 'All notifications' })
    await all.getByRole('link', { name: payment.order_id, exact: true }).first().click()
    await page().getByText('"order_id"').waitFor()
    await page().getByRole('button', { name: 'Replay…' }).click()
    await page().getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
    await page().getByRole('status').filter({ hasText: 'Replayed' }).waitFor()
    const rows = await listed(`/staff/notifications/?order_id=${payment.order_id}`)
    expect(rows[0]?.['reason']).toContain('by sari')
  })
})

describe('subscriptions', () => {
  test('one is cancelled permanently after a confirmation', async () => {
    const subscription = await e2e.subscribe()
    await e2e.signIn()
    await e2e.go('/subscriptions')
    await page().getByRole('link', { name: 'Teh Bulanan' }).click()
    await page().locator('.headline').getByText('Active').waitFor()
    await page().getByRole('button', { name: 'Cancel…' }).click()
    await page()
      .getByRole('heading', { name: 'Cancel the subscription of Citra Dewi over Rp 50.000' })
      .waitFor()
    await page().getByLabel('Reason').fill('moved away')
    await page().getByRole('button', { name: 'Continue' }).click()
    await page().getByRole('button', { name: 'Cancel permanently' }).click()
    await page().locator('.headline').getByText('Cancelled').waitFor()
    const { status } = await e2e.desk.gapura.api.getSubscription(SHOP, subscription.id)
    expect(status).toBe('cancelled')
  })
})

describe('invoices', () => {
  test('one is voided with a reason', async () => {
    const due_date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    const invoice = await e2e.desk.gapura.api.createInvoice(SHOP, {
      customer_name: 'Dewi',
      customer_email: 'dewi@example.com',
      due_date,
      items: [{ description: 'Lampu', price: 12_000, quantity: 2 }],
    })
    await e2e.go('/invoices')
    await page().getByRole('link', { name: invoice.invoice_number }).click()
    await page().getByRole('button', { name: 'Void…' }).click()
    await page().getByLabel('Reason').fill('wrong customer')
    await page().getByRole('button', { name: 'Continue' }).click()
    await page().getByRole('button', { name: 'Void Rp 24.000' }).click()
    await page().locator('.headline').getByText('Voided').waitFor()
    await page().getByText('wrong customer').waitFor()
  })
})

describe('overview and health', () => {
  test('money received is what was paid, as a plot and as a table', async () => {
    await e2e.go('/overview')
    const card = page().locator('.card').filter({ hasText: 'Money received' })
    await card.getByText('Rp 150.000').waitFor()
    await page().getByRole('img', { name: 'Received and refunded, per day' }).waitFor()
    await page().locator('summary').first().click()
    const table = page().getByRole('table', { name: 'Received and refunded, per day' })
    await table.getByText('Rp 150.000').waitFor()
    await page().getByRole('button', { name: '7 days' }).click()
    await page().waitForURL((url) => url.hash.includes('from='))
  })

  test('an alarm is assigned, noted and closed', async () => {
    await e2e.alarm()
    await e2e.go('/health')
    const alarm = page().locator('li').filter({ hasText: 'Late payment' })
    await alarm.getByRole('button', { name: 'Assign to me' }).click()
    await alarm.getByText('Assigned to sari').waitFor()
    await alarm.getByRole('button', { name: 'Note…' }).click()
    await page().getByLabel('What did you find?').fill('asked the shop')
    await page().getByRole('button', { name: 'Save note' }).click()
    await alarm.getByText('sari: asked the shop').waitFor()
    await alarm.getByRole('button', { name: 'Close…' }).click()
    await page().getByLabel('What did you find?').fill('shipped all the same')
    await page().getByRole('button', { name: 'Continue' }).click()
    await page().getByRole('button', { name: 'Close the alarm' }).click()
    await page().getByText('No alarm is open.').waitFor()
    await page().getByText('Reachable').waitFor()
  })
})

test.each([
  ['en', 'Export Excel'],
  ['id', 'Ekspor Excel'],
] as const)('a workbook opens and has what finance needs, in %s', async (language, button) => {
  const refunded = await e2e.paid('gopay', { gross_amount: 77_000, order_id: `xlsx-${language}` })
  await e2e.desk.gapura.api.refundPayment(SHOP, refunded.id, { amount: 7_000, reason: 'broken' })
  await e2e.signIn(language)
  await e2e.go('/payments?payment_type=gopay&sort=highest')
  await page().locator('tbody tr[data-row]').first().waitFor()
  const downloading = page().waitForEvent('download')
  await page().getByRole('button', { name: button }).focus()
  await page().keyboard.press('Enter')
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^payments-\d{4}-\d\d-\d\d\.xlsx$/)
  const [head, ...rows] = readXlsx(readFileSync(await download.path())).map(({ fields }) => fields)
  const api = await listed('/staff/payments/?payment_type=gopay&sort=highest&page_size=100')
  const column = (name: string) => rows.map((fields) => fields[head?.indexOf(name) ?? -1])
  expect(column('id')).toEqual(api.map(({ id }) => id))
  const row = column('order_id').indexOf(refunded.order_id)
  const value = (name: string) => column(name)[row]
  expect(Number(value('gross_amount'))).toBe(77_000)
  expect(Number(value('refund_amount'))).toBe(7_000)
  expect(value('settlement_time')).toMatch(/^\d{4}-\d\d-\d\d/)
})

test('the browser had nothing to complain about', () => {
  expect(e2e.desk.complaints.filter((one) => !/40[14] \(/.test(one))).toEqual([])
})
