// Finding a payment, seeing it settle, refunding part of it: in a real browser, with a mouse and by
// keyboard.
import { beforeAll, describe, expect, test } from 'vitest'
import { useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page

describe('signing in', () => {
  test('a wrong key is refused, a good one opens the list, signing out closes it', async () => {
    await page().goto(`${e2e.desk.url}/dashboard`)
    await page().getByLabel('API key').fill('gpk_wrong')
    await page().getByRole('button', { name: 'Sign in' }).click()
    await page().getByRole('alert').filter({ hasText: 'not known' }).waitFor()
    await page().getByLabel('API key').fill(e2e.desk.key)
    await page().getByRole('button', { name: 'Sign in' }).click()
    await page().getByRole('heading', { name: 'Payments' }).waitFor()
    expect(page().url()).toContain('/shop/pay/dashboard#/payments')
    await page().getByRole('button', { name: 'Sign out' }).click()
    await page().getByLabel('API key').waitFor()
    // No script can read the cookie, and the page keeps no key.
    expect(
      await page().evaluate('document.cookie + JSON.stringify([sessionStorage, localStorage])'),
    ).not.toMatch(/gp[ks]_|gapura_session/)
  })

  test('a key that is not of staff is refused', async () => {
    const { key } = await e2e.desk.gapura.createApiKey({
      owner_id: 'toko-ani',
      name: 'shop',
      staff: false,
      scopes: ['payments:write'],
    })
    await page().getByLabel('API key').fill(key)
    await page().getByRole('button', { name: 'Sign in' }).click()
    await page().getByRole('alert').filter({ hasText: 'not known' }).waitFor()
  })
})

describe('finding a payment', () => {
  beforeAll(async () => await e2e.signIn())

  test('by each kind of term', async () => {
    const va = await e2e.charge('bank_transfer', { gross_amount: 123_000 })
    const bill = await e2e.charge('echannel')
    const code = await e2e.charge('cstore')
    const other = { first_name: 'Wati', email: 'wati@example.com' }
    const mail = await e2e.charge('gopay', { customer_details: other })
    await e2e.signIn()
    const found = async (term: string | null, id: string) => {
      await page()
        .getByRole('searchbox')
        .fill(term ?? '')
      await page().keyboard.press('Enter')
      await page().waitForURL((url) => url.hash === `#/payments/${id}`)
      await e2e.go('/payments')
    }
    await found(va.order_id, va.id)
    await found(va.id, va.id)
    await found(va.transaction_id, va.id)
    await found(va.va_number?.replace(/(.{4})/g, '$1 ') ?? '', va.id)
    await found(bill.bill_key, bill.id)
    await found(code.payment_code, code.id)
    await found('WATI@example.com', mail.id)
    await found('Rp 123.000', va.id)
    const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
    const [year, month, day] = today.split('-')
    await page().getByRole('searchbox').fill(`${day}/${month}/${year}`)
    await page().keyboard.press('Enter')
    await page().waitForURL((url) => url.hash.includes(`from=${today}`))
    await page().getByRole('link', { name: va.order_id, exact: true }).waitFor()
    await page().getByRole('searchbox').fill('no-such-order')
    await page().keyboard.press('Enter')
    await page().getByRole('status').filter({ hasText: 'No payment found' }).waitFor()
  })

  test('by filters that stand in the address', async () => {
    await e2e.go('/payments')
    await page().getByLabel('Method').selectOption('echannel')
    await page().waitForURL((url) => url.hash.includes('payment_type=echannel'))
    await expect.poll(async () => await page().locator('tbody tr[data-row]').count()).toBe(1)
    await page().getByLabel('Sort by').selectOption('highest')
    await page().goBack()
    await page().waitForURL((url) => !url.hash.includes('sort'))
    await page().getByRole('button', { name: 'Clear filters' }).click()
    await expect
      .poll(async () => await page().locator('tbody tr[data-row]').count())
      .toBeGreaterThan(3)
  })

  test('by keys alone: move, copy the id, open, go back', async () => {
    await e2e.go('/payments')
    await page().locator('tbody tr[data-row]').first().waitFor()
    await page().locator('main').focus()
    await page().keyboard.press('j')
    await page().keyboard.press('ArrowDown')
    await page().keyboard.press('k')
    const current = page().locator('tr[data-current="true"] a')
    await expect.poll(async () => await current.count()).toBe(1)
    const id = (await current.getAttribute('href'))?.split('/').at(-1) ?? ''
    await page().keyboard.press('c')
    await page().getByRole('status').filter({ hasText: id }).waitFor()
    expect(await page().evaluate('navigator.clipboard.readText()')).toBe(id)
    await page().keyboard.press('Enter')
    await page().waitForURL((url) => url.hash === `#/payments/${id}`)
    await page().keyboard.press('/')
    await expect
      .poll(async () => await page().locator(':focus').getAttribute('type'))
      .toBe('search')
  })
})

describe('a payment', () => {
  beforeAll(async () => await e2e.signIn())

  test('shows Settled without a reload when the webhook arrives', async () => {
    const payment = await e2e.charge('qris')
    await e2e.go(`/payments/${payment.id}`)
    const headline = page().locator('.headline')
    await headline.getByText('Pending').waitFor()
    await page().getByRole('img', { name: 'QR code of this payment' }).waitFor()
    await e2e.pay(payment.order_id)
    await headline.getByText('Settled').waitFor()
    await page().locator('.why').filter({ hasText: 'The payer paid Rp 150.000' }).waitFor()
    await page().locator('.timeline').getByText('Notification: Settled').waitFor()
  })

  test('a partial refund appears without a reload', async () => {
    const payment = await e2e.paid('gopay')
    await e2e.go(`/payments/${payment.id}`)
    await page().getByRole('button', { name: 'Refund…' }).click()
    const dialog = page().getByRole('dialog')
    await dialog.getByText('Rp 150.000 is refundable').waitFor()
    await dialog.getByLabel('Amount in rupiah').fill('200000')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Amount in rupiah').fill('50.000')
    await dialog.getByLabel('Reason').fill('one cup was cold')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: 'Refund Rp 50.000 to Budi Santoso' }).click()
    await page().getByRole('status').filter({ hasText: 'The refund of Rp 50.000' }).waitFor()
    await page().locator('.headline').getByText('Partly refunded').waitFor()
    await page().locator('.why').filter({ hasText: 'Rp 50.000 of Rp 150.000' }).waitFor()
    const { refund_amount } = await e2e.desk.gapura.api.getPayment(
      { owner_id: 'toko-ani', staff: false, scopes: [] },
      payment.id,
    )
    expect(refund_amount).toBe('50000.00')
  })

  test('a full refund by keyboard alone', async () => {
    const payment = await e2e.paid('gopay', { gross_amount: 75_000 })
    await e2e.go(`/payments/${payment.id}`)
    const focused = page().locator(':focus')
    await page().getByRole('button', { name: 'Refund…' }).waitFor()
    for (let n = 0; n < 40 && (await focused.allInnerTexts())[0] !== 'Refund…'; n += 1) {
      await page().keyboard.press('Tab')
    }
    await page().keyboard.press('Enter')
    await page().getByRole('dialog').waitFor()
    await page().keyboard.type('ordered twice')
    await page().keyboard.press('Enter')
    await page().getByRole('dialog').getByText('Refundable after it').waitFor()
    for (const key of ['Tab', 'Tab', 'Enter']) await page().keyboard.press(key)
    await page().locator('.headline').getByText('Refunded').waitFor()
    await page()
      .locator('.why')
      .filter({ hasText: 'The full amount of Rp 75.000 was refunded' })
      .waitFor()
    // The focus returns to the button.
    await expect.poll(async () => (await focused.allInnerTexts())[0]).toBe('Refund…')
  })

  test('an impossible action shows why; a possible one asks for confirmation', async () => {
    const payment = await e2e.charge('bank_transfer')
    await e2e.go(`/payments/${payment.id}`)
    // Starts elsewhere: a mouse that is already on the button causes no hover event.
    await page().mouse.move(0, 0)
    await page().getByRole('button', { name: 'Refund…' }).hover()
    await page().getByRole('tooltip').filter({ visible: true }).waitFor()
    await page().getByRole('button', { name: 'Cancel…' }).click()
    await page().getByRole('heading', { name: 'Cancel the payment of Rp 150.000' }).waitFor()
    await page().getByLabel('Reason').fill('ordered twice')
    await page().getByRole('button', { name: 'Continue' }).click()
    await page().getByRole('button', { name: 'Cancel Rp 150.000' }).click()
    await page().locator('.headline').getByText('Cancelled').waitFor()
    await page().locator('.why').filter({ hasText: 'cancelled through Gapura' }).waitFor()
  })

  test('a note is shown with its author', async () => {
    const payment = await e2e.charge('gopay')
    await e2e.go(`/payments/${payment.id}`)
    await page().getByLabel('New note').fill('The customer called; the app was slow.')
    await page().getByRole('button', { name: 'Add note' }).click()
    await page().locator('.notes').getByText('The customer called; the app was slow.').waitFor()
    await page().locator('.notes').getByText('sari').waitFor()
  })
})

test('the browser had nothing to complain about', () => {
  const refused = e2e.desk.complaints.filter((one) => !/40[14] \(/.test(one))
  expect(refused).toEqual([])
})
