// Every page by axe, in both colours and at two widths; both languages from end to end.
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { SHOP, useDesk } from './desk.ts'

const e2e = useDesk({ webhooks: { keys: [randomBytes(32).toString('base64')] } })
const page = () => e2e.desk.page

const WIDTHS = [1_280, 390]
const THEMES = ['light', 'dark'] as const

async function faultsAt(): Promise<string[]> {
  const faults: string[] = []
  for (const width of WIDTHS) {
    await page().setViewportSize({ width, height: 900 })
    for (const theme of THEMES) {
      await page().evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      for (const fault of await violationsOf(page())) faults.push(`${width} ${theme} ${fault}`)
    }
  }
  await page().setViewportSize({ width: WIDTHS[0] ?? 0, height: 900 })
  return faults
}

describe('axe finds nothing', () => {
  test('on the way in', async () => {
    await page().goto(`${e2e.desk.url}/dashboard/`)
    await page().getByLabel(/API/).waitFor()
    expect(await faultsAt()).toEqual([])
  })

  test('on the list of payments, full and empty', async () => {
    await e2e.charge('bank_transfer')
    await e2e.paid('gopay')
    await e2e.signIn()
    await e2e.go('/payments')
    await page().locator('tbody tr[data-row]').first().waitFor()
    expect(await faultsAt()).toEqual([])
    await e2e.go('/payments?status=chargeback')
    await page().locator('.empty').waitFor()
    expect(await faultsAt()).toEqual([])
  })

  test('on a payment, with and without a dialog', async () => {
    const payment = await e2e.paid('qris')
    await e2e.go(`/payments/${payment.id}`)
    await page().locator('.timeline').waitFor()
    expect(await faultsAt()).toEqual([])
    await page().getByRole('button', { name: 'Refund…' }).click()
    expect(await faultsAt()).toEqual([])
    await page().keyboard.press('Escape')
  })

  test('on the overview, with its tables open', async () => {
    await e2e.go('/overview')
    await page().locator('.cards').waitFor()
    await page().locator('summary').first().click()
    expect(await faultsAt()).toEqual([])
  })

  test('on the inbox and a notification', async () => {
    await e2e.go('/notifications')
    await page().locator('tbody tr[data-row] a').first().waitFor()
    expect(await faultsAt()).toEqual([])
    await page().locator('tbody tr[data-row] a').first().click()
    await page().getByRole('button', { name: 'Replay…' }).waitFor()
    expect(await faultsAt()).toEqual([])
  })

  test('on invoices and an invoice', async () => {
    const due_date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    const { id } = await e2e.desk.gapura.api.createInvoice(SHOP, {
      customer_name: 'Dewi',
      customer_email: 'dewi@example.com',
      due_date,
      items: [{ description: 'Lampu', price: 12_000, quantity: 2 }],
    })
    await e2e.go('/invoices')
    await page().locator('tbody tr[data-row]').first().waitFor()
    expect(await faultsAt()).toEqual([])
    await e2e.go(`/invoices/${id}`)
    await page().getByRole('button', { name: 'Void…' }).click()
    expect(await faultsAt()).toEqual([])
    await page().keyboard.press('Escape')
  })

  test('on subscriptions and a subscription', async () => {
    const { id } = await e2e.subscribe()
    await e2e.go('/subscriptions')
    await page().locator('tbody tr[data-row]').first().waitFor()
    expect(await faultsAt()).toEqual([])
    await e2e.go(`/subscriptions/${id}`)
    expect(await faultsAt()).toEqual([])
  })

  test('on webhooks and an endpoint', async () => {
    const url = 'https://shop.example/webhooks'
    const { id } = await e2e.desk.gapura.api.createWebhookEndpoint(SHOP, { url })
    await e2e.go('/webhooks')
    await page().locator('tbody tr[data-row]').first().waitFor()
    expect(await faultsAt()).toEqual([])
    await e2e.go(`/webhooks/${id}`)
    await page().getByRole('button', { name: 'Delete…' }).click()
    expect(await faultsAt()).toEqual([])
    await page().keyboard.press('Escape')
  })

  test('on health, with an alarm', async () => {
    await e2e.alarm()
    await e2e.go('/health')
    await page().getByRole('button', { name: 'Assign to me' }).waitFor()
    expect(await faultsAt()).toEqual([])
  })

  test('on the team and the audit', async () => {
    await e2e.go('/team')
    await page().getByText('front desk').waitFor()
    await page().getByRole('row').filter({ hasText: 'finance' }).waitFor()
    expect(await faultsAt()).toEqual([])
    await e2e.go('/audit')
    await page().getByText('session.open').first().waitFor()
    expect(await faultsAt()).toEqual([])
  })
})

describe('both languages', () => {
  test('Indonesian from the list to a payment, chosen once and kept', async () => {
    const payment = await e2e.paid('gopay')
    await e2e.signIn()
    await page().getByLabel('Language').selectOption('id')
    await page().getByRole('heading', { name: 'Pembayaran' }).waitFor()
    expect(await page().locator('html').getAttribute('lang')).toBe('id')
    await page().reload()
    await e2e.go(`/payments/${payment.id}`)
    await page().locator('.why').filter({ hasText: 'Pembayar sudah membayar Rp 150.000' }).waitFor()
    await page().getByRole('button', { name: 'Kembalikan dana…' }).waitFor()
    await page().locator('time').filter({ hasText: 'WIB' }).first().waitFor()
    await page().getByLabel('Bahasa').selectOption('en')
    await page().getByRole('button', { name: 'Refund…' }).waitFor()
  })
})

test('the browser had nothing to complain about', () => {
  const refused = e2e.desk.complaints.filter((one) => !/40[14] \(/.test(one))
  expect(refused).toEqual([])
})
