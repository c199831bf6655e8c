// Scheduled exports: made from the filters of the list, sent by a real worker to a real mail server,
// opened by the link of the mail, ended with a reason. By keyboard alone, in both languages.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { useMailServer } from '../../packages/service/test/main/mail_server.ts'
import { violationsOf } from './browser.ts'
import { useDesk } from './desk.ts'

const server = useMailServer()
const e2e = useDesk({
  prepare: async (url) =>
    await Promise.resolve({
      publicUrl: url,
      alerts: {
        channels: [
          {
            kind: 'email' as const,
            name: 'mail',
            events: ['endpoint_disabled' as const],
            smtp_url: server.smtp_url,
            from: 'pay@shop.example',
            to: ['staff@shop.example'],
          },
        ],
      },
    }),
})
const page = () => e2e.desk.page
const dialog = () => page().getByRole('dialog')

const press = async (role: 'button' | 'link', name: string, within = page().locator('body')) => {
  await within.getByRole(role, { name, exact: true }).focus()
  await page().keyboard.press('Enter')
}

const TEXTS = [
  {
    language: 'en',
    link: 'By e-mail…',
    create: 'New scheduled export…',
    name: 'Name',
    file: 'File',
    status: 'Status',
    recipients: 'E-mail addresses',
    create_do: 'Create scheduled export',
    taken: 'another schedule has it',
    table: 'Scheduled exports',
    filter: 'Settled, QRIS',
    subject: 'daily export of payments',
    download: 'Download CSV',
    end: 'End…',
    reason: 'Reason',
    next: 'Continue',
    end_do: 'End the scheduled export',
    empty: 'There is no scheduled export.',
    gone: 'This scheduled export was ended.',
  },
  {
    language: 'id',
    link: 'Lewat e-mail…',
    create: 'Ekspor terjadwal baru…',
    name: 'Nama',
    file: 'Berkas',
    status: 'Status',
    recipients: 'Alamat e-mail',
    create_do: 'Buat ekspor terjadwal',
    taken: 'nama ini sudah dipakai',
    table: 'Ekspor terjadwal',
    filter: 'Lunas, QRIS',
    subject: 'ekspor pembayaran harian',
    download: 'Unduh CSV',
    end: 'Akhiri…',
    reason: 'Alasan',
    next: 'Lanjut',
    end_do: 'Akhiri ekspor terjadwal',
    empty: 'Belum ada ekspor terjadwal.',
    gone: 'Ekspor terjadwal ini sudah diakhiri.',
  },
] as const

describe.each(TEXTS)('in $language', (text) => {
  const { language } = text
  const name = `Tutup buku ${language}`
  const row = () => page().getByRole('row').filter({ hasText: name })
  let link = ''

  async function fill(): Promise<void> {
    await press('button', text.create)
    await page().keyboard.type(name)
    await dialog().getByLabel(text.file).selectOption('csv')
    await dialog().getByLabel(text.recipients).focus()
    await page().keyboard.type('finance@shop.example\nowner@shop.example')
    await press('button', text.create_do, dialog())
  }

  test('one is made with the filters of the list; a second of its name is refused', async () => {
    await e2e.signIn(language)
    await e2e.go('/payments?status=settlement&payment_type=qris')
    await press('link', text.link)
    await page().getByRole('heading', { name: text.table }).waitFor()
    expect(await violationsOf(page())).toEqual([])
    await fill()
    await row().getByText(text.filter).waitFor()
    await dialog().waitFor({ state: 'detached' })
    expect(await violationsOf(page())).toEqual([])
    await fill()
    await dialog().getByText(text.taken).first().waitFor()
    expect(await violationsOf(page())).toEqual([])
    await page().keyboard.press('Escape')
  })

  test('its mail has a link and no payment data; the link downloads the file of the period', async () => {
    const payment = await e2e.paid('qris', { order_id: `scheduled-${language}` })
    server.mails.length = 0
    await e2e.database.sql('update gapura.export_schedule set due_at = gapura.now()')
    await expect.poll(() => server.mails.length).toBe(1)
    const [mail] = server.mails
    const sent = (mail?.text ?? '').replaceAll('=\n', '').replaceAll('=3D', '=')
    expect(sent).toContain(text.subject)
    expect(sent).not.toMatch(/Budi|Santoso|scheduled-|Tutup/)
    link = /https?:\/\/\S+\/dashboard\/#\/exports\/\S+/.exec(sent)?.[0] ?? ''
    // Without a session the link leads to the sign-in page.
    await page().context().clearCookies()
    await page().goto('about:blank')
    await page().goto(link)
    await page().locator('form').first().waitFor()
    expect(await page().getByRole('button', { name: text.download }).count()).toBe(0)
    await e2e.signIn(language)
    await page().goto('about:blank')
    await page().goto(link)
    await page().getByRole('heading', { name }).waitFor()
    expect(await violationsOf(page())).toEqual([])
    const downloading = page().waitForEvent('download')
    await press('button', text.download)
    const csv = readFileSync(await (await downloading).path(), 'utf8')
    expect(csv).toContain(payment.id)
  })

  test('it is ended with a reason and a second step; the link then says so', async () => {
    await e2e.go('/exports')
    await press('button', text.end, row())
    await page().keyboard.type('the accountant left')
    await page().keyboard.press('Enter')
    await dialog().getByText('owner@shop.example').waitFor()
    await page().keyboard.press('Enter')
    await e2e.settled()
    expect(await row().count()).toBe(1)
    expect(await violationsOf(page())).toEqual([])
    await press('button', text.end_do, dialog())
    await page().getByText(text.empty).waitFor()
    await page().goto('about:blank')
    await page().goto(link)
    await page().getByText(text.gone).waitFor()
    expect(await violationsOf(page())).toEqual([])
  })
})

test('the browser had nothing to complain about', () => {
  expect(e2e.desk.complaints.filter((one) => !/40[014] \(/.test(one))).toEqual([])
})
