import { describe, expect, test } from 'vitest'
import { actionsOn, ledTo, open, press } from './page_reader.ts'
import { BODIES, idOf, listOf, Rig, textOf, type Body } from './rig.ts'

const rig = new Rig().install()

const NAMES = Object.keys(BODIES)

async function charged(name: string): Promise<{ body: Body; path: string }> {
  const body = await rig.charge(`order-${name}`, BODIES[name] ?? {})
  return { body, path: `/_sim/pages/pay/${idOf(body)}` }
}

const statusOf = async (body: Body): Promise<unknown> =>
  (await rig.status(idOf(body)))['transaction_status']

describe("the payer's page", () => {
  test.each(NAMES)('of %s shows the amount and pays', async (name) => {
    const { body, path } = await charged(name)
    const page = await open(rig, path)
    expect(page.text).toContain('Rp\u00a044.000'.replace(/\s/, ' '))
    expect(page.text).toContain(`order-${name}`)
    expect(actionsOn(page)).toEqual(['pay', 'deny', 'expire', 'fail'])
    expect(ledTo(await press(rig, path, { action: 'pay' }))).toBe(path)
    expect(await statusOf(body)).toBe('settlement')
    const after = await open(rig, path)
    expect(after.text).toContain('Paid')
    expect(actionsOn(after)).toEqual([])
  })

  test.each([
    ['deny', 'deny', 'Refused'],
    ['expire', 'expire', 'Expired'],
    ['fail', 'failure', 'Something went wrong'],
  ])('lets a payment %s', async (action, status, words) => {
    const { body, path } = await charged('gopay')
    ledTo(await press(rig, path, { action }))
    expect(await statusOf(body)).toBe(status)
    expect((await open(rig, path)).text).toContain(words)
  })

  test('says why a second press does nothing, and what it does not know', async () => {
    const { path } = await charged('bca')
    await press(rig, path, { action: 'pay' })
    const again = await press(rig, path, { action: 'pay' })
    expect(again.http_status).toBe(409)
    expect(again.text).toContain('it is settlement, not pending')
    expect((await press(rig, path, { action: 'dance' })).http_status).toBe(409)
    expect((await open(rig, '/_sim/pages/pay/unknown')).http_status).toBe(404)
    expect((await press(rig, '/_sim/pages/pay/unknown')).http_status).toBe(404)
  })

  test('of a virtual account groups the number and offers to copy it whole', async () => {
    const { body, path } = await charged('bca')
    const [account] = listOf(body, 'va_numbers')
    const number = textOf(account ?? {}, 'va_number')
    const page = await open(rig, path)
    expect(page.markup).toContain(`data-copy="${number}"`)
    expect(page.text).toContain(number.replace(/(.{4})(?=.)/g, '$1 '))
    expect(page.text).toContain('BCA Virtual account')
  })

  test('of a Mandiri bill shows biller code and bill key', async () => {
    const { body, path } = await charged('echannel')
    const page = await open(rig, path)
    expect(page.markup).toContain('data-copy="70012"')
    expect(page.markup).toContain(`data-copy="${textOf(body, 'bill_key')}"`)
  })

  test.each(['indomaret', 'alfamart'])('of %s shows code and barcode', async (name) => {
    const { body, path } = await charged(name)
    const page = await open(rig, path)
    expect(page.markup).toContain(`data-copy="${textOf(body, 'payment_code')}"`)
    expect(page.markup).toContain('class="barcode"')
  })

  test.each(['shopeepay', 'dana', 'gopay'])('of %s shows its deep link', async (name) => {
    const { path } = await charged(name)
    expect((await open(rig, path)).markup).toContain(`data-copy="${rig.url}${path}"`)
  })

  test('of OVO names the phone', async () => {
    const { path } = await charged('ovo')
    expect((await open(rig, path)).text).toContain('0812 3456 7890')
  })

  test('of QRIS notifies the merchant which app was used', async () => {
    const { body, path } = await charged('qris')
    expect((await open(rig, path)).markup).toContain('class="qr"')
    await press(rig, path, { action: 'pay', issuer: 'dana' })
    expect(await rig.status(idOf(body))).toMatchObject({
      issuer: 'dana',
      transaction_type: 'off-us',
    })
  })

  test('of GoPay notifies the merchant whether PayLater was used', async () => {
    const { body, path } = await charged('gopay')
    await press(rig, path, { action: 'pay', payment_option_type: 'PAY_LATER' })
    expect(await rig.status(idOf(body))).toMatchObject({ payment_option_type: 'PAY_LATER' })
  })
})

