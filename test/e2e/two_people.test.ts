// A refund that needs approval by a second person: two staff members, each with a key, in the
// browser (ADR 0010).
import { SCOPES } from 'gapura'
import { beforeAll, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { SHOP, useDesk } from './desk.ts'

const e2e = useDesk({ refunds: { second_person_above: 100_000, hold_hours: 24 } })
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

test('the browser had nothing to complain about', () => {
  // A held refund is reported as HTTP 400, which the console logs.
  const refused = e2e.desk.complaints.filter((one) => !/40[014] \(/.test(one))
  expect(refused).toEqual([])
})
