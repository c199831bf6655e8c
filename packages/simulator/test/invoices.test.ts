import { describe, expect, test } from 'vitest'
import { listOf, Rig, textOf, type Body } from './rig.ts'

const rig = new Rig().install()

const requestFor = (fields: Body = {}): Body => ({
  order_id: 'inv-order-1',
  invoice_number: 'INV-1',
  due_date: '2026-01-12 12:00:00 +0700',
  invoice_date: '2026-01-05 12:00:00 +0700',
  customer_details: { id: 'c-1', name: 'Budi', email: 'budi@example.com', phone: '82313123123' },
  item_details: [{ item_id: 'SKU1', description: 'pillow', quantity: 2, price: 10_000 }],
  payment_type: 'payment_link',
  ...fields,
})

const create = async (fields?: Body, headers?: Record<string, string>) =>
  await rig.wire('POST /v1/invoices', requestFor(fields), headers)
const get = async (id: string) => await rig.wire(`GET /v1/invoices/${id}`)
const created = async (fields?: Body): Promise<string> => textOf((await create(fields)).body, 'id')

describe('POST /v1/invoices', () => {
  test('HTTP 201 with a link to pay, and the same again on GET', async () => {
    const answer = await create()
    expect(answer).toMatchObject({
      http_status: 201,
      body: {
        status: 'pending',
        gross_amount: 20_000,
        due_date: '2026-01-12 12:00:00 +0700',
        virtual_accounts: [],
      },
    })
    expect(textOf(answer.body, 'id')).toMatch(/^[0-9a-f]{24}$/)
    expect((await fetch(textOf(answer.body, 'payment_link_url'))).status).toBe(200)
    expect((await get(textOf(answer.body, 'id'))).body).toEqual(answer.body)
  })

  test('adds up items, discounts, shipping and taxes', async () => {
    const body = {
      item_details: [{ item_id: 'a', description: 'a', quantity: '2', price: '10000' }],
      amount: { discount: '1000', shipping: '11' },
      tax_mode: 'exclusive',
      taxes: [{ name: 'PPN', type: 'percentage', value: 10 }],
    }
    expect((await create(body)).body).toMatchObject({
      gross_amount: 20_000 - 1000 + 11 + 1900,
      taxes: [{ name: 'PPN', calculated_amount: 1900 }],
    })
  })

  const BAD: [string, Body, RegExp][] = [
    ['no order id', { order_id: undefined }, /order_id is required/],
    ['an order id of 37', { order_id: 'x'.repeat(37) }, /order_id must be/],
    ['no invoice date', { invoice_date: undefined }, /invoice_date is required/],
    ['due before invoiced', { due_date: '2026-01-05 12:00:00' }, /due_date must be after/],
    ['no items', { item_details: [] }, /item must not be empty/],
    ['no customer name', { customer_details: {} }, /customer_details.name is required/],
    ['a phone from 0', { customer_details: { name: 'B', phone: '0812' } }, /not start with 0/],
    ['nothing to pay', { amount: { discount: 20_000 } }, /gross_amount must be more than 0/],
    ['no bank', { payment_type: 'virtual_account' }, /virtual_accounts must name/],
    ['no enabled payments', { payment_link: {} }, /enabled_payments is required/],
    ['a quotation', { document_type: 'quotation' }, /document_type must be invoice/],
  ]

  test.each(BAD)('HTTP 400 for %s', async (_case, fields, message) => {
    const answer = await create(fields)
    expect(answer.http_status).toBe(400)
    expect(String(answer.body['error_messages'])).toMatch(message)
  })

  test('HTTP 409 for an order id used before', async () => {
    await create()
    expect(await create()).toMatchObject({
      http_status: 409,
      body: { error_messages: ['Duplicate order id'] },
    })
  })

  test('X-Idempotency-Key replays for five minutes; the other header means nothing here', async () => {
    const first = await create({}, { 'x-idempotency-key': 'key-1' })
    expect((await create({}, { 'x-idempotency-key': 'key-1' })).body).toEqual(first.body)
    expect((await create({}, { 'idempotency-key': 'key-1' })).http_status).toBe(409)
    await rig.advance({ minutes: 5 })
    expect((await create({}, { 'x-idempotency-key': 'key-1' })).http_status).toBe(409)
  })

  test('HTTP 401 in its own shape', async () => {
    const answer = await create({}, { authorization: 'Basic x' })
    expect(answer.http_status).toBe(401)
    expect(Object.keys(answer.body)).toEqual(['error_messages'])
  })
})

