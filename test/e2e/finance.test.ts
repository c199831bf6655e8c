// What finance does: a refund outside the gateway with a second person, the list of refunds, and the
// overview with its links. By keyboard alone, in both languages.
import { SCOPES } from 'gapura'
import { beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { SHOP, useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page
const dialog = () => page().getByRole('dialog')
let eka = ''

beforeAll(async () => {
  const order = { owner_id: 'eka', name: 'second desk', staff: true, scopes: SCOPES }
  eka = (await e2e.desk.gapura.createApiKey(order)).key
})

const press = async (name: string, within = page().locator('body')): Promise<void> => {
  await within.getByRole('button', { name, exact: true }).focus()
  await page().keyboard.press('Enter')
}

const TEXTS = [
  {
    language: 'en',
    record: 'Record a refund…',
    amount: 'Refunded amount in rupiah',
    reference: 'Transfer number',
    reason: 'Reason',
    next: 'Continue',
    ask: 'Request approval of Rp 40.000',
    held: 'paid outside the gateway, needs approval',
    approve: 'Approve the refund…',
    do: /Refund Rp 40\.000/,
    outside: 'outside the gateway',
    made: 'Made',
    failures: 'Failures by reason',
    compared: 'Compared with',
    create: 'Create invoice…',
    create_do: 'Create invoice',
    fields: ['Customer name', 'E-mail', 'What is billed', 'Amount in rupiah'],
    remind: 'Remind by e-mail',
    copy: /^Copy /,
  },
  {
    language: 'id',
    record: 'Catat pengembalian…',
    amount: 'Jumlah yang dikembalikan dalam rupiah',
    reference: 'Nomor transfer',
    reason: 'Alasan',
    next: 'Lanjut',
    ask: 'Minta persetujuan Rp 40.000',
    held: 'dibayar di luar gateway, perlu persetujuan',
    approve: 'Setujui pengembalian…',
    do: /Rp 40\.000/,
    outside: 'di luar gateway',
    made: 'Dilakukan',
    failures: 'Kegagalan menurut alasan',
    compared: 'Dibandingkan dengan',
    create: 'Buat invoice…',
    create_do: 'Buat invoice',
    fields: ['Nama pelanggan', 'E-mail', 'Yang ditagih', 'Jumlah dalam rupiah'],
    remind: 'Ingatkan lewat e-mail',
    copy: /^Salin /,
  },
] as const

describe.each(TEXTS)('in $language', (text) => {
  test('a refund by bank transfer is recorded, approved by another person, and counted', async () => {
    const payment = await e2e.paid('bank_transfer')
    await e2e.signIn(text.language)
    await e2e.go(`/payments/${payment.id}`)
    await press(text.record)
    await dialog().getByLabel(text.amount).fill('40.000')
    await dialog().getByLabel(text.reference).fill('TRF-778899')
    await dialog().getByLabel(text.reason).fill('goods were returned')
    expect(await violationsOf(page())).toEqual([])
    await press(text.next, dialog())
    await dialog().getByText('TRF-778899').waitFor()
    await press(text.ask, dialog())
    await page().locator('.held').getByText(text.held).waitFor()
    const amount = async () =>
      (await e2e.desk.gapura.api.getPayment(SHOP, payment.id)).refund_amount
    expect(await amount()).toBe('0.00')

    await e2e.signIn(text.language, eka)
    await e2e.go(`/payments/${payment.id}`)
    await press(text.approve)
    await dialog().getByLabel(text.reason).fill('saw the slip')
    await press(text.next, dialog())
    await dialog().getByRole('button', { name: text.do }).focus()
    await page().keyboard.press('Enter')
    await page().locator('.held').waitFor({ state: 'detached' })
    await expect.poll(amount).toBe('40000.00')
    await page().locator('.refunds').getByText('TRF-778899').waitFor()
    expect(await violationsOf(page())).toEqual([])
  })

  test('the list of refunds shows how each was made, and a row leads to its payment', async () => {
    await e2e.signIn(text.language)
    await e2e.go('/refunds')
    await page().getByLabel(text.made).selectOption(text.outside)
    await page().waitForURL((url) => url.hash.includes('source=outside'))
    const row = page().locator('tbody tr[data-row]').first()
    await row.getByText('TRF-778899').last().waitFor()
    expect(await violationsOf(page())).toEqual([])
    await page().locator('main').focus()
    await page().keyboard.press('j')
    await page().keyboard.press('Enter')
    await page().waitForURL((url) => url.hash.startsWith('#/payments/'))
  })

  test('the overview compares with the period before, and its figures lead to payments', async () => {
    const denied = await e2e.charge('gopay')
    await e2e.control(`transactions/${denied.order_id}/expire`)
    await e2e.desk.gapura.api.getStatus(SHOP, denied.id)
    await e2e.go('/overview')
    await page().getByText(text.compared).waitFor()
    await page().getByRole('heading', { name: text.failures }).waitFor()
    expect(await violationsOf(page())).toEqual([])
    await page().getByRole('table', { name: text.failures }).getByRole('link').first().focus()
    await page().keyboard.press('Enter')
    await page().waitForURL((url) => url.hash.includes('status=expire'))
    await page().locator('tbody tr[data-row]').first().waitFor()
  })

  test('an invoice is created, its link copied, and a reminder written', async () => {
    await e2e.go('/invoices')
    await press(text.create)
    const values = ['Wati Lestari', 'wati@example.com', 'Teh Melati', '75.000']
    for (const [at, label] of text.fields.entries()) {
      await dialog().getByLabel(label, { exact: true }).focus()
      await page().keyboard.type(values[at] ?? '')
    }
    expect(await violationsOf(page())).toEqual([])
    await press(text.create_do, dialog())
    await page().getByRole('heading', { name: 'Rp 75.000' }).waitFor()
    const remind = page().getByRole('link', { name: text.remind })
    const address = decodeURIComponent((await remind.getAttribute('href')) ?? '')
    expect(address).toContain('mailto:wati@example.com?subject=')
    expect(address).toContain('Rp\u00a075.000')
    const sheet = page().locator('section.sheet').filter({ has: remind })
    await sheet.getByRole('button', { name: text.copy }).focus()
    await page().keyboard.press('Enter')
    expect(address).toContain(await page().evaluate<string>('navigator.clipboard.readText()'))
    expect(await violationsOf(page())).toEqual([])
  })
})
