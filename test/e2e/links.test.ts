// Payment links at the desk: created, copied, paid on the simulator's page, made for another owner,
// cancelled with a reason. By keyboard alone, in both languages.
import { beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { SHOP, useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page
const button = (name: string) => page().getByRole('button', { name, exact: true })
const dialog = () => page().getByRole('dialog')
const rows = () => page().locator('tbody tr[data-row]')

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

const press = async (name: string): Promise<void> => {
  await button(name).focus()
  await page().keyboard.press('Enter')
}

const TEXTS = [
  {
    language: 'en',
    create: 'Create payment link…',
    amount: 'Amount in rupiah',
    description: 'Description',
    period: 'Can be opened for',
    hour: '1 hour',
    owner: 'Owner',
    create_do: 'Create payment link',
    copy: 'Copy Payment link',
    qr: 'QR code of the payment link',
    open: 'Open',
    paid: 'Paid',
    settled: 'Settled',
    payments: 'Payments',
    cancel: 'Cancel payment link…',
    keep: 'Keep it',
    reason: 'Reason',
    missing: 'Enter a reason of at least',
    next: 'Continue',
    cancel_do: 'Cancel the link of Rp 75.000',
    cancelled: 'Cancelled',
    back: 'Back to payment links',
    status: 'Status',
  },
  {
    language: 'id',
    create: 'Buat tautan pembayaran…',
    amount: 'Jumlah dalam rupiah',
    description: 'Keterangan',
    period: 'Dapat dibuka selama',
    hour: '1 jam',
    owner: 'Pemilik',
    create_do: 'Buat tautan pembayaran',
    copy: 'Salin Tautan pembayaran',
    qr: 'Kode QR tautan pembayaran',
    open: 'Terbuka',
    paid: 'Lunas',
    settled: 'Lunas',
    payments: 'Pembayaran',
    cancel: 'Batalkan tautan pembayaran…',
    keep: 'Jangan batalkan',
    reason: 'Alasan',
    missing: 'Isi alasan, paling sedikit',
    next: 'Lanjut',
    cancel_do: 'Batalkan tautan Rp 75.000',
    cancelled: 'Dibatalkan',
    back: 'Kembali ke tautan pembayaran',
    status: 'Status',
  },
] as const

describe.each(TEXTS)('a payment link in $language', (text) => {
  const { language } = text
  const ordered = `Ordered by phone ${language}`
  const mistaken = `A mistake ${language}`

  async function create(amount: string, description: string, owner = ''): Promise<string> {
    await e2e.go('/links')
    await press(text.create)
    for (const [label, typed] of [
      [text.amount, amount],
      [text.description, description],
      [text.owner, owner],
    ] as const) {
      await dialog().getByLabel(label).focus()
      await page().keyboard.type(typed)
    }
    await dialog().getByLabel(text.period).selectOption(text.hour)
    expect(await violationsOf(page())).toEqual([])
    await press(text.create_do)
    await page().locator('.headline').getByText(text.open).waitFor()
    await press(text.copy)
    return await page().evaluate<string>('navigator.clipboard.readText()')
  }

  beforeAll(async () => await e2e.signIn(language))

  test('is created, copied, shown as a QR code, and paid', async () => {
    const link = await create('Rp 150.000', ordered)
    expect(link).toMatch(/\/redirection\//)
    await page().getByRole('heading', { name: 'Rp 150.000' }).waitFor()
    await page().getByRole('img', { name: text.qr }).waitFor()
    expect(await faults()).toEqual([])

    const token = link.split('/').at(-1) ?? ''
    await e2e.control(`checkouts/${token}/pay`, { method: 'bca_va' })
    await page().locator('.headline').getByText(text.paid).waitFor()
    // What became of it, and the link is of no use any more.
    await page().getByRole('table', { name: text.payments }).getByText(text.settled).waitFor()
    expect(await button(text.copy).count()).toBe(0)
    expect(await button(text.cancel).count()).toBe(0)
    expect(await faults()).toEqual([])
  })

  test('belongs to the owner that staff name', async () => {
    await create('60000', `For the shop ${language}`, SHOP.owner_id)
    const { results } = await e2e.desk.gapura.api.listCheckouts(SHOP)
    expect(results.map(({ description }) => description)).toContain(`For the shop ${language}`)
  })

  test('is cancelled with a reason and a second step, and the list shows what became of each', async () => {
    await create('75000', mistaken)
    const id = page().url().split('/').at(-1) ?? ''
    await press(text.cancel)
    // Enter twice by habit ends nothing: first the reason is missing, then no button has the focus.
    await page().keyboard.press('Enter')
    await page().keyboard.press('Enter')
    await dialog().getByText(text.missing).waitFor()
    expect(await violationsOf(page())).toEqual([])
    await press(text.keep)
    await page().locator('.headline').getByText(text.open).waitFor()
    await press(text.cancel)
    await page().keyboard.type('typed the wrong amount')
    await page().keyboard.press('Enter')
    await dialog().getByText('typed the wrong amount').waitFor()
    await page().keyboard.press('Enter')
    await e2e.settled()
    await page().locator('.headline').getByText(text.open).waitFor()
    expect(await violationsOf(page())).toEqual([])
    await press(text.cancel_do)
    await page().locator('.headline').getByText(text.cancelled).waitFor()
    const audit = await e2e.desk.gapura.staff.listAudit(
      { owner_id: 'root', staff: true },
      { subject_id: id, action: 'checkout.cancel_checkout' },
    )
    expect(audit).toMatchObject([{ actor: 'sari', reason: 'typed the wrong amount' }])
    await page().getByRole('link', { name: text.back }).focus()
    await page().keyboard.press('Enter')
    // The first is for a phone, in the cell of the amount.
    await rows().filter({ hasText: mistaken }).getByText(text.cancelled).last().waitFor()
    await rows().filter({ hasText: ordered }).getByText(text.paid).last().waitFor()
    expect(await faults()).toEqual([])
    await page().getByLabel(text.status).selectOption(text.paid)
    await rows().filter({ hasText: mistaken }).waitFor({ state: 'detached' })
  })

  test('is only shown to staff whose role may not create or cancel', async () => {
    await e2e.signIn(language, await e2e.role('staff:read'))
    await e2e.go('/links')
    await rows().first().waitFor()
    expect(await button(text.create).count()).toBe(0)
    await e2e.signIn(language, await e2e.role('staff:read', 'payments:write'))
    await e2e.go('/links')
    await press(text.create)
    expect(await dialog().getByLabel(text.owner).count()).toBe(0)
    await page().keyboard.press('Escape')
    const open = rows().filter({ hasText: `For the shop ${language}` })
    await open.getByRole('link').focus()
    await page().keyboard.press('Enter')
    await page().locator('.headline').getByText(text.open).waitFor()
    expect(await button(text.cancel).count()).toBe(0)
  })
})