describe("the bank's page", () => {
  const challenged = async (): Promise<{ body: Body; path: string }> => {
    const body = await rig.card('order-1', { authentication: true })
    return { body, path: new URL(textOf(body, 'redirect_url')).pathname }
  }

  test('asks for a code and never shows the whole card', async () => {
    const { path } = await challenged()
    const page = await open(rig, path)
    expect(page.markup).toContain('name="otp"')
    expect(page.text).toContain('4811 1111 •••• 1114')
    expect(actionsOn(page)).toEqual(['pay', 'deny', 'expire', 'challenge', 'fail'])
  })

  test.each([
    [{ action: 'pay', otp: '112233' }, 'capture', 'accept'],
    [{ action: 'pay', otp: '' }, 'capture', 'accept'],
    [{ action: 'pay', otp: '000000' }, 'deny', 'accept'],
    [{ action: 'challenge' }, 'capture', 'challenge'],
    [{ action: 'deny' }, 'deny', 'accept'],
    [{ result: 'ok' }, 'capture', 'accept'],
    [{ result: 'fail' }, 'deny', 'accept'],
  ])('%j ends as %s, %s', async (fields, transaction_status, fraud_status) => {
    const { body, path } = await challenged()
    ledTo(await press(rig, path, { ...fields }))
    expect(await rig.status(idOf(body))).toMatchObject({ transaction_status, fraud_status })
  })
})

describe('the QR address of a reply', () => {
  test.each(['gopay', 'qris'])(
    'of %s is an image to a shop and a page to a person',
    async (name) => {
      const { body, path } = await charged(name)
      const urls = listOf(body, 'actions')
        .map((action) => textOf(action, 'url'))
        .filter((url) => url.endsWith('/qr-code'))
      expect(urls).toHaveLength(2)
      for (const url of urls) {
        const image = await fetch(url)
        expect(image.headers.get('content-type')).toBe('image/png')
        const bytes = Buffer.from(await image.arrayBuffer())
        expect(bytes.subarray(1, 4).toString()).toBe('PNG')
        expect(ledTo(await open(rig, new URL(url).pathname))).toBe(path)
      }
    },
  )

  test('404 for what has no code', async () => {
    const { body } = await charged('bca')
    expect((await fetch(`${rig.url}/v2/qris/${idOf(body)}/qr-code`)).status).toBe(404)
    expect((await fetch(`${rig.url}/v2/qris/unknown/qr-code`)).status).toBe(404)
  })
})

describe("an invoice's link", () => {
  const invoice = {
    order_id: 'invoice-1',
    invoice_number: 'INV/1',
    due_date: '2026-02-05 12:00:00 +0700',
    invoice_date: '2026-01-05 12:00:00 +0700',
    customer_details: { name: 'Budi' },
    item_details: [{ item_id: 'a', description: 'Coffee', quantity: 2, price: 15_000 }],
  }

  test('lists items and accounts, and pays through the chosen one', async () => {
    const { body } = await rig.wire('POST /v1/invoices', {
      ...invoice,
      payment_type: 'virtual_account',
      virtual_accounts: [{ name: 'bca_va' }, { name: 'mandiri_bill' }],
    })
    const path = `/_sim/pages/invoices/${textOf(body, 'id')}`
    const page = await open(rig, path)
    expect(page.text).toContain('Coffee × 2')
    expect(page.text).toContain('Pay with BCA')
    const number = textOf(listOf(body, 'virtual_accounts')[1] ?? {}, 'number')
    expect(ledTo(await press(rig, path, { number }))).toBe(path)
    expect((await open(rig, path)).text).toContain('Paid')
    await rig.quiet()
    expect(rig.hook.received.at(-1)?.body).toMatchObject({ bill_key: number })
    expect((await press(rig, path, { number })).http_status).toBe(409)
    expect((await open(rig, '/_sim/ui/invoices')).text).toContain('invoice-1 paid')
  })

  test('without accounts is one button', async () => {
    const { body } = await rig.wire('POST /v1/invoices', {
      ...invoice,
      payment_type: 'payment_link',
    })
    const path = new URL(textOf(body, 'payment_link_url')).pathname
    expect((await open(rig, path)).text).toContain('Pay Rp')
    ledTo(await press(rig, path))
    expect((await rig.wire(`GET /v1/invoices/${textOf(body, 'id')}`)).body).toMatchObject({
      status: 'paid',
    })
    expect((await open(rig, '/_sim/pages/invoices/unknown')).http_status).toBe(404)
  })
})

test('the page behind an activation link links the account, once', async () => {
  const { body } = await rig.wire('POST /v2/pay/account', {
    payment_type: 'gopay',
    gopay_partner: { phone_number: '81234567890', country_code: '62' },
  })
  const path = `/_sim/pages/link/${textOf(body, 'account_id')}`
  expect((await open(rig, path)).text).toContain('Allow')
  expect(ledTo(await press(rig, path))).toBe(path)
  expect((await open(rig, path)).text).toContain('Linked')
  expect((await press(rig, path)).http_status).toBe(409)
  expect((await open(rig, '/_sim/pages/link/unknown')).http_status).toBe(404)
})
