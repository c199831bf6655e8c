// What a role sees: only what it allows; what is impossible says why, and no English text of the
// service is left in the Indonesian pages.
import { describe, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { SHOP, useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page
const button = (name: string) => page().getByRole('button', { name, exact: true })

const TEXTS = [
  {
    language: 'en',
    refresh: 'Refresh from the gateway',
    refund: 'Refund…',
    cancel: 'Cancel…',
    reads: 'Your role allows reading only.',
    note: 'Add note',
    void: 'Void…',
    take: 'Assign to me',
    why: 'Not possible: Only a paid payment can be refunded',
    reason: 'Reason, kept in the audit',
    next: 'Continue',
    act: 'Cancel Rp 150.000',
    error: 'The input is not valid',
    fault: 'must not contain a card number',
    means: 'The payment changed to Settled.',
    unknown: 'No payment here has this order ID; perhaps another system made it.',
    stale: 'The payment already had this status or a later one; nothing changed.',
    folded: 'Repeated and late notifications are not shown',
    all: 'Show also those without effect',
    replay: 'Replay…',
    late: 'The payer paid after the payment had ended.',
  },
  {
    language: 'id',
    refresh: 'Segarkan dari gateway',
    refund: 'Kembalikan dana…',
    cancel: 'Batalkan…',
    reads: 'Peran Anda hanya mengizinkan melihat.',
    note: 'Tambah catatan',
    void: 'Batalkan…',
    take: 'Tugaskan ke saya',
    why: 'Hanya pembayaran yang sudah dibayar yang dapat dikembalikan',
    reason: 'Alasan, disimpan dalam audit',
    next: 'Lanjut',
    act: 'Batalkan Rp 150.000',
    error: 'Isian tidak valid',
    fault: 'tidak boleh memuat nomor kartu, kunci atau token',
    means: 'Pembayaran berubah menjadi Lunas.',
    unknown: 'Tidak ada pembayaran dengan ID pesanan ini; mungkin dari sistem lain.',
    stale: 'Pembayaran sudah berstatus ini atau lebih lanjut; tidak ada yang berubah.',
    folded: 'Notifikasi berulang dan terlambat tidak ditampilkan',
    all: 'Tampilkan juga yang tanpa akibat',
    replay: 'Ulangi…',
    late: 'Pembayar membayar setelah pembayaran berakhir.',
  },
] as const

/** What the page shows, without what is marked as English. */
const shown = async (): Promise<string> =>
  await page().evaluate(`(() => {
    const copy = document.querySelector('main').cloneNode(true)
    for (const dialog of document.querySelectorAll('dialog')) copy.append(dialog.cloneNode(true))
    for (const one of copy.querySelectorAll('[lang="en"], pre, code')) one.remove()
    return copy.textContent
  })()`)

const due_date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)

describe.each(TEXTS)('in $language', (text) => {
  test('a role that only reads sees no action on any page, and that it is so', async () => {
    const paid = await e2e.paid('gopay')
    const { id: invoice } = await e2e.desk.gapura.api.createInvoice(SHOP, {
      customer_name: 'Dewi',
      customer_email: 'dewi@example.com',
      due_date,
      items: [{ description: 'Lampu', price: 12_000, quantity: 2 }],
    })
    await e2e.alarm()
    await e2e.signIn(text.language, await e2e.role('staff:read'))
    await e2e.go(`/payments/${paid.id}`)
    await page().getByText(text.reads).waitFor()
    expect(await page().locator('main .actions button').allTextContents()).toEqual([text.refresh])
    expect(await button(text.note).count()).toBe(0)
    expect(await violationsOf(page())).toEqual([])
    await e2e.go(`/invoices/${invoice}`)
    await page().locator('.headline').waitFor()
    expect(await button(text.void).count()).toBe(0)
    await e2e.go('/health')
    await page().getByText(text.late).first().waitFor()
    expect(await button(text.take).count()).toBe(0)
    expect(await violationsOf(page())).toEqual([])
    await e2e.go('/notifications')
    await page().locator('tbody tr[data-row] a').first().click()
    await page().locator('.why').waitFor()
    expect(await button(text.replay).count()).toBe(0)
  })

  test('a role sees its own actions alone; an impossible one says why', async () => {
    const payment = await e2e.charge('gopay')
    const support = await e2e.role('staff:read', 'staff:act', 'payments:write')
    await e2e.signIn(text.language, support)
    await e2e.go(`/payments/${payment.id}`)
    await button(text.cancel).waitFor()
    expect(await button(text.refund).count()).toBe(0)
    await e2e.signIn(text.language)
    await e2e.go(`/payments/${payment.id}`)
    await button(text.refund).focus()
    await page().getByRole('tooltip').filter({ hasText: text.why, visible: true }).waitFor()
  })

  test('a refusal of the service is in the language of the page', async () => {
    const payment = await e2e.charge('gopay')
    await e2e.signIn(text.language)
    await e2e.go(`/payments/${payment.id}`)
    await button(text.cancel).click()
    await page().getByLabel(text.reason).fill('card 4811111111111114')
    await button(text.next).click()
    await button(text.act.replace(/Rp /, 'Rp\u00a0')).click()
    const alert = page().getByRole('alert').filter({ hasText: text.error })
    await alert.getByText(text.fault).first().waitFor()
    expect(await violationsOf(page())).toEqual([])
    if (text.language === 'id') {
      expect(await shown()).not.toMatch(/must |request|Correct the|not valid/)
    }
  })

  test('the notifications say what each means, and fold those without effect', async () => {
    const payment = await e2e.paid('gopay')
    await e2e.database.sql(
      `insert into gapura.gateway_notification (id, order_id, transaction_status, effect, reason, raw_payload)
       values (gen_random_uuid(), 'foreign-1', 'settlement', 'unmatched', 'no_such_order', '{}'),
              (gen_random_uuid(), $1, 'pending', 'stale', null, '{}')`,
      [payment.order_id],
    )
    await e2e.signIn(text.language)
    await e2e.go('/notifications')
    const rows = page().locator('table.list tbody tr[data-row]')
    const meaning = rows.locator('td.text')
    await rows
      .filter({ hasText: payment.order_id })
      .locator('td.text')
      .getByText(text.means)
      .first()
      .waitFor()
    await meaning.getByText(text.unknown).first().waitFor()
    await page().getByText(text.folded).waitFor()
    expect(await meaning.getByText(text.stale).count()).toBe(0)
    expect(await violationsOf(page())).toEqual([])
    await page().getByLabel(text.all).focus()
    await page().keyboard.press('Space')
    await meaning.getByText(text.stale).first().waitFor()
    expect(await violationsOf(page())).toEqual([])
  })
})

test('the browser had nothing to complain about', () => {
  // A refused action is reported as HTTP 400, which the console logs.
  expect(e2e.desk.complaints.filter((one) => !/40[014] \(/.test(one))).toEqual([])
})
