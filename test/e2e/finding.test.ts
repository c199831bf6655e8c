// Finding a payment while typing, and everything of one customer: by keyboard alone, in both
// languages.
import { beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from './browser.ts'
import { useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page
const box = () => page().getByRole('searchbox')
const now = () => page().locator('.found-now')

const SITI = {
  first_name: 'Siti',
  last_name: 'Nurhaliza',
  email: 'siti@example.com',
  phone: '+62 812-3456-7890',
}

let order_id = ''
let payment_id = ''

beforeAll(async () => {
  const payment = await e2e.charge('bank_transfer', {
    order_id: 'TOKO-2026-0099-X',
    customer_details: SITI,
  })
  ;({ order_id, id: payment_id } = payment)
  await e2e.charge('gopay', { order_id: 'TOKO-2026-0100-X', customer_details: SITI })
  await e2e.charge('qris', { order_id: 'other-1' })
  await e2e.desk.gapura.api.createInvoice(
    { owner_id: 'toko-ani', staff: false, scopes: ['invoices:write'] },
    {
      customer_name: 'Siti Nurhaliza',
      customer_email: 'siti@example.com',
      due_date: '2099-12-31',
      items: [{ description: 'Teh', price: 25_000 }],
    },
  )
})

const TEXTS = [
  {
    language: 'en',
    kind: 'customer name',
    fresh: 'Includes every change',
    payments: 'Payments',
    invoices: 'Invoices',
  },
  {
    language: 'id',
    kind: 'nama pelanggan',
    fresh: 'Mencakup setiap perubahan',
    payments: 'Pembayaran',
    invoices: 'Invoice',
  },
] as const

describe.each(TEXTS)('in $language', ({ language, kind, fresh, payments, invoices }) => {
  beforeAll(async () => await e2e.signIn(language))

  test.each(['siti nur', '0812-3456', '0099', 'SITI@exa'])(
    'typing %s shows the payment, and the arrow and Enter open it',
    async (term) => {
      await e2e.go('/payments')
      await page().locator('main').focus()
      await page().keyboard.press('/')
      await page().keyboard.type(term)
      await now().getByRole('link', { name: order_id, exact: true }).waitFor()
      expect(await now().getByText(fresh).count()).toBe(1)
      expect(await violationsOf(page())).toEqual([])
      for (let n = 0; n < 20; n += 1) {
        await page().keyboard.press('ArrowDown')
        if ((await page().locator('.found-now a:focus').textContent()) === order_id) break
      }
      await page().keyboard.press('Enter')
      await page().waitForURL((url) => url.hash === `#/payments/${payment_id}`)
      expect([await box().inputValue(), await now().count()]).toEqual(['', 0])
    },
  )

  test('Enter lists what several payments have in common, by its kind; Escape closes', async () => {
    await e2e.go('/payments')
    await box().focus()
    await page().keyboard.type('nurhal')
    await now().getByRole('region', { name: kind }).waitFor()
    await page().keyboard.press('Escape')
    expect(await now().count()).toBe(0)
    await page().keyboard.press('Enter')
    await page().waitForURL((url) => url.hash.startsWith('#/search'))
    const group = page().locator('main').getByRole('region', { name: kind })
    await expect.poll(async () => await group.getByRole('listitem').count()).toBe(2)
    expect(await violationsOf(page())).toEqual([])
  })

  test('a customer has payments and invoices on one page, by address and by number', async () => {
    await e2e.go(`/payments/${payment_id}`)
    for (const key of ['siti@example.com', '+62 812-3456-7890']) {
      await page().locator('main').getByRole('link', { name: key }).focus()
      await page().keyboard.press('Enter')
      await page().waitForURL((url) => url.hash.startsWith('#/customer'))
      const rows = page().getByRole('table', { name: payments, exact: true }).locator('tbody tr')
      await expect.poll(async () => await rows.count()).toBe(2)
      expect(await violationsOf(page())).toEqual([])
      if (key.includes('@'))
        await page().getByRole('table', { name: invoices, exact: true }).waitFor()
      await page().goBack()
      await page().waitForURL((url) => url.hash === `#/payments/${payment_id}`)
    }
  })
})
