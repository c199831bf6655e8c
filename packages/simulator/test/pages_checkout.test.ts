import { Script } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { actionsOn, ledTo, open, press } from './page_reader.ts'
import { idOf, Rig, type Body } from './rig.ts'
import { Shop } from './shop.ts'

const rig = new Rig().install()
const shop = new Shop(rig)

const FINISH = { callbacks: { finish: 'https://shop.example/done?cart=7' } }
const pathOf = (token: string): string => `/snap/v4/redirection/${token}`

async function page(fields?: Body): Promise<string> {
  return pathOf(await shop.created('order-1', fields))
}

/** The methods a page offers, buttons and links. */
const methodsOn = ({ markup }: { markup: string }): string[] =>
  [...markup.matchAll(/class="(?:button )?way [^>]*(?:value="|method=)(\w+)"/g)].map(
    (match) => match[1] ?? '',
  )

describe('GET /snap/v4/redirection/{token}', () => {
  test('shows the amount, the items and every method enabled, in both languages', async () => {
    const path = await page({ enabled_payments: ['credit_card', 'bca_va', 'other_qris'] })
    const english = await open(rig, path)
    expect(english.text).toContain('Rp 44.000')
    expect(english.text).toContain('Shoes × 2')
    expect(english.text).toContain('Choose how to pay')
    expect(methodsOn(english)).toEqual(['credit_card', 'other_qris', 'bca_va'])
    const indonesian = await open(rig, `${path}?lang=id`)
    expect(indonesian.text).toContain('Pilih cara membayar')
  })

  test('an arrival from the shop is recorded, a refresh and a step on the page are not', async () => {
    const path = await page()
    await open(rig, path, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' })
    await open(rig, path, { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' })
    await open(rig, path, { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' })
    expect(await shop.events('order-1')).toEqual(['created', 'opened'])
  })

  test('404 for an unknown token', async () => {
    expect((await open(rig, pathOf('other'))).http_status).toBe(404)
  })

  test('what the merchant wrote stays text, and a shop may frame the page', async () => {
    const hostile = `"><script>alert(1)</script>`
    const path = await page({
      item_details: [{ id: '1', name: hostile, price: 44_000, quantity: 1 }],
    })
    const { markup, headers } = await open(rig, path)
    expect(markup).toContain('&lt;script&gt;')
    expect(markup.match(/<script/g)).toHaveLength(1)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(headers.get('content-security-policy')).not.toContain('frame-ancestors')
  })
})

describe('POST /snap/v4/redirection/{token}', () => {
  test('a method shows its number; its buttons pay, deny, expire and fail it', async () => {
    const path = await page()
    expect(ledTo(await press(rig, path, { method: 'bca_va' }))).toBe(path)
    const chosen = await open(rig, path)
    expect(chosen.text).toContain('Virtual account number')
    expect(actionsOn(chosen)).toEqual(['pay', 'deny', 'expire', 'fail'])
    const { transaction_id } = await rig.status('order-1')
    await press(rig, path, { action: 'pay', transaction_id: String(transaction_id) })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'settlement' })
    const paid = await open(rig, path)
    expect(paid.text).toContain('Paid')
    expect(methodsOn(paid)).toEqual([])
  })

  test('a card: wrong, then denied after 3DS, then an account of the same order', async () => {
    const path = await page({ credit_card: { secure: true } })
    const form = await open(rig, `${path}?method=credit_card`)
    expect(form.text).toContain('4911 1111 1111 1113 denied by the bank')
    const card = { method: 'credit_card', card_expiry: '12/30', card_cvv: '123' }
    const wrong = await press(rig, path, { ...card, card_number: '4811 1111' })
    expect(wrong.http_status).toBe(409)
    expect(wrong.text).toContain('The card could not be used')
    await press(rig, path, { ...card, card_number: '4911 1111 1111 1113' })
    const waiting = await rig.status('order-1')
    await press(rig, path, { action: 'pay', transaction_id: idOf(waiting), otp: '112233' })
    const again = await open(rig, path)
    expect(again.text).toContain('Card: the payment was not made. Choose again.')
    expect(methodsOn(again)).toContain('bni_va')
    await press(rig, path, { method: 'bni_va' })
    expect(await rig.status('order-1')).toMatchObject({ payment_type: 'bank_transfer' })
  })

  test('a step of another transaction, and a step of another origin, are refused', async () => {
    const path = await page()
    const other = idOf(await rig.charge('order-2', { payment_type: 'gopay' }))
    const answer = await press(rig, path, { action: 'pay', transaction_id: other })
    expect(answer.http_status).toBe(409)
    const foreign = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }
    expect((await press(rig, path, { method: 'gopay' }, foreign)).http_status).toBe(403)
    expect(await rig.status(other)).toMatchObject({ transaction_status: 'pending' })
  })

  test('an expired page refuses a method but shows what can still be paid', async () => {
    const path = await page()
    await press(rig, path, { method: 'bca_va' })
    await shop.act('order-1', 'expire')
    const expired = await open(rig, path)
    expect(expired.text).toContain('This page has expired')
    expect(expired.text).toContain('can still be paid')
    expect(actionsOn(expired)).toContain('pay')
    expect((await press(rig, path, { method: 'gopay' })).http_status).toBe(409)
    expect(await rig.sim('GET /_sim/transactions?order_id=order-1')).toMatchObject({ total: 1 })
  })
})

describe('a page without a method to choose says why', () => {
  test('expired, canceled, or paid on another page of the order', async () => {
    await rig.sim('PATCH /_sim/settings', { checkout_cancel: true })
    const expired = await shop.created('order-1')
    await shop.act(expired, 'expire')
    const canceled = await shop.created('order-2')
    await shop.cancel(canceled)
    const second = await shop.created('order-3')
    await shop.act(await shop.created('order-3'), 'pay', { method: 'bca_va' })
    const said = { [expired]: 'has expired', [canceled]: 'canceled', [second]: 'already paid' }
    for (const [token, why] of Object.entries(said)) {
      const read = await open(rig, pathOf(token))
      expect(read.text).toContain(why)
      expect(methodsOn(read)).toEqual([])
    }
  })
})

describe('GET …/return', () => {
  test('leads to the finish URL with the status, and keeps its query', async () => {
    const path = await page(FINISH)
    await press(rig, path, { method: 'bca_va' })
    const url = new URL(ledTo(await open(rig, `${path}/return`)))
    expect(url.origin).toBe('https://shop.example')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      cart: '7',
      merchant_id: 'G000000001',
      order_id: 'order-1',
      status_code: '201',
      transaction_status: 'pending',
    })
    expect(await shop.events('order-1')).toEqual(['created', 'method_chosen', 'returned'])
  })

  test('without a method: abandoned, and no status; the page opens again', async () => {
    const path = await page(FINISH)
    const url = new URL(ledTo(await open(rig, `${path}/return`)))
    expect([...url.searchParams.keys()]).toEqual(['cart', 'merchant_id', 'order_id'])
    expect(await shop.events('order-1')).toEqual(['created', 'abandoned'])
    expect(methodsOn(await open(rig, path))).not.toEqual([])
  })

  test('a paid transaction counts, also beside a newer one that waits', async () => {
    const token = await shop.created('order-1', FINISH)
    const first = await shop.act(token, 'choose', { method: 'bca_va' })
    await shop.act(token, 'choose', { method: 'bri_va' })
    await shop.act(token, 'pay', { transaction_id: idOf(first) })
    const url = new URL(ledTo(await open(rig, `${pathOf(token)}/return`)))
    expect(url.searchParams.get('transaction_status')).toBe('settlement')
  })

  test('without a finish URL the payer is asked to close the page', async () => {
    const { text } = await open(rig, `${await page()}/return`)
    expect(text).toContain('You can close this page now.')
  })
})

