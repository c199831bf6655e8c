// Draws docs/images/dashboard: the pages that the documentation keeps, light in English, dark in
// Indonesian, and narrow. With GAPURA_PICTURES=<folder> every page in every look is drawn there, to
// be looked at.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { useDesk } from './desk.ts'
import { keptPages, openMerchant, otherPages, type Shown } from './merchant.ts'

const given = process.env['GAPURA_PICTURES'] ?? '1'
const every = given !== '1'
const FOLDER = every ? given : new URL('../../docs/images/dashboard/', import.meta.url).pathname

const e2e = useDesk({
  refunds: { second_person_above: 200_000 },
  webhooks: { keys: [randomBytes(32).toString('base64')] },
  statements: { balance: true, days_back: 5 },
  publicUrl: 'https://pay.toko-ani.example',
  alerts: {
    channels: [
      {
        kind: 'email',
        name: 'mail',
        events: ['endpoint_disabled'],
        smtp_url: 'smtp://127.0.0.1:9',
        from: 'pay@toko-ani.example',
        to: ['staff@toko-ani.example'],
      },
    ],
  },
})
const page = () => e2e.desk.page
let shown: Shown

test('a merchant with two weeks of trade', async () => {
  mkdirSync(FOLDER, { recursive: true })
  shown = await openMerchant(e2e)
  await e2e.signIn()
  await e2e.go(`/payments/${shown.payment}`)
  await page()
    .getByLabel(/New note/)
    .fill('Pelanggan menelepon: satu cangkir pecah saat dikirim.')
  await page().getByRole('button', { name: 'Add note' }).click()
  await page().locator('.notes li').waitFor()
}, 240_000)

const WIDE = { width: 1_280, height: 860 }
const PHONE = { width: 390, height: 844 }
const LOOKS = [
  { name: 'en', language: 'en', theme: 'light', size: WIDE },
  { name: 'id-dark', language: 'id', theme: 'dark', size: WIDE },
  { name: 'narrow', language: 'id', theme: 'light', size: PHONE },
] as const
const OTHER_LOOKS = [
  { name: 'id', language: 'id', theme: 'light', size: WIDE },
  { name: 'en-dark', language: 'en', theme: 'dark', size: WIDE },
  { name: 'narrow-en-dark', language: 'en', theme: 'dark', size: PHONE },
] as const
type Look = (typeof LOOKS)[number] | (typeof OTHER_LOOKS)[number]

const picture = async (name: string, fullPage = false): Promise<void> => {
  await page().screenshot({ path: path.join(FOLDER, `${name}.png`), fullPage })
}

async function wear({ language, theme, size }: Look): Promise<void> {
  await page().setViewportSize(size)
  await page().evaluate(
    ([spoken, worn]) => {
      localStorage.setItem('gapura.language', spoken)
      localStorage.setItem('gapura.theme', worn)
    },
    [language, theme] as const,
  )
}

test.each([...LOOKS, ...(every ? OTHER_LOOKS : [])])(
  'every page, $name',
  async (look) => {
    await wear(look)
    for (const [title, hash] of Object.entries({
      ...keptPages(shown),
      ...(every && otherPages(shown)),
    })) {
      await e2e.go(hash)
      await page().locator('.loading').waitFor({ state: 'detached' })
      // Plots are drawn a frame after their place is known.
      await page().waitForTimeout(400)
      // Of a list only what is on the screen is there.
      const list = /^(?:payments|notifications|filtered)$/.test(title)
      await picture(`${title}-${look.name}`, (every || look.size === PHONE) && !list)
    }
  },
  300_000,
)

/** The button that opens a dialog, by its page; the first of its kind. */
const dialogs = (): Record<string, [hash: string, button: RegExp]> => ({
  'dialog-invoice': ['/invoices', /^(?:Create invoice|Buat invoice)…/],
  'dialog-link': ['/links', /^(?:Create payment link|Buat tautan pembayaran)…/],
  'dialog-cancel': [`/payments/${shown.pending}`, /^(?:Cancel|Batalkan)…/],
  'dialog-record': [`/payments/${shown.by_transfer}`, /^(?:Record a refund|Catat pengembalian)…/],
  'dialog-close': ['/finance/ledger', /^(?:Close a day|Tutup hari)…/],
  'dialog-import': ['/finance/statements', /^(?:Import a statement|Impor rekening koran)…/],
  'dialog-rate': ['/finance/rates', /^(?:Set a rate|Atur tarif)…/],
  'dialog-exception': [`/finance/exceptions/${shown.exception}`, /^(?:Accept|Terima).*…/],
  'dialog-export': ['/exports', /^(?:New scheduled export|Ekspor terjadwal baru)…/],
  'dialog-invite': ['/team', /^(?:Invite|Undang)…/],
  'dialog-role': ['/team', /^(?:New role|Peran baru)…/],
  'dialog-key': ['/team', /^(?:New key|Kunci baru)…/],
  'dialog-webhook': ['/webhooks', /^(?:Create endpoint|Buat endpoint)…/],
})

test.runIf(every).each([...LOOKS, ...OTHER_LOOKS])(
  'every dialog, $name',
  async (look) => {
    await wear(look)
    for (const [title, [hash, button]] of Object.entries(dialogs())) {
      await e2e.go(hash)
      await page().locator('main').getByRole('button', { name: button }).first().click()
      await page().getByRole('dialog').waitFor()
      await picture(`${title}-${look.name}`)
    }
    await e2e.go('/payments')
    await page().getByRole('searchbox').first().fill('budi')
    await page().locator('.found-now a').first().waitFor()
    await picture(`typing-${look.name}`)
  },
  300_000,
)

test('the dialogs that the documentation keeps', async () => {
  await wear(LOOKS[0])
  await e2e.go(`/payments/${shown.payment}`)
  await page().getByRole('button', { name: 'Refund…' }).click()
  await picture('refund-en')
  await page().getByLabel('Reason').fill('Cangkir kedua juga pecah')
  await page().getByRole('button', { name: 'Continue' }).click()
  await picture('refund-review-en')
  await page().keyboard.press('Escape')
  await e2e.go(`/payments/${shown.held}`)
  await page().locator('.held').getByRole('button', { name: 'Approve the refund…' }).click()
  await picture('approve-en')
  await page().keyboard.press('Escape')
})

test.each([...(every ? [...OTHER_LOOKS, ...LOOKS] : []), LOOKS[0]])(
  'the way in, $name',
  async (look) => {
    await page().context().clearCookies()
    await wear(look)
    await page().goto('about:blank')
    await page().goto(`${e2e.desk.url}/dashboard/`)
    await page().getByLabel(/API/).waitFor()
    await picture(`sign-in-${look.name}`)
    if (!every) return
    await page().goto('about:blank')
    await page().goto(`${e2e.desk.url}/dashboard/#/join?token=${shown.join}`)
    await page().getByRole('heading').first().waitFor()
    await picture(`join-${look.name}`, true)
  },
)

test('the pictures that the documentation keeps are small', () => {
  const files = readdirSync(FOLDER).map((file) => path.join(FOLDER, file))
  expect(files.length).toBeGreaterThan(0)
  if (every) return
  try {
    execFileSync('pngquant', ['--force', '--ext', '.png', '--speed', '1', '--strip', ...files])
  } catch {
    process.stdout.write('pngquant is not here: the pictures are larger than they need be\n')
  }
})
