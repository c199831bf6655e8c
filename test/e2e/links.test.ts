// Payment links at the desk: created, copied, paid on the simulator's page, cancelled.
import { describe, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page
const button = (name: string) => page().getByRole('button', { name, exact: true })
const dialog = () => page().getByRole('dialog')

/** What axe finds in both colours and at two widths. */
async function faults(): Promise<string[]> {
  const found: string[] = []
  for (const width of [1_280, 390]) {
    await page().setViewportSize({ width, height: 900 })
    for (const theme of ['light', 'dark']) {
      await page().evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      for (const fault of await violationsOf(page())) found.push(`${width} ${theme} ${fault}`)
    }
  }
  await page().evaluate(`document.documentElement.dataset.theme = 'light'`)
  await page().setViewportSize({ width: 1_280, height: 900 })
  return found
}

async function create(amount: string, description: string): Promise<string> {
  await e2e.go('/links')
  await button('Create payment link…').click()
  await dialog().getByLabel('Amount in rupiah').fill(amount)
  await dialog().getByLabel('Description').fill(description)
  await dialog().getByLabel('Can be opened for').selectOption('1 hour')
  expect(await violationsOf(page())).toEqual([])
  await button('Create payment link').click()
  await page().locator('.headline').getByText('Open').waitFor()
  await button('Copy Payment link').click()
  return await page().evaluate<string>('navigator.clipboard.readText()')
}

describe('a payment link', () => {
  test('is created, copied, shown as a QR code, and paid', async () => {
    await e2e.signIn()
    const link = await create('Rp 150.000', 'Ordered by phone')
    expect(link).toMatch(/\/redirection\//)
    await page().getByRole('heading', { name: 'Rp 150.000' }).waitFor()
    await page().getByRole('img', { name: 'QR code of the payment link' }).waitFor()
    expect(await faults()).toEqual([])

    const token = link.split('/').at(-1) ?? ''
    await e2e.control(`checkouts/${token}/pay`, { method: 'bca_va' })
    await page().locator('.headline').getByText('Paid').waitFor()
    // What became of it, and the link is of no use any more.
    await page().getByRole('table', { name: 'Payments' }).getByText('Settled').waitFor()
    expect(await button('Copy Payment link').count()).toBe(0)
    expect(await button('Cancel payment link…').count()).toBe(0)
    expect(await faults()).toEqual([])
  })

  test('is cancelled after a question, and the list shows what became of each', async () => {
    await create('75000', 'A mistake')
    await button('Cancel payment link…').click()
    await dialog().getByText('It can then no longer be paid.').waitFor()
    await button('Keep it').click()
    await page().locator('.headline').getByText('Open').waitFor()
    await button('Cancel payment link…').click()
    await button('Cancel payment link').click()
    await page().locator('.headline').getByText('Cancelled').waitFor()
    await page().getByRole('link', { name: 'Back to payment links' }).click()
    const rows = page().locator('tbody tr[data-row]')
    await rows.filter({ hasText: 'A mistake' }).getByText('Cancelled').waitFor()
    await rows.filter({ hasText: 'Ordered by phone' }).getByText('Paid').waitFor()
    expect(await faults()).toEqual([])
    await page().getByLabel('Status').selectOption('Paid')
    await rows.filter({ hasText: 'A mistake' }).waitFor({ state: 'detached' })
  })

  test('is in Indonesian, too', async () => {
    await page().getByLabel('Language').selectOption('id')
    await page().getByRole('heading', { name: 'Tautan pembayaran' }).waitFor()
    await button('Buat tautan pembayaran…').click()
    await dialog().getByLabel('Jumlah dalam rupiah').waitFor()
    expect(await violationsOf(page())).toEqual([])
  })
})
