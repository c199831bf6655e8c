// The hosted page (Snap) as the payer uses it, and the transactions made on it.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { idOf, Rig, textOf, type Body } from './rig.ts'
import { checkoutRequest, Shop } from './shop.ts'

const rig = new Rig().install()
const shop = new Shop(rig)

describe('choosing a method', () => {
  const METHODS: [string, string, Body][] = [
    ['credit_card', 'credit_card', { bank: 'bni' }],
    ['gopay', 'gopay', {}],
    ['shopeepay', 'shopeepay', {}],
    ['dana', 'dana', {}],
    ['ovo', 'ovo', {}],
    ['other_qris', 'qris', { acquirer: 'gopay' }],
    ['bca_va', 'bank_transfer', { va_numbers: [{ bank: 'bca' }] }],
    ['bni_va', 'bank_transfer', { va_numbers: [{ bank: 'bni' }] }],
    ['bri_va', 'bank_transfer', { va_numbers: [{ bank: 'bri' }] }],
    ['cimb_va', 'bank_transfer', { va_numbers: [{ bank: 'cimb' }] }],
    ['permata_va', 'bank_transfer', {}],
    ['echannel', 'echannel', { biller_code: '70012' }],
    ['indomaret', 'cstore', { store: 'indomaret' }],
    ['alfamart', 'cstore', { store: 'alfamart' }],
    ['akulaku', 'akulaku', {}],
    ['kredivo', 'kredivo', {}],
  ]

  test.each(METHODS)('%s: chosen, paid, notified', async (method, payment_type, details) => {
    const token = await shop.created('order-1', { credit_card: { secure: true } })
    const chosen = await shop.act(token, 'choose', { method })
    expect(chosen).toMatchObject({ order_id: 'order-1', payment_type, ...details })
    const paid = await shop.act(token, 'pay')
    const status = payment_type === 'credit_card' ? 'capture' : 'settlement'
    expect(paid).toMatchObject({ transaction_id: idOf(chosen), transaction_status: status })
    await rig.quiet()
    expect(rig.hook.statuses()).toEqual(['pending', status])
    expect(await rig.money('order-1')).toContainEqual(['capture', 44_000])
    expect(await shop.show(token)).toMatchObject({ status: 'completed' })
  })

  test('webhooks are signed, carry custom fields, and go where the create call says', async () => {
    const body = checkoutRequest('order-1', { custom_field1: 'a', metadata: { shop: 'x' } })
    const headers = { 'x-override-notification': `${rig.hook.url}/own` }
    const { body: page } = await rig.wire('POST /snap/v1/transactions', body, headers)
    await shop.act(textOf(page, 'token'), 'choose', { method: 'bca_va' })
    await rig.quiet()
    const [{ path, body: sent } = { path: '', body: {} as Body }] = rig.hook.received
    expect(path).toBe('/own')
    expect(sent).toMatchObject({ custom_field1: 'a', metadata: { shop: 'x' } })
    const signed = `order-120144000.00SB-Mid-server-simulator`
    expect(sent['signature_key']).toBe(createHash('sha512').update(signed).digest('hex'))
  })

  test('a denied card, then a virtual account: two transaction ids, the status is the newest', async () => {
    const token = await shop.created('order-1')
    const card = await shop.act(token, 'choose', {
      method: 'credit_card',
      card_number: '4911111111111113',
    })
    expect(card).toMatchObject({ transaction_status: 'deny' })
    const account = await shop.act(token, 'choose', { method: 'bni_va' })
    expect(idOf(account)).not.toBe(idOf(card))
    expect(await rig.status('order-1')).toMatchObject({
      transaction_id: idOf(account),
      transaction_status: 'pending',
    })
    await shop.act(token, 'pay')
    await rig.quiet()
    expect(rig.hook.statuses()).toEqual(['deny', 'pending', 'settlement'])
    expect(await shop.refused(token, 'choose', { method: 'gopay' })).toBe('the page is completed')
  })

  test('two accounts of one order are both paid while both are pending', async () => {
    const token = await shop.created('order-1')
    const old = await shop.act(token, 'choose', { method: 'bca_va' })
    const fresh = await shop.act(token, 'choose', { method: 'bri_va' })
    await shop.act(token, 'pay')
    await shop.act(token, 'pay', { transaction_id: idOf(old) })
    expect(await rig.sim('GET /_sim/ledger/summary')).toMatchObject({
      orders: { 'order-1': { charges: 2, captured: 88_000, settled: 88_000 } },
    })
    expect(await shop.show(token)).toMatchObject({
      transactions: [
        { transaction_id: idOf(old), transaction_status: 'settlement', captured: 44_000 },
        { transaction_id: idOf(fresh), transaction_status: 'settlement', captured: 44_000 },
      ],
    })
  })

  test('an expired account is not paid by a later attempt', async () => {
    const token = await shop.created('order-1', { expiry: { duration: 1, unit: 'hours' } })
    const old = await shop.act(token, 'choose', { method: 'bca_va' })
    await rig.advance({ hours: 1 })
    await shop.act(token, 'choose', { method: 'bri_va' })
    expect(await shop.refused(token, 'pay', { transaction_id: idOf(old) })).toBe(
      'it is expire, not pending',
    )
  })

  test('two pages of one order: both may have an account, none takes a method once paid', async () => {
    const first = await shop.created('order-1')
    const second = await shop.created('order-1')
    await shop.act(first, 'choose', { method: 'bca_va' })
    await shop.act(second, 'choose', { method: 'bri_va' })
    await shop.act(first, 'pay')
    expect(await shop.refused(second, 'choose', { method: 'gopay' })).toBe('the order is paid')
    expect(await shop.act(second, 'pay')).toMatchObject({ transaction_status: 'settlement' })
  })

  test('credit_card.secure decides on 3DS; pay with a method is one call', async () => {
    const open = await shop.created('order-1')
    expect(await shop.act(open, 'pay', { method: 'credit_card' })).toMatchObject({
      transaction_status: 'capture',
    })
    const secure = await shop.created('order-2', { credit_card: { secure: true } })
    expect(await shop.act(secure, 'choose', { method: 'credit_card' })).toMatchObject({
      transaction_status: 'pending',
      redirect_url: expect.stringContaining('/_sim/3ds/') as string,
    })
    expect(
      await shop.refused(secure, 'choose', { method: 'credit_card', card_number: '42' }),
    ).toMatch(/luhn/)
    expect(await shop.refused(secure, 'choose', { method: 'ovo', phone: '081234560000' })).toMatch(
      /doesn't exist/,
    )
  })
})

