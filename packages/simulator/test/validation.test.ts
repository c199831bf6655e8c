import { describe, expect, test } from 'vitest'
import { BODIES, idOf, listOf, Rig, textOf, type Body } from './rig.ts'

const rig = new Rig().install()
const bca = BODIES['bca'] ?? {}
const item = (price: unknown, quantity: unknown = 1): Body => ({ name: 'Tea', price, quantity })

describe('400 with validation_messages', () => {
  const BAD: [string, Body, RegExp][] = [
    [
      'no payment type',
      { transaction_details: { order_id: 'a', gross_amount: 1 } },
      /payment_type/,
    ],
    ['no transaction details', { ...bca }, /transaction_details is required/],
    ['no order id', { ...bca, transaction_details: { gross_amount: 1 } }, /order_id is required/],
    [
      'an order id of 51 characters',
      { ...bca, transaction_details: { order_id: 'x'.repeat(51), gross_amount: 1 } },
      /order_id size/,
    ],
    [
      'a space in the order id',
      { ...bca, transaction_details: { order_id: 'a b', gross_amount: 1 } },
      /order_id must only contain/,
    ],
    [
      'an amount with decimals',
      { ...bca, transaction_details: { order_id: 'a', gross_amount: 100.5 } },
      /gross_amount must be a whole number/,
    ],
    [
      'an amount of nothing',
      { ...bca, transaction_details: { order_id: 'a', gross_amount: 0 } },
      /gross_amount must be greater than 0/,
    ],
  ]

  test.each(BAD)('for %s', async (_case, body, message) => {
    const answer = await rig.wire('POST /v2/charge', body)
    expect(answer).toMatchObject({ http_status: 200, body: { status_code: '400' } })
    expect(String(answer.body['validation_messages'])).toMatch(message)
    expect(textOf(answer.body, 'id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  const BAD_TYPES: [string, Body, RegExp][] = [
    ['an unknown type', { payment_type: 'barter' }, /payment_type barter/],
    ['no bank object', { payment_type: 'bank_transfer' }, /bank_transfer is required/],
    ['an unknown bank', { ...bca, bank_transfer: { bank: 'x' } }, /bank must be one of/],
    [
      'letters in a VA',
      { ...bca, bank_transfer: { bank: 'bca', va_number: '12a' } },
      /digits only/,
    ],
    ['no bill', { payment_type: 'echannel' }, /echannel is required/],
    ['no store', { payment_type: 'cstore', cstore: {} }, /cstore.store/],
    ['no phone for OVO', { payment_type: 'ovo' }, /payer_phone_number is required/],
    ['Akulaku without items', { payment_type: 'akulaku' }, /item_details is required/],
    ['Kredivo without a customer', { payment_type: 'kredivo' }, /customer_details is required/],
    ['a card without a token', { payment_type: 'credit_card', credit_card: {} }, /token_id/],
    ['no card at all', { payment_type: 'credit_card' }, /credit_card is required/],
    ['items that add up to less', { ...bca, item_details: [item(43_999)] }, /not equal to the sum/],
    ['a price with decimals', { ...bca, item_details: [item(0.5)] }, /price must be a whole/],
    ['a long custom field', { ...bca, custom_field1: 'x'.repeat(256) }, /custom_field1/],
  ]

  test.each(BAD_TYPES)('for %s', async (_case, fields, message) => {
    const body = await rig.charge('order-1', fields)
    expect(body['status_code']).toBe('400')
    expect(String(body['validation_messages'])).toMatch(message)
  })

  test('discount lines may be negative', async () => {
    const item_details = [item(50_000), item(-6000)]
    expect(await rig.charge('order-1', { ...bca, item_details })).toMatchObject({
      status_code: '201',
    })
  })
})

describe('custom_expiry', () => {
  const custom = (expiry_duration: number, unit: string): Body => ({
    custom_expiry: { expiry_duration, unit },
  })

  test.each([
    ['bca', 20, 'second', '201'],
    ['bca', 19, 'second', '400'],
    ['bca', 180, 'day', '201'],
    ['bca', 181, 'day', '400'],
    ['gopay', 7, 'day', '201'],
    ['gopay', 8, 'day', '400'],
    ['shopeepay', 5, 'day', '201'],
    ['shopeepay', 6, 'day', '400'],
    ['dana', 15, 'minute', '201'],
    ['dana', 14, 'minute', '400'],
    ['dana', 25, 'hour', '400'],
    ['ovo', 1, 'minute', '400'],
    ['bca', 1, 'fortnight', '400'],
  ])('of %s, %i %s: %s', async (name, duration, unit, status_code) => {
    const body = { ...BODIES[name], ...custom(duration, unit) }
    expect(await rig.charge('order-1', body)).toMatchObject({ status_code })
  })

  test('400 for a card', async () => {
    const credit_card = { token_id: await rig.token() }
    const body = { payment_type: 'credit_card', credit_card, ...custom(1, 'hour') }
    expect(await rig.charge('order-1', body)).toMatchObject({ status_code: '400' })
  })

  test('counts from order_time, and the clock alone ends the order', async () => {
    const custom_expiry = { order_time: '2026-01-05 11:30:00 +0700', expiry_duration: 60 }
    const body = await rig.charge('order-1', { ...bca, custom_expiry })
    expect(body).toMatchObject({ expiry_time: '2026-01-05 12:30:00' })
    await rig.advance({ minutes: 30 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'expire' })
    expect(rig.hook.statuses()).toEqual(['pending', 'expire'])
  })

  test('QRIS by airpay has a shorter maximum than by gopay', async () => {
    const qris = (acquirer: string) => ({
      payment_type: 'qris',
      qris: { acquirer },
      ...custom(6, 'day'),
    })
    expect(await rig.charge('order-1', qris('gopay'))).toMatchObject({ status_code: '201' })
    expect(await rig.charge('order-2', qris('airpay shopee'))).toMatchObject({ status_code: '400' })
  })
})

describe('other refusals', () => {
  test('HTTP 401 for a wrong or missing server key', async () => {
    const wrong = Buffer.from('SB-Mid-server-wrong:').toString('base64')
    for (const authorization of [`Basic ${wrong}`, 'Bearer x', '']) {
      const answer = await rig.wire('POST /v2/charge', bca, { authorization })
      expect(answer).toMatchObject({ http_status: 401, body: { status_code: '401' } })
    }
  })

  test('402 for a channel that is switched off, and only for that one', async () => {
    await rig.sim('PATCH /_sim/settings', { channels: { qris: false, 'bank_transfer:bca': false } })
    expect(await rig.charge('order-1', BODIES['qris'] ?? {})).toMatchObject({ status_code: '402' })
    expect(await rig.charge('order-1', bca)).toMatchObject({ status_code: '402' })
    expect(await rig.charge('order-1', BODIES['bni'] ?? {})).toMatchObject({ status_code: '201' })
    await rig.sim('PATCH /_sim/settings', { channels: { qris: true } })
    expect(await rig.charge('order-2', BODIES['qris'] ?? {})).toMatchObject({ status_code: '201' })
  })

  test('404 for an unknown OVO number', async () => {
    const ovo = { payer_phone_number: '081234560000' }
    expect(await rig.charge('order-1', { payment_type: 'ovo', ovo })).toMatchObject({
      status_code: '404',
    })
  })

  test('404 for an unknown order, under HTTP 200', async () => {
    for (const route of ['GET /v2/x/status', 'POST /v2/x/cancel', 'POST /v2/x/refund']) {
      expect(await rig.wire(route)).toMatchObject({
        http_status: 200,
        body: { status_code: '404' },
      })
    }
  })

  test('413 for a body that is no JSON', async () => {
    const answer = await rig.wire('POST /v2/charge', '{"payment_type":')
    expect(answer).toMatchObject({ http_status: 200, body: { status_code: '413' } })
  })

  test('an HTML 404 for a route that does not exist', async () => {
    const answer = await rig.wire('GET /v3/nothing')
    expect(answer.http_status).toBe(404)
    expect(answer.text).toContain('<html>')
  })

  test('412 cancelling or expiring what is paid', async () => {
    await rig.charge('order-1', bca)
    await rig.act('order-1', 'pay')
    for (const route of ['POST /v2/order-1/cancel', 'POST /v2/order-1/expire']) {
      expect((await rig.wire(route)).body).toMatchObject({ status_code: '412' })
    }
  })
})

describe('custom VA numbers', () => {
  const va = async (order_id: string, bank: string, va_number: string): Promise<string> => {
    const body = await rig.charge(order_id, {
      payment_type: 'bank_transfer',
      bank_transfer: { bank, va_number },
    })
    return textOf(listOf(body, 'va_numbers')[0] ?? {}, 'va_number')
  }

  test('are cut at the end when too long and padded in front when too short', async () => {
    expect(await va('order-1', 'bni', '123456789')).toMatch(/12345678$/)
    expect(await va('order-2', 'bca', '77')).toMatch(/000077$/)
  })

  test('are replaced while another order waits on them, and free afterwards', async () => {
    const first = await va('order-1', 'bca', '123456')
    expect(await va('order-2', 'bca', '123456')).not.toBe(first)
    await rig.wire('POST /v2/order-1/cancel')
    expect(await va('order-3', 'bca', '123456')).toBe(first)
  })

  test('the payer can pay by the number alone', async () => {
    const number = await va('order-1', 'bca', '123456')
    await rig.sim('POST /_sim/pay', { number })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'settlement' })
    expect((await rig.refusedBySim('POST /_sim/pay', { number })).http_status).toBe(404)
  })
})

describe('DANA', () => {
  test('is found by its transaction id alone, pending in capitals under 200', async () => {
    const body = await rig.charge('order-1', BODIES['dana'] ?? {})
    expect(body).toMatchObject({ status_code: '201', actions: [{ name: 'deeplink-redirect' }] })
    expect(await rig.status('order-1')).toMatchObject({ status_code: '404' })
    expect(await rig.status(idOf(body))).toMatchObject({
      status_code: '200',
      transaction_status: 'PENDING',
    })
    expect((await rig.wire('POST /v2/order-1/cancel')).body).toMatchObject({ status_code: '404' })
    expect((await rig.wire(`POST /v2/${idOf(body)}/cancel`)).body).toMatchObject({
      status_code: '200',
    })
  })

  test('406 for its order id all the same', async () => {
    await rig.charge('order-1', BODIES['dana'] ?? {})
    expect(await rig.charge('order-1', bca)).toMatchObject({ status_code: '406' })
  })
})

describe('a fee imposed on the customer', () => {
  test('raises gross_amount when paid, says so in metadata, and is never refunded', async () => {
    await rig.sim('PATCH /_sim/settings', { customer_fee: 2500 })
    const metadata = { mine: true }
    await rig.charge('order-1', { ...BODIES['gopay'], metadata })
    expect(await rig.status('order-1')).toMatchObject({ gross_amount: '44000.00' })
    await rig.act('order-1', 'pay')
    await rig.quiet()
    expect(rig.hook.received.at(-1)?.body).toMatchObject({
      gross_amount: '46500.00',
      metadata: { mine: true, extra_info: { gross_amount_info: { original_amount: '44000' } } },
    })
    expect((await rig.wire('POST /v2/order-1/refund')).body).toMatchObject({
      refund_amount: '44000.00',
      transaction_status: 'refund',
    })
  })
})

describe('GET /v2/{id}/status/b2b', () => {
  test('lists every transaction of an order, newest first, in pages', async () => {
    for (let round = 0; round < 3; round += 1) {
      await rig.charge('order-1', bca)
      await rig.wire('POST /v2/order-1/expire')
      await rig.advance({ seconds: 1 })
    }
    const newest = await rig.status('order-1')
    const all = await rig.wire('GET /v2/order-1/status/b2b')
    expect(listOf(all.body, 'transactions')).toHaveLength(3)
    expect(listOf(all.body, 'transactions')[0]).toEqual(newest)
    const second = await rig.wire('GET /v2/order-1/status/b2b?page=1&per_page=2')
    expect(listOf(second.body, 'transactions')).toHaveLength(1)
  })
})
