// Outgoing webhooks at the desk: an endpoint with a real receiver, from its creation to its end.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { useDesk } from './desk.ts'

const e2e = useDesk({
  webhooks: { keys: [randomBytes(32).toString('base64')], allow_private: true },
})
const page = () => e2e.desk.page
const button = (name: string) => page().getByRole('button', { name, exact: true })
const dialog = () => page().getByRole('dialog')
const announced = async (text: string) =>
  await page().getByRole('status').filter({ hasText: text }).waitFor()
const rows = () => page().locator('tbody tr[data-row]')

let status = 200
let received = 0
let address = ''
const receiver = createServer((request, response) => {
  received += 1
  request.resume()
  response.writeHead(status).end(`{"answered":${status}}`)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const WIDTHS = [1_280, 390]
const THEMES = ['light', 'dark'] as const

/** What axe finds in both colours and at two widths. */
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

describe('an endpoint', () => {
  test('is created, and its secret is shown once', async () => {
    await e2e.signIn()
    await e2e.go('/webhooks')
    await page().locator('.empty').waitFor()
    await button('Create endpoint…').click()
    await dialog().getByLabel('URL').fill(address)
    await dialog().getByLabel('Every event type of payments').uncheck()
    await dialog().getByText('Choose at least one type.').waitFor()
    expect(await button('Create endpoint').isDisabled()).toBe(true)
    expect(await faultsAt()).toEqual([])
    await dialog().getByLabel('payment_settled').check()
    await dialog().getByLabel('payment_received').check()
    await button('Create endpoint').click()
    const secret = await dialog().locator('code').textContent()
    expect(secret).toMatch(/^whsec_/)
    expect(await faultsAt()).toEqual([])
    await dialog().getByRole('button', { name: 'Copy Secret' }).click()
    await expect
      .poll(async () => await page().evaluate<string>('navigator.clipboard.readText()'))
      .toBe(secret)
    await button('I have stored it').click()
    await rows().getByText('All owners').waitFor()
    expect(await page().content()).not.toContain(secret)
    expect(await faultsAt()).toEqual([])
  })

  test('a test event and the events of a payment are in the log, with what was sent', async () => {
    await rows().getByRole('link', { name: address }).click()
    await button('Send test event').click()
    await announced('The test event is queued')
    await rows().getByText('webhook_test').waitFor()
    status = 500
    const payment = await e2e.charge('gopay')
    await expect.poll(() => received).toBeGreaterThanOrEqual(2)
    await expect
      .poll(async () => {
        await button('Refresh').click()
        return await rows().filter({ hasText: 'payment_received' }).count()
      })
      .toBeGreaterThan(0)
    status = 200
    await page().getByLabel('Outcome').selectOption('failed')
    await rows().getByText('webhook_test').waitFor({ state: 'detached' })
    await rows().filter({ hasText: 'payment_received' }).getByText('500').first().waitFor()
    await page().getByText('Failing since').waitFor()
    expect(await faultsAt()).toEqual([])
    await rows().getByRole('link').first().click()
    await page().getByText(`"order_id": "${payment.order_id}"`).waitFor()
    await page().getByText('"answered": 500').waitFor()
    expect(await faultsAt()).toEqual([])
    const before = received
    await button('Send again').click()
    await announced('Queued events: 1')
    await expect.poll(() => received).toBeGreaterThan(before)
  })

  test('what failed is sent again, from a time', async () => {
    await page().getByRole('link', { name: 'Back to the endpoint' }).click()
    await button('Send all failed since…').click()
    expect(await dialog().getByLabel('Since (WIB)').inputValue()).toMatch(/^\d{4}-\d\d-\d\dT/)
    await button('Send again').click()
    await announced('Queued events: ')
  })

  test('is paused, enabled, given a new secret and deleted', async () => {
    await button('Pause…').click()
    await button('Pause').click()
    await page().locator('.headline').getByText('Paused').waitFor()
    expect(await button('Send test event').count()).toBe(0)
    await button('Enable…').click()
    await dialog().getByLabel('Continue from (WIB)').fill('2026-01-31T00:00')
    expect(await faultsAt()).toEqual([])
    await button('Enable').click()
    await page().locator('.headline').getByText('Enabled').waitFor()
    await button('Rotate secret…').click()
    await button('Rotate secret').click()
    expect(await dialog().locator('code').textContent()).toMatch(/^whsec_/)
    await button('I have stored it').click()
    await button('Delete…').click()
    await dialog().getByLabel('Reason').fill('the till is gone')
    await button('Continue').click()
    await button('Delete permanently').click()
    await page().getByRole('heading', { name: 'Webhooks' }).waitFor()
    await page().locator('.empty').waitFor()
  })
})

describe('staff without the scope webhooks:write', () => {
  test('see the endpoints and no action', async () => {
    const { gapura } = e2e.desk
    const sari = { owner_id: 'sari', staff: true }
    const made = await gapura.api.createWebhookEndpoint(sari, { url: address, all_owners: true })
    const order = { owner_id: 'eka', name: 'reader', staff: true, scopes: ['staff:read'] as const }
    const { key } = await gapura.createApiKey(order)
    await e2e.signIn('en', key)
    await e2e.go('/webhooks')
    await rows().getByText('All owners').waitFor()
    expect(await button('Create endpoint…').count()).toBe(0)
    await e2e.go(`/webhooks/${made.id}`)
    await page().getByRole('heading', { name: 'Deliveries' }).waitFor()
    await page().locator('.empty').waitFor()
    expect(await page().locator('.actions').count()).toBe(0)
    expect(await button('Send all failed since…').count()).toBe(0)
  })
})

test('the page is in Indonesian, too', async () => {
  await e2e.signIn('id')
  await e2e.go('/webhooks')
  await button('Buat endpoint…').waitFor()
  await rows().getByText('Semua pemilik').waitFor()
  expect(await faultsAt()).toEqual([])
})

test('the browser had nothing to complain about', () => {
  expect(e2e.desk.complaints.filter((one) => !/40[14] \(/.test(one))).toEqual([])
})