describe('time', () => {
  test('a page expires without a webhook; a method chosen before stays payable', async () => {
    const token = await shop.created('order-1', {
      page_expiry: { duration: 5, unit: 'minutes' },
      expiry: { duration: 2, unit: 'hour' },
    })
    await shop.act(token, 'choose', { method: 'bca_va' })
    await rig.advance({ minutes: 5 })
    expect(await shop.show(token)).toMatchObject({ status: 'expired' })
    expect(await shop.refused(token, 'open')).toBe('the page is expired')
    expect(await shop.refused(token, 'choose', { method: 'gopay' })).toBe('the page is expired')
    expect(rig.hook.statuses()).toEqual(['pending'])
    await rig.advance({ minutes: 114 })
    expect(await shop.act(token, 'pay')).toMatchObject({ transaction_status: 'settlement' })
    expect(await shop.show(token)).toMatchObject({ status: 'completed' })
  })

  test('lives 24 hours by default; the transaction ends by its own expiry', async () => {
    const token = await shop.created('order-1')
    expect(await shop.show(token)).toMatchObject({ expires_at: '2026-01-06T05:00:00.000Z' })
    await shop.act(token, 'choose', { method: 'gopay' })
    await rig.advance({ minutes: 15 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'expire' })
    expect(await shop.show(token)).toMatchObject({ status: 'live' })
  })

  test('expiry.start_time counts from there; a choice after its end is refused', async () => {
    const start_time = '2026-01-05 11:00:00 +0700'
    const expiry = { start_time, duration: 90, unit: 'minute' }
    const token = await shop.created('order-1', { expiry })
    expect(await shop.act(token, 'choose', { method: 'bca_va' })).toMatchObject({
      expiry_time: '2026-01-05 12:30:00',
    })
    await rig.advance({ minutes: 30 })
    expect(await shop.refused(token, 'choose', { method: 'bca_va' })).toMatch(/already over/)
  })

  test('the tester ends a page at once, and it is recorded once', async () => {
    const token = await shop.created('order-1')
    expect(await shop.act(token, 'expire')).toMatchObject({ status: 'expired' })
    await rig.advance({ days: 2 })
    expect(await shop.events('order-1')).toEqual(['created', 'expired'])
  })
})
