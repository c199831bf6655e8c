// Payouts, exceptions and balance proofs: an accountant finds a fee that differs, decides about it and
// undoes it, by keyboard alone, in both languages.
import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page
const dialog = () => page().getByRole('dialog')
const STAFF = { owner_id: 'sari', staff: true } as const

const press = async (
  name: string | RegExp,
  within: Locator = page().locator('main'),
): Promise<void> => {
  await within.getByRole('button', { name }).first().focus()
  await page().keyboard.press('Enter')
}

const open = async (link: Locator): Promise<void> => {
  await link.focus()
  await page().keyboard.press('Enter')
}

const today = (): string => new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)

/** A report of the gateway with a fee that the rate card does not expect, and the payout of it. */
async function reported(order_id: string, payout: string): Promise<void> {
  const text = [
    'Date & Time,Order ID,Amount,Fee,Transaction Type,Status,Withdrawal ID',
    `${today()} 00:10:00,${order_id},150000,5000,Payment,settlement,${payout}`,
    `${today()} 00:20:00,,145000,0,Withdrawal,completed,${payout}`,
  ].join('\n')
  await e2e.desk.gapura.staff.importStatement(STAFF, {
    file_name: `${payout}.csv`,
    format: 'portal_csv',
    content_base64: Buffer.from(text).toString('base64'),
  })
  await e2e.desk.gapura.staff.runReconciliation(STAFF)
}

const TEXTS = [
  {
    language: 'en',
    cause: 'Fee differs from the rate card',
    accept: 'Accept as it is…',
    do: 'Accept',
    reason: 'Reason',
    next: 'Continue',
    decided: 'Decided',
    undo: 'Undo…',
    undo_do: 'Undo',
    undone: 'undone',
    inside: 'Inside this payout',
    proof: 'Balance proof',
  },
  {
    language: 'id',
    cause: 'Biaya berbeda dari tarif',
    accept: 'Terima apa adanya…',
    do: 'Terima',
    reason: 'Alasan',
    next: 'Lanjut',
    decided: 'Diputuskan',
    undo: 'Urungkan…',
    undo_do: 'Urungkan',
    undone: 'diurungkan',
    inside: 'Isi pencairan ini',
    proof: 'Bukti saldo',
  },
] as const

describe.each(TEXTS)('in $language', (text) => {
  const payout = `WLST${text.language}00001`

  test('an exception is accepted with a reason, is decided, and can be undone', async () => {
    const payment = await e2e.paid('gopay')
    await reported(payment.order_id, payout)
    await e2e.signIn(text.language)
    await e2e.go('/finance/exceptions')
    const row = page().locator('tbody tr[data-row]').filter({ hasText: payment.order_id })
    await row.getByText(text.cause).waitFor()
    expect(await violationsOf(page())).toEqual([])
    await open(row.getByRole('link'))
    await page().getByRole('heading', { level: 1, name: text.cause }).waitFor()
    expect(await violationsOf(page())).toEqual([])
    await press(text.accept)
    await dialog().getByLabel(text.reason).fill('agreed with the gateway by mail')
    await press(text.next, dialog())
    expect(await violationsOf(page())).toEqual([])
    await press(text.do, dialog())
    await dialog().waitFor({ state: 'detached' })
    await page().locator('.pill').getByText(text.decided).waitFor()
    await page().getByText('agreed with the gateway by mail').waitFor()
    await press(text.undo)
    await dialog().getByLabel(text.reason).fill('the mail was about another order')
    await press(text.next, dialog())
    await press(text.undo_do, dialog())
    await dialog().waitFor({ state: 'detached' })
    await page().locator('.plain-list').getByText(text.undone).first().waitFor()
    await page().getByRole('button', { name: text.accept }).waitFor()
    expect(await violationsOf(page())).toEqual([])
  })

  test('a payout shows the payments inside it, expected against received', async () => {
    await e2e.go('/finance/payouts')
    await page().getByRole('link', { name: payout }).waitFor()
    expect(await violationsOf(page())).toEqual([])
    await open(page().getByRole('link', { name: payout }))
    const inside = page().getByRole('table', { name: text.inside })
    await inside.getByText('Rp 150.000').waitFor()
    await page().getByText('Rp 145.000').first().waitFor()
    expect(await violationsOf(page())).toEqual([])
    await open(inside.getByRole('link').first())
    await page().waitForURL((url) => url.hash.startsWith('#/payments/'))
  })

  test('the balance proof has the open exceptions by cause', async () => {
    await e2e.go('/finance/proof')
    await page().getByRole('heading', { level: 1, name: text.proof }).waitFor()
    await page().getByRole('cell', { name: text.cause }).waitFor()
    expect(await violationsOf(page())).toEqual([])
  })
})

test('a viewer sees an exception and no action', async () => {
  await e2e.signIn('en', await e2e.role('staff:read'))
  await e2e.go('/finance/exceptions')
  await open(page().locator('tbody tr[data-row] a').first())
  await page().locator('.facts').first().waitFor()
  await e2e.settled()
  expect(await page().locator('main').getByRole('button').count()).toBe(0)
  // Of the session before, which ended with the new sign-in.
  expect(e2e.desk.complaints.filter((one) => !one.includes('401 (Unauthorized)'))).toEqual([])
})