describe('paying', () => {
  test('by link: paid, and a signed notification that names the invoice', async () => {
    const id = await created()
    await rig.sim(`POST /_sim/invoices/${id}/pay`)
    await rig.quiet()
    expect((await get(id)).body).toMatchObject({
      status: 'paid',
      paid_date: '2026-01-05 12:00:00 +0700',
    })
    expect(rig.hook.received).toMatchObject([
      {
        path: '/payment',
        body: {
          transaction_status: 'settlement',
          gross_amount: '20000.00',
          metadata: { midtrans_invoice_id: id },
        },
      },
    ])
    expect(await rig.refusedBySim(`POST /_sim/invoices/${id}/pay`)).toMatchObject({
      http_status: 409,
    })
  })

  test('the order id of the payment is not the invoice’s, unless the settings say so', async () => {
    const first = await rig.sim(`POST /_sim/invoices/${await created()}/pay`)
    expect(textOf(first, 'order_id')).toMatch(/^inv-order-1-\d{13}$/)
    await rig.sim('PATCH /_sim/settings', { invoice_order_id: 'same' })
    const id = await created({ order_id: 'inv-order-2' })
    expect(await rig.sim(`POST /_sim/invoices/${id}/pay`)).toMatchObject({
      order_id: 'inv-order-2',
    })
  })

  test('by virtual account, with the number alone', async () => {
    const body = { payment_type: 'virtual_account', virtual_accounts: [{ bank: 'bni_va' }] }
    const answer = await create(body)
    const [account = {}] = listOf(answer.body, 'virtual_accounts')
    const number = textOf(account, 'number')
    expect(await rig.sim('POST /_sim/pay', { number })).toMatchObject({
      payment_type: 'bank_transfer',
      va_numbers: [{ bank: 'bni', va_number: number }],
    })
    expect((await get(textOf(answer.body, 'id'))).body).toMatchObject({ status: 'paid' })
  })
})

describe('time and void', () => {
  test('overdue at due_date, and still payable', async () => {
    const id = await created()
    await rig.advance({ days: 7 })
    expect((await get(id)).body).toMatchObject({ status: 'overdue' })
    await rig.sim(`POST /_sim/invoices/${id}/pay`)
    expect((await get(id)).body).toMatchObject({ status: 'paid' })
  })

  test('expired when the link has an expiry of its own, with a notification', async () => {
    const payment_link = {
      enabled_payments: ['bca_va'],
      is_custom_expiry: true,
      expiry: { unit: 'days', duration: 2, start_time: '2026-01-05 12:00:00 +0700' },
    }
    const id = await created({ payment_link })
    await rig.advance({ days: 2 })
    expect((await get(id)).body).toMatchObject({ status: 'expired' })
    expect(rig.hook.received[0]?.body).toMatchObject({
      transaction_status: 'expire',
      metadata: { midtrans_invoice_id: id },
    })
  })

  test('200 voids a pending or overdue one without notification; then 409; 404 if unknown', async () => {
    const id = await created()
    const voided = async (which: string) => await rig.wire(`PATCH /v1/invoices/${which}/void`)
    expect(await voided(id)).toMatchObject({ http_status: 200, body: { success: true } })
    expect((await get(id)).body).toMatchObject({ status: 'voided' })
    expect(await voided(id)).toMatchObject({
      http_status: 409,
      body: { error_messages: ['Invoice cannot be canceled'] },
    })
    expect((await voided('unknown')).http_status).toBe(404)
    expect((await get('unknown')).http_status).toBe(404)
    await rig.quiet()
    expect(rig.hook.received).toHaveLength(0)
  })
})
