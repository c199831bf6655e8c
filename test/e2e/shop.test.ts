// The example shop in a real browser, from the choice of a method to the result.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useExample } from '../examples/running_example.ts'
import { openBrowser, violationsOf, type Browser } from './browser.ts'

const example = useExample({ folder: 'checkout', command: ['node', 'server.ts'] })
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
})

const page = () => {
  const [first] = browser.context.pages()
  if (first === undefined) throw new Error('the browser has no page')
  return first
}

async function choose(method: string): Promise<void> {
  await page().goto(new URL('/', example.url).href)
  expect(await violationsOf(page())).toEqual([])
  await page().getByLabel(method).check()
  await page().getByRole('button', { name: 'Pay' }).click()
}

async function order(method: string): Promise<string> {
  await choose(method)
  await page().getByText('Waiting for your payment').waitFor()
  await page()
    .getByText(/^Order /)
    .waitFor()
  return ((await page().locator('#order').textContent()) ?? '').replace('Order ', '')
}

describe('a direct charge on a page of the shop', () => {
  test('shows the account number, copies it, counts down, and shows the result', async () => {
    const order_id = await order('BNI virtual account')
    expect(await violationsOf(page())).toEqual([])
    const row = page().locator('.gapura-row').filter({ hasText: 'BNI virtual account' })
    const number = ((await row.locator('.gapura-value').textContent()) ?? '').replaceAll(' ', '')
    expect(number).toMatch(/^\d{8,}$/)
    await row.getByRole('button').click()
    expect(await page().evaluate('navigator.clipboard.readText()')).toBe(number)
    const left = page().locator('.gapura-left')
    const before = await left.textContent()
    expect(before).toMatch(/^\d\d:\d\d:\d\d left$/)
    await expect.poll(async () => await left.textContent()).not.toBe(before)
    await example.act(order_id, 'pay')
    await page().getByText('Paid. Thank you.').waitFor()
    expect(await page().locator('.gapura-row').count()).toBe(0)
  })

  test('shows the QR code and offers it as a picture', async () => {
    const order_id = await order('QRIS')
    expect(await violationsOf(page())).toEqual([])
    const image = page().getByRole('img', { name: 'QR code' })
    await expect
      .poll(async () => await image.evaluate((one) => Reflect.get(one, 'naturalWidth') as number))
      .toBeGreaterThan(200)
    const save = page().getByRole('link', { name: 'Save the QR code' })
    await expect.poll(async () => await save.getAttribute('href')).toMatch(/^data:image\/png/)
    await example.act(order_id, 'expire')
    await page().getByText('This payment can no longer be paid.').waitFor()
  })

  test('a page in Indonesian shows it in Indonesian', async () => {
    await order('BCA virtual account')
    await page().route('**/checkout.html*', async (route) => {
      const reply = await route.fetch()
      const body = (await reply.text()).replace('lang="en"', 'lang="id"')
      await route.fulfill({ response: reply, body })
    })
    await page().reload()
    await page().getByText('Menunggu pembayaran Anda').waitFor()
    await page().getByText('Bayar sebelum').waitFor()
    expect(await page().locator('.gapura-label').allTextContents()).toEqual([
      'Jumlah',
      'BCA virtual account',
    ])
    expect(await violationsOf(page())).toEqual([])
  })
})

describe("a checkout on the gateway's page", () => {
  test('by redirect: a method is chosen and paid there, and the shop shows the result', async () => {
    await choose('Choose on the payment page')
    await page().waitForURL(/\/redirection\//)
    await page().getByRole('button', { name: 'BCA', exact: true }).click()
    await page()
      .getByRole('button', { name: /^(?:Pay|Bayar) Rp/ })
      .click()
    await page()
      .getByRole('link', { name: /^(?:Return to the shop|Kembali ke toko)$/ })
      .click()
    await page().waitForURL(/\/result\.html/)
    await page().getByText('Paid. Thank you').waitFor()
    expect(await violationsOf(page())).toEqual([])
  })

  test('by popup: closed without a choice it opens again, and is paid', async () => {
    const complaints: string[] = []
    page().on('pageerror', ({ message }) => complaints.push(message))
    await choose('Choose in a popup window')
    await page().waitForURL(/\/popup\//)
    expect(await violationsOf(page())).toEqual([])
    const frame = page().frameLocator('#snap-midtrans')
    await page().getByRole('button', { name: 'Pay' }).click()
    await frame.getByRole('link', { name: /^(?:Leave without|Keluar tanpa)/ }).click()
    await page().locator('#snap-midtrans').waitFor({ state: 'detached' })
    await page().getByRole('button', { name: 'Pay' }).click()
    await frame.getByRole('button', { name: 'QRIS', exact: true }).click()
    await frame.getByRole('button', { name: /^(?:Pay|Bayar) Rp/ }).click()
    await frame.getByRole('link', { name: /^(?:Return to the shop|Kembali ke toko)$/ }).click()
    await page().getByText('Paid. Thank you').waitFor()
    expect(complaints).toEqual([])
  })

  test('what the return URL says is not believed', async () => {
    await choose('Choose on the payment page')
    await page().waitForURL(/\/redirection\//)
    await page()
      .getByRole('link', { name: /^(?:Leave without|Keluar tanpa)/ })
      .click()
    await page().waitForURL(/\/result\.html/)
    const forged = `${page().url()}&transaction_status=settlement&status_code=200`
    await page().goto(forged)
    await page().getByText('Waiting for your payment').waitFor()
  })
})