describe('the popup', () => {
  const popup = (key = 'SB-Mid-client-simulator'): string =>
    `?${new URLSearchParams({ popup: 'https://shop.example', client_key: key }).toString()}`

  test('every step keeps the popup, and its end carries the result for the shop', async () => {
    const path = await page(FINISH)
    const next = ledTo(await press(rig, `${path}${popup()}`, { method: 'gopay' }))
    expect(next).toBe(`${path}${popup()}`)
    const { markup } = await open(rig, `${path}/return${popup()}`)
    expect(markup).toContain('data-origin="https://shop.example"')
    expect(markup).toContain('&quot;kind&quot;:&quot;pending&quot;')
  })

  test('401 for a client key of another account', async () => {
    expect((await open(rig, `${await page()}${popup('other')}`)).http_status).toBe(401)
  })

  test('GET /snap/snap.js is a script that a shop can load', async () => {
    const { markup, headers } = await open(rig, '/snap/snap.js')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(() => new Script(markup)).not.toThrow()
    expect(markup).not.toMatch(/innerHTML|setAttribute\('style'/)
  })
})

test('the console lists pages, newest first, with their attempts', async () => {
  expect((await open(rig, '/_sim/ui/checkouts')).text).toContain('No hosted page yet')
  await shop.act(await shop.created('order-1'), 'choose', { method: 'bca_va' })
  await shop.created('order-2')
  const { text } = await open(rig, '/_sim/ui/checkouts')
  expect(text).toMatch(/order-2 live .* order-1 live Rp\s44.000 pending/)
})
