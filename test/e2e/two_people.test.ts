// What needs approval by a second person, refunds (ADR 0010) and decisions about exceptions: two
// staff members, each with a key, in the browser.
import { SCOPES } from 'gapura'
import { beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { SHOP, useDesk } from './desk.ts'

const e2e = useDesk({
  refunds: { second_person_above: 100_000, hold_hours: 24 },
  reconcileSecondPersonAbove: 1_000,
})
const page = () => e2e.desk.page
const held = () => page().locator('.held')
const badge = () => page().locator('nav .count')
let eka = ''

beforeAll(async () => {
  const order = { owner_id: 'eka', name: 'second desk', staff: true, scopes: SCOPES }
  eka = (await e2e.desk.gapura.createApiKey(order)).key
})

/** sari requests a refund and sees that it needs approval. */
async function requested() {
  const payment = await e2e.paid('gopay')
  await e2e.signIn()
  await e2e.go(`/payments/${payment.id}`)
  await page().getByRole('button', { name: 'Refund…' }).click()
  const dialog = page().getByRole('dialog')
  await dialog.getByLabel('Amount in rupiah').fill('120.000')
  await dialog.getByLabel('Reason').fill('the set came broken')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Refund Rp 120.000 to Budi Santoso' }).click()
  await page()
    .getByRole('status')
    .filter({ hasText: 'needs approval by a second person' })
    .waitFor()
  await held().getByText('the set came broken').waitFor()
  return payment
}

const refundAmount = async (id: string) =>
  (await e2e.desk.gapura.api.getPayment(SHOP, id)).refund_amount

test('the second person finds the request with its author and reason, and approves it', async () => {
  const { id } = await requested()
  await held().getByText('you', { exact: true }).waitFor()
  const approve = held().getByRole('button', { name: 'Approve the refund…' })
  expect(await approve.getAttribute('aria-disabled')).toBe('true')
  await approve.focus()
  await held().getByRole('tooltip').filter({ hasText: 'another person must approve' }).waitFor()
  expect(await refundAmount(id)).toBe('0.00')
  await page().getByRole('button', { name: 'Sign out' }).click()
  await page().getByLabel('API key').fill(eka)
  await page().getByRole('button', { name: 'Sign in' }).click()
  await badge().getByText('Needs attention: 1').waitFor()
  await e2e.go('/health')
  await page().getByText('requested by sari').waitFor()
  expect(await violationsOf(page())).toEqual([])
  await page().getByRole('link', { name: 'Review' }).click()
  await held().getByText('sari', { exact: true }).waitFor()
  expect(await violationsOf(page())).toEqual([])
  await held().getByRole('button', { name: 'Approve the refund…' }).click()
  const dialog = page().getByRole('dialog')
  const question = 'Refund Rp 120.000 to Budi Santoso, as sari requested?'
  await dialog.getByRole('heading', { name: question }).waitFor()
  expect(await violationsOf(page())).toEqual([])
  await dialog.getByLabel('Reason').fill('saw the photo')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Rp 30.000').waitFor()
  expect(await violationsOf(page())).toEqual([])
  await dialog.getByRole('button', { name: 'Refund Rp 120.000 to Budi Santoso' }).click()
  await page().locator('.headline').getByText('Partly refunded').waitFor()
  await held().waitFor({ state: 'detached' })
  const timeline = page().locator('.timeline')
  await timeline.getByText('Refund of Rp 120.000: approved').waitFor()
  await timeline.getByText('eka · saw the photo').waitFor()
  await badge().waitFor({ state: 'detached' })
  expect(await refundAmount(id)).toBe('120000.00')
})

test('declining needs a reason, and the requester sees it without a reload', async () => {
  const { id } = await requested()
  const request = (
    (await (await e2e.ask(`/staff/refund_requests/?payment_id=${id}`)).json()) as {
      results: { id: string }[]
    }
  ).results[0]
  // eka declines through the API while sari has the payment open.
  const no = await fetch(`${e2e.desk.url}/staff/refund_requests/${request?.id ?? ''}/decline/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${eka}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'goods not returned' }),
  })
  expect(no.status).toBe(200)
  await held().waitFor({ state: 'detached' })
  await page().locator('.timeline').getByText('eka · goods not returned').waitFor()
  const again = await requested()
  await held().getByRole('button', { name: 'Withdraw…' }).click()
  const dialog = page().getByRole('dialog')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  // The reason is required: nothing was sent.
  await dialog.getByRole('alert').filter({ hasText: 'Enter a reason' }).waitFor()
  await dialog.getByLabel('Reason').fill('asked for the wrong one')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Withdraw Rp 120.000' }).click()
  await held().waitFor({ state: 'detached' })
  expect(await refundAmount(again.id)).toBe('0.00')
})

const TEXTS = [
  {
    language: 'en',
    post: 'Post the stated fee…',
    post_do: 'Post the fee',
    reason: 'Reason',
    next: 'Continue',
    waits: 'A second person must approve the action.',
    held: 'needs approval',
    approve: 'Approve…',
    approve_do: 'Approve',
    withdraw: 'Withdraw…',
    decided: 'Decided',
  },
  {
    language: 'id',
    post: 'Bukukan biaya menurut gateway…',
    post_do: 'Bukukan biaya',
    reason: 'Alasan',
    next: 'Lanjut',
    waits: 'Orang kedua harus menyetujui tindakan ini.',
    held: 'perlu persetujuan',
    approve: 'Setujui…',
    approve_do: 'Setujui',
    withdraw: 'Tarik kembali…',
    decided: 'Diputuskan',
  },
] as const

describe.each(TEXTS)('a fee that differs, in $language', (text) => {
  const press = async (name: string): Promise<void> => {
    await page().getByRole('button', { name, exact: true }).focus()
    await page().keyboard.press('Enter')
  }
  const dialog = () => page().getByRole('dialog')

  test('is posted only after another person approved it, with both reasons', async () => {
    const sari = { owner_id: 'sari', staff: true, scopes: SCOPES }
    const { staff } = e2e.desk.gapura
    const payment = await e2e.paid('gopay')
    const day = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
    const line = `${day} 00:10:00,${payment.order_id},150000,9000,Payment,settlement`
    const lines = `Date & Time,Order ID,Amount,Fee,Transaction Type,Status\n${line}`
    await staff.importStatement(sari, {
      file_name: `${text.language}.csv`,
      format: 'portal_csv',
      content_base64: Buffer.from(lines).toString('base64'),
    })
    await staff.runReconciliation(sari)
    const found = await staff.listExceptions(sari)
    const { id } = found.results.find((one) => one.order_id === payment.order_id) ?? { id: '' }
    const fees = async () =>
      (await staff.getLedgerBalances(sari)).accounts.find(
        ({ account }) => account === 'fee:gateway',
      )?.balance
    const before = await fees()

    await e2e.signIn(text.language)
    await e2e.go(`/finance/exceptions/${id}`)
    await press(text.post)
    await dialog().getByLabel(text.reason).fill('the contract has this fee')
    await press(text.next)
    await press(text.post_do)
    await page().locator('.notice').getByText(text.waits).waitFor()
    await page().locator('.plain-list').getByText(text.held).waitFor()
    // The requester can withdraw it and not approve it.
    await page().getByRole('button', { name: text.withdraw }).waitFor()
    expect(await page().getByRole('button', { name: text.approve, exact: true }).count()).toBe(0)
    expect(await fees()).toBe(before)
    expect(await violationsOf(page())).toEqual([])

    await e2e.signIn(text.language, eka)
    await e2e.go(`/finance/exceptions/${id}`)
    await press(text.approve)
    await dialog().getByLabel(text.reason).fill('saw the contract')
    await press(text.next)
    await dialog().getByText('sari: the contract has this fee').waitFor()
    expect(await violationsOf(page())).toEqual([])
    await press(text.approve_do)
    await page().locator('.pill').getByText(text.decided).waitFor()
    expect(await fees()).not.toBe(before)
    const audit = await staff.listAudit(sari, { subject_id: id })
    expect(audit).toContainEqual(
      expect.objectContaining({
        action: 'reconciliation.approve',
        actor: 'eka',
        reason: 'saw the contract',
      }),
    )
  })
})

test('the browser had nothing to complain about', () => {
  // A held refund is reported as HTTP 400, which the console logs.
  const refused = e2e.desk.complaints.filter((one) => !/40[014] \(/.test(one))
  expect(refused).toEqual([])
})
