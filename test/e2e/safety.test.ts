// What staff must never do by accident: refund by pressing Enter twice, act on a payment that is not
// the one searched for. By keyboard alone, in both languages.
import { beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { SHOP, useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page
const dialog = () => page().getByRole('dialog')
const press = async (...keys: string[]) => {
  for (const key of keys) await page().keyboard.press(key)
}
const refundAmount = async (id: string) =>
  (await e2e.desk.gapura.api.getPayment(SHOP, id)).refund_amount

interface Act {
  action: string
  reason: string | null
}
/** The audit entries of staff that changed the payment. */
const actsOn = async (id: string): Promise<Act[]> => {
  const { acts } = (await (await e2e.ask(`/staff/payments/${id}/`)).json()) as { acts: Act[] }
  return acts.filter(({ action }) => !/\.(?:read|list|search)$/.test(action))
}

beforeAll(async () => await e2e.signIn())

test('Enter pressed again and again on Refund… refunds nothing', async () => {
  const { id } = await e2e.paid('gopay')
  await e2e.signIn()
  await e2e.go(`/payments/${id}`)
  await page().getByRole('button', { name: 'Refund…' }).focus()
  await press('Enter')
  await dialog().waitFor()
  await press('Enter', 'Enter', 'Enter')
  // A reply of the service would have closed the dialog or shown a failure.
  await e2e.settled()
  expect(await refundAmount(id)).toBe('0.00')
  expect(await dialog().count()).toBe(1)
  expect(await actsOn(id)).toEqual([])
  await press('Escape')
})

test('a search without a result leaves no payment and no action on the screen', async () => {
  const { id } = await e2e.paid('gopay')
  await e2e.go(`/payments/${id}`)
  await page().getByRole('button', { name: 'Refund…' }).waitFor()
  await press('/')
  await page().keyboard.type('no-such-order-77')
  await press('Enter')
  await page().getByText('No payment found for “no-such-order-77”').first().waitFor()
  expect(await page().getByRole('button', { name: 'Refund…' }).count()).toBe(0)
  expect(await page().locator('main').textContent()).not.toContain('Rp')
})

const LANGUAGES = [
  {
    language: 'en',
    refund: 'Refund…',
    title: 'Refund to Budi Santoso',
    reason: 'Reason, kept in the audit',
    amount: 'Amount in rupiah',
    missing: 'Enter a reason of at least 3 characters.',
    next: 'Continue',
    review: [
      'Refund now',
      'Rp 50.000',
      'Payee',
      'Budi Santoso',
      'Refundable after it',
      'Rp 100.000',
    ],
    act: 'Refund Rp 50.000 to Budi Santoso',
    done: 'The refund of Rp 50.000 to Budi Santoso was sent.',
    searchbox: 'Find a payment',
    nothing: 'No payment found for “order-000”.',
    all: 'Show all payments',
  },
  {
    language: 'id',
    refund: 'Kembalikan dana…',
    title: 'Kembalikan dana ke Budi Santoso',
    reason: 'Alasan, disimpan dalam audit',
    amount: 'Jumlah dalam rupiah',
    missing: 'Isi alasan, paling sedikit 3 karakter.',
    next: 'Lanjut',
    review: [
      'Dikembalikan sekarang',
      'Rp 50.000',
      'Penerima',
      'Budi Santoso',
      'Sisa yang dapat dikembalikan',
      'Rp 100.000',
    ],
    act: 'Kembalikan Rp 50.000 ke Budi Santoso',
    done: 'Pengembalian Rp 50.000 ke Budi Santoso sudah dikirim.',
    searchbox: 'Cari pembayaran',
    nothing: 'Tidak ada pembayaran untuk “order-000”.',
    all: 'Tampilkan semua pembayaran',
  },
] as const

describe.each(LANGUAGES)('in $language, by keyboard', (text) => {
  test('a refund asks for the reason first, then names amount, payee and what remains', async () => {
    const { id } = await e2e.paid('gopay')
    await e2e.signIn(text.language)
    await e2e.go(`/payments/${id}`)
    await page().getByRole('button', { name: text.refund }).focus()
    await press('Enter')
    await dialog().getByRole('heading', { name: text.title }).waitFor()
    const focused = page().locator(':focus')
    expect(await page().locator('label:focus-within').textContent()).toBe(text.reason)
    expect(await violationsOf(page())).toEqual([])
    await press('Enter')
    await dialog().getByRole('alert').filter({ hasText: text.missing }).waitFor()
    expect(await violationsOf(page())).toEqual([])
    await page().keyboard.type('one cup came broken')
    await press('Tab')
    await press('Control+a')
    await page().keyboard.type('50.000')
    // Enter in the amount does nothing at all.
    await press('Enter')
    await dialog().getByLabel(text.amount).waitFor()
    await press('Tab', 'Tab', 'Enter')
    const review = dialog().locator('.review')
    for (const part of text.review) await review.getByText(part, { exact: true }).first().waitFor()
    await review.getByText('one cup came broken').waitFor()
    expect(await violationsOf(page())).toEqual([])
    // No button has the focus: a second Enter by habit sends nothing.
    await press('Enter', 'Enter')
    await e2e.settled()
    expect(await refundAmount(id)).toBe('0.00')
    await press('Tab', 'Tab')
    expect(await focused.textContent()).toBe(text.act.replaceAll(/Rp /g, 'Rp\u00a0'))
    await press('Enter')
    await page().getByRole('status').filter({ hasText: text.done }).waitFor()
    expect(await refundAmount(id)).toBe('50000.00')
    expect(await actsOn(id)).toMatchObject([
      { action: 'payment.refund', reason: 'one cup came broken' },
    ])
  })

  test('a search without a result has a page of its own, and the term stays nowhere else', async () => {
    const { id } = await e2e.charge('gopay')
    await e2e.signIn(text.language)
    await e2e.go(`/payments/${id}`)
    await press('/')
    await page().keyboard.type('order-000')
    await press('Enter')
    await page().getByRole('status').filter({ hasText: text.nothing }).waitFor()
    expect(new URL(page().url()).hash).toBe('#/search?q=order-000')
    expect(await page().getByRole('searchbox').inputValue()).toBe('order-000')
    expect(await violationsOf(page())).toEqual([])
    await page().getByRole('link', { name: text.all }).focus()
    await press('Enter')
    await page().locator('tbody tr[data-row]').first().waitFor()
    expect(await page().getByRole('searchbox', { name: text.searchbox }).inputValue()).toBe('')
    await page().goBack()
    await page().goBack()
    await page().waitForURL((url) => url.hash === `#/payments/${id}`)
    expect(await page().getByRole('searchbox').inputValue()).toBe('')
  })
})

describe('every other action that moves money or ends something', () => {
  beforeAll(async () => await e2e.signIn())

  /** Opens the dialog, sees that Enter alone does nothing, and goes through both steps. */
  async function through(open: string, act: string): Promise<void> {
    await page().getByRole('button', { name: open, exact: true }).focus()
    await press('Enter')
    await dialog().waitFor()
    await press('Enter', 'Enter')
    await dialog().getByRole('alert').filter({ hasText: 'Enter a reason' }).waitFor()
    await page().keyboard.type('asked by phone, ticket 12')
    await press('Enter')
    const review = dialog().locator('.review')
    await review.getByText('asked by phone, ticket 12').waitFor()
    await press('Enter', 'Enter')
    expect(await dialog().count()).toBe(1)
    await review.getByRole('button', { name: act }).focus()
    await press('Enter')
    await dialog().waitFor({ state: 'detached' })
  }

  test('a payment is cancelled, with the reason in the audit', async () => {
    const { id } = await e2e.charge('gopay')
    await e2e.go(`/payments/${id}`)
    await through('Cancel…', 'Cancel Rp 150.000')
    await page().locator('.headline').getByText('Cancelled').waitFor()
    expect(await actsOn(id)).toMatchObject([
      { action: 'payment.cancel', reason: 'asked by phone, ticket 12' },
    ])
  })

  test('an invoice is voided', async () => {
    const due_date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    const { id } = await e2e.desk.gapura.api.createInvoice(SHOP, {
      customer_name: 'Dewi',
      customer_email: 'dewi@example.com',
      due_date,
      items: [{ description: 'Lampu', price: 120_000, quantity: 1 }],
    })
    await e2e.go(`/invoices/${id}`)
    await through('Void…', 'Void Rp 120.000')
    await page().locator('.headline').getByText('Voided').waitFor()
    expect((await e2e.desk.gapura.api.getInvoice(SHOP, id)).void_reason).toBe(
      'asked by phone, ticket 12',
    )
  })

  test('a subscription is disabled and cancelled', async () => {
    const { id } = await e2e.subscribe()
    await e2e.go(`/subscriptions/${id}`)
    await through('Disable…', 'Disable')
    await page().locator('.headline').getByText('Disabled').waitFor()
    await through('Cancel…', 'Cancel permanently')
    await page().locator('.headline').getByText('Cancelled').waitFor()
    // Sealed or not yet, both are part of the audit.
    const entries = await e2e.desk.gapura.staff.listAudit(
      { owner_id: 'auditor', staff: true },
      { subject_id: id },
    )
    const acts = entries.filter(({ action }) => action.endsWith('_subscription'))
    expect(acts.map(({ actor, reason }) => [actor, reason])).toEqual([
      ['sari', 'asked by phone, ticket 12'],
      ['sari', 'asked by phone, ticket 12'],
    ])
  })

  test('an alarm is closed', async () => {
    await e2e.alarm()
    await e2e.go('/health')
    await through('Close…', 'Close the alarm')
    await page().getByText('No alarm is open.').waitFor()
  })
})

test('the browser had nothing to complain about', () => {
  expect(e2e.desk.complaints.filter((one) => !/40[14] \(/.test(one))).toEqual([])
})
