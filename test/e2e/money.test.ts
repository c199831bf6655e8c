// What an accountant does at the end of a month: balances, journals, statements with their columns,
// the rate card and the month-end file. By keyboard alone, in both languages.
import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page
const dialog = () => page().getByRole('dialog')

const press = async (name: string, within: Locator = page().locator('body')): Promise<void> => {
  await within.getByRole('button', { name, exact: true }).focus()
  await page().keyboard.press('Enter')
}

const open = async (link: Locator): Promise<void> => {
  await link.focus()
  await page().keyboard.press('Enter')
}

const fileOf = (name: string, text: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

const choose = async (within: Locator, name: string, text: string): Promise<void> =>
  await within.locator('input[type=file]').setInputFiles(fileOf(name, text))

const TEXTS = [
  {
    language: 'en',
    total: '5000',
    shown: 'Rp 5.000',
    gateway: 'Balance at the gateway',
    received: 'Payment received',
    journal: 'Journal of this payment',
    close: 'Close a day…',
    close_do: 'Close the days',
    closed: 'Closed days',
    import: 'Import a statement…',
    do: 'Import',
    format: 'Format',
    columns: 'Columns',
    refused: 'Refused lines',
    refused_why: 'the date must be as 31/01/2026',
    repeated: 'This file was imported before; nothing was changed.',
    hostile: 'has no line with the names of the columns',
    bca: 'BCA, CSV',
    portal: 'Gateway portal, CSV',
    time: 'Time',
    amount: 'Amount',
    name: 'Name',
    store: 'Store the columns',
    set: 'Set a rate…',
    set_do: 'Set the rate',
    next: 'Continue',
    why: 'Basis of the rate, such as a contract; kept in the audit',
    fixed: 'Fixed amount',
    channel: 'Bank or store',
    former: 'Until now',
    by_staff: 'Set by staff',
    xlsx: 'Export Excel',
    csv: 'Export CSV',
  },
  {
    language: 'id',
    total: '6000',
    shown: 'Rp 6.000',
    gateway: 'Saldo di gateway',
    received: 'Pembayaran diterima',
    journal: 'Jurnal pembayaran ini',
    close: 'Tutup hari…',
    close_do: 'Tutup hari-hari itu',
    closed: 'Hari yang ditutup',
    import: 'Impor rekening koran…',
    do: 'Impor',
    format: 'Format',
    columns: 'Kolom',
    refused: 'Baris yang ditolak',
    refused_why: 'tanggal harus seperti 31/01/2026',
    repeated: 'Berkas ini sudah pernah diimpor; tidak ada yang diubah.',
    hostile: 'tidak punya baris nama kolom',
    bca: 'BCA, CSV',
    portal: 'Portal gateway, CSV',
    time: 'Waktu',
    amount: 'Jumlah',
    name: 'Nama',
    store: 'Simpan kolom',
    set: 'Atur tarif…',
    set_do: 'Simpan tarif',
    next: 'Lanjut',
    why: 'Dasar tarif, misalnya kontrak; disimpan dalam audit',
    fixed: 'Jumlah tetap',
    channel: 'Bank atau gerai',
    former: 'Sampai sekarang',
    by_staff: 'Diatur staf',
    xlsx: 'Ekspor Excel',
    csv: 'Ekspor CSV',
  },
] as const

const statement = (language: string): string =>
  [
    'Tanggal Transaksi,Keterangan,Cabang,Jumlah',
    `01/01/2026,TRSF E-BANKING ${language},0000,"1,000.00 CR"`,
    `32/01/2026,WRONG DAY ${language},0000,"1,000.00 CR"`,
  ].join('\n')

describe.each(TEXTS)('in $language', (text) => {
  test('balances lead to the days of an account, its journal and the payment', async () => {
    const payment = await e2e.paid('gopay')
    await e2e.signIn(text.language)
    await e2e.go('/finance/ledger')
    await page().getByRole('link', { name: text.gateway }).waitFor()
    expect(await violationsOf(page())).toEqual([])
    await open(page().getByRole('link', { name: text.gateway }))
    await page().getByRole('heading', { level: 1, name: text.gateway }).waitFor()
    await page().locator('main table a').first().waitFor()
    expect(await violationsOf(page())).toEqual([])
    await open(page().locator('main table a').first())
    await page().waitForURL((url) => url.hash.includes('/finance/journal'))
    await page().locator('tbody tr[data-row]').first().waitFor()
    expect(await violationsOf(page())).toEqual([])
    await page().locator('main').focus()
    await page().keyboard.press('j')
    await page().keyboard.press('Enter')
    await page().waitForURL((url) => url.hash.startsWith('#/payments/'))

    await e2e.go(`/payments/${payment.id}`)
    await open(page().getByRole('link', { name: text.journal }))
    await page().getByRole('link', { name: text.received }).waitFor()
    expect(await page().locator('tbody tr[data-row]').count()).toBe(1)
  })

  test('a day is closed after a second look, and is listed', async () => {
    await e2e.go('/finance/ledger')
    await press(text.close)
    expect(await violationsOf(page())).toEqual([])
    await press(text.close_do, dialog())
    await dialog().waitFor({ state: 'detached' })
    await page().getByRole('table', { name: text.closed }).getByText('sari').first().waitFor()
  })

  test('a statement is imported once; its refused lines are listed with reasons', async () => {
    await e2e.go('/finance/statements')
    await press(text.import)
    await choose(dialog(), 'hostile.csv', 'hello')
    await press(text.do, dialog())
    await dialog().getByText(text.hostile).first().waitFor()
    expect(await violationsOf(page())).toEqual([])
    await choose(dialog(), `bca-${text.language}.csv`, statement(text.language))
    await press(text.do, dialog())
    const refused = page().getByRole('table', { name: text.refused })
    await refused.getByText(text.refused_why).waitFor()
    await page().getByText(`TRSF E-BANKING ${text.language}`).waitFor()
    expect(await violationsOf(page())).toEqual([])

    await e2e.go('/finance/statements')
    await page()
      .getByRole('link', { name: `bca-${text.language}.csv` })
      .waitFor()
    await press(text.import)
    await choose(dialog(), `again-${text.language}.csv`, statement(text.language))
    await press(text.do, dialog())
    await page().locator('.notice').getByText(text.repeated).waitFor()
    await page()
      .getByRole('heading', { level: 1, name: `bca-${text.language}.csv` })
      .waitFor()
    await e2e.go('/finance/statements')
    await page().locator('tbody tr[data-row]').first().waitFor()
    expect(await violationsOf(page())).toEqual([])
    expect(
      await page()
        .getByRole('link', { name: `again-${text.language}.csv` })
        .count(),
    ).toBe(0)
  })

  test('the columns of a portal’s export are stored and used by an import', async () => {
    const export_csv = `Kapan,Nomor,Total\n2026-01-31 10:00,order-${text.language},${text.total}\n`
    await e2e.go('/finance/mappings')
    await choose(page().locator('main'), 'export.csv', export_csv)
    const column = (name: string) => page().getByRole('combobox', { name, exact: true })
    await column(text.time).selectOption('Kapan')
    await column(text.amount).selectOption('Total')
    await page().getByRole('textbox', { name: text.name }).fill(`daily ${text.language}`)
    expect(await violationsOf(page())).toEqual([])
    await press(text.store)
    await page()
      .getByRole('cell', { name: `daily ${text.language}` })
      .waitFor()
    await e2e.go('/finance/statements')
    await press(text.import)
    await choose(dialog(), `portal-${text.language}.csv`, export_csv)
    await dialog().getByLabel(text.format).selectOption(text.portal)
    await dialog().getByLabel(text.columns).selectOption(`daily ${text.language}`)
    await press(text.do, dialog())
    await page()
      .getByRole('heading', { level: 1, name: `portal-${text.language}.csv` })
      .waitFor()
    await page().getByText(text.shown).waitFor()
  })

  test('a rate is set with a reason after a look at the former one', async () => {
    await e2e.go('/finance/rates')
    await press(text.set)
    await dialog().getByLabel(text.why).fill(`contract of 2026, ${text.language}`)
    await dialog().getByLabel(text.channel).fill('bca')
    await dialog().getByLabel(text.fixed).fill('3.500')
    expect(await violationsOf(page())).toEqual([])
    await press(text.next, dialog())
    await dialog().getByText(text.former).waitFor()
    await dialog().getByText('0% + Rp 3.500').last().waitFor()
    await press(text.set_do, dialog())
    await dialog().waitFor({ state: 'detached' })
    const row = page().locator('main tbody tr').filter({ hasText: 'bca' })
    await row.getByText(`contract of 2026, ${text.language}`).waitFor()
    await row.getByText(text.by_staff).waitFor()
    expect(await violationsOf(page())).toEqual([])
  })

  test('the month-end file is saved as Excel and CSV', async () => {
    await e2e.go('/finance/month')
    await page().locator('input[type=month]').fill(new Date().toISOString().slice(0, 7))
    expect(await violationsOf(page())).toEqual([])
    for (const [button, ending] of [
      [text.xlsx, 'xlsx'],
      [text.csv, 'csv'],
    ] as const) {
      const saving = page().waitForEvent('download')
      await press(button)
      const saved = await saving
      expect(saved.suggestedFilename()).toMatch(new RegExp(`^month-.*\\.${ending}$`))
      const content = await readFile(await saved.path())
      if (ending === 'csv') expect(content.toString()).toContain('"gross","fee","vat"')
      else expect(content.subarray(0, 2).toString()).toBe('PK')
    }
  })
})

test('a viewer sees the figures and no button that changes something', async () => {
  await e2e.signIn('en', await e2e.role('staff:read'))
  const [en] = TEXTS
  for (const [path, button] of [
    ['/finance/ledger', en.close],
    ['/finance/statements', en.import],
    ['/finance/mappings', en.store],
    ['/finance/rates', en.set],
  ] as const) {
    await e2e.go(path)
    await e2e.settled()
    expect(await page().getByRole('button', { name: button }).count()).toBe(0)
  }
  // Files that were refused on purpose, and the session that the new sign-in ended.
  const expected = /40(?:0 \(Bad Request|1 \(Unauthorized)\)/
  expect(e2e.desk.complaints.filter((one) => !expected.test(one))).toEqual([])
})
