import { describe, expect, test } from 'vitest'
import { PAYMENT_TYPES } from '../../src/domain/payment_type.ts'
import { useHttp } from './http_bench.ts'

const http = useHttp()
const charge = async (payment_type: string, more: object = {}, key?: string) =>
  await http.post('/charge/', {
    body: await http.chargeOf(payment_type, more),
    ...(key !== undefined && { key }),
  })

describe('POST /charge/', () => {
  test.each(PAYMENT_TYPES)('201 with the full payment: %s', async (payment_type) => {
    const { status, headers, body } = await charge(payment_type)
    expect(status).toBe(201)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({ payment_type, gross_amount: '150000.00', refunds: [] })
    expect(body['items']).toHaveLength(1)
  })

  test('201 with a virtual account number for a bank transfer', async () => {
    const { body } = await charge('bank_transfer')
    expect(body).toMatchObject({ transaction_status: 'pending', va_number: expect.any(String) })
  })

  test('201 without the slash, and no redirect', async () => {
    const { status } = await http.post('/charge', { body: await http.chargeOf('qris') })
    expect(status).toBe(201)
  })

  test('201 with transaction_status deny: a bank that refuses is a result', async () => {
    const token_id = await http.token('4911111111111113')
    const { status, body } = await charge('credit_card', { token_id })
    expect(status).toBe(201)
    expect(body['transaction_status']).toBe('deny')
  })

  test('201 again with the same key: the same bytes, marked, and one charge', async () => {
    const order_id = http.fresh('key')
    const first = await charge('bank_transfer', { order_id }, order_id)
    const again = await charge('bank_transfer', { order_id }, order_id)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect((await http.ledger(order_id))?.['charges']).toBe(1)
  })

  test('201 or 409 request_in_progress with Retry-After: thirty at once make one charge', async () => {
    const order_id = http.fresh('thirty')
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => await charge('bank_transfer', { order_id }, order_id)),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    const waiting = answers.filter(({ status }) => status !== 201)
    for (const { status, body, headers } of waiting) {
      expect([status, body['code'], headers.has('retry-after')]).toEqual([
        409,
        'request_in_progress',
        true,
      ])
    }
    expect((await http.ledger(order_id))?.['charges']).toBe(1)
  })

  test('201 again though the body is spelt otherwise', async () => {
    const key = http.fresh('key')
    const body = await http.chargeOf('qris', { order_id: key })
    const first = await http.post('/charge/', { body, key })
    const turned = Object.fromEntries(Object.entries(body).reverse())
    expect((await http.post('/charge', { body: turned, key })).text).toBe(first.text)
  })
})

describe('POST /charge/ refuses', () => {
  test('400 invalid_request: every fault at once, and no value is echoed', async () => {
    const body = { payment_type: 'cheque', gross_amount: 'hunter2', colour: 'red' }
    const answer = await http.post('/charge/', { body })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(answer.body).toMatchObject({
      type: 'urn:gapura:problem:invalid_request',
      status: 400,
      code: 'invalid_request',
      retryable: false,
      request_id: answer.headers.get('x-request-id'),
    })
    const fields = (answer.body['errors'] as { field: string }[]).map(({ field }) => field)
    expect(fields).toEqual(expect.arrayContaining(['payment_type', 'colour']))
    expect(answer.text).not.toContain('hunter2')
  })

  test.each([
    ['items that do not add up', { gross_amount: 1 }, 'item_details'],
    ['a fraction of a rupiah', { gross_amount: '150000.50', item_details: [] }, 'gross_amount'],
    ['an unknown bank', { bank: 'moneybox' }, 'bank'],
    ['an order id with a space', { order_id: 'a b' }, 'order_id'],
  ])('400 invalid_request: %s', async (_what, more, field) => {
    const { status, body } = await charge('bank_transfer', more)
    expect(status).toBe(400)
    expect(body['errors']).toEqual(expect.arrayContaining([expect.objectContaining({ field })]))
  })

  test('400 invalid_request: no body at all', async () => {
    expect(await http.post('/charge/')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    })
  })

  test("400 duplicate_order: names the caller's own payment, and not another's", async () => {
    const { id, order_id } = await http.charged()
    const mine = await charge('bank_transfer', { order_id })
    expect(mine).toMatchObject({ status: 400, body: { code: 'duplicate_order' } })
    expect(mine.text).toContain(id)
    const body = await http.chargeOf('bank_transfer', { order_id })
    const theirs = await http.post('/charge/', { body, as: 'budi' })
    expect(theirs.body['code']).toBe('duplicate_order')
    expect(theirs.text).not.toContain(id)
  })

  test.each(['expire', 'cancel'])(
    '400 order_ended: after %s an order id is not charged again, and the message names the remedy',
    async (action) => {
      const { id, order_id } = await http.charged()
      await http.post(`/payments/${id}/${action}/`)
      const again = await charge('bank_transfer', { order_id })
      expect(again).toMatchObject({
        status: 400,
        body: {
          code: 'order_ended',
          errors: [
            { field: 'order_id', message: expect.stringContaining('a new order id') as string },
          ],
        },
      })
      expect(again.text).toContain(id)
      const body = await http.chargeOf('bank_transfer', { order_id })
      const theirs = await http.post('/charge/', { body, as: 'budi' })
      expect([theirs.body['code'], theirs.text.includes(id)]).toEqual(['duplicate_order', false])
      expect((await charge('bank_transfer', { order_id: `${String(order_id)}-2` })).status).toBe(
        201,
      )
    },
  )

  test('400 card_token_invalid: what the gateway refused, and its replay byte for byte', async () => {
    const key = http.fresh('key')
    const first = await charge('credit_card', { token_id: 'unknown' }, key)
    expect(first).toMatchObject({
      status: 400,
      body: { code: 'card_token_invalid', payment_id: expect.any(String), gateway: {} },
    })
    const again = await charge('credit_card', { token_id: 'unknown' }, key)
    expect([again.status, again.text]).toEqual([400, first.text])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
  })

  test.each([
    [401, 'gateway_authentication_failed'],
    [429, 'gateway_rate_limited'],
  ])('400 on charge whatever the gateway answered: %i is %s', async (http_status, code) => {
    await http.strike('charge', 'status', { options: { http_status } })
    expect(await charge('qris')).toMatchObject({ status: 400, body: { code } })
  })

  test('504 outcome_unknown: an error of the gateway’s own proves nothing yet', async () => {
    await http.strike('charge', 'status', { options: { http_status: 503 } })
    const answer = await charge('qris')
    expect(answer).toMatchObject({ status: 504, body: { code: 'outcome_unknown' } })
    expect(answer.body['payment_id']).toEqual(expect.any(String))
  })

  test('401 without a caller, before the body is looked at', async () => {
    const { status, headers, body } = await http.post('/charge/', { raw: '{', as: '' })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer realm="gapura"')
    expect(body['code']).toBe('unauthenticated')
  })

  test('403 forbidden: names the scope that is missing', async () => {
    const body = await http.chargeOf('qris')
    const answer = await http.post('/charge/', { body, as: 'payer' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(answer.body['detail']).toContain('payments:write')
  })

  test('422 idempotency_key_reused: the same key for another body', async () => {
    const key = http.fresh('key')
    await charge('qris', {}, key)
    expect(await charge('gopay', {}, key)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
  })

  test.each(['', 'a b', 'x'.repeat(256)])('400 invalid_request: the key %j', async (key) => {
    const answer = await charge('qris', {}, key)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(answer.text).toContain('Idempotency-Key')
  })

  test('504 outcome_unknown: with the payment to read, and the same key ends it', async () => {
    const order_id = http.fresh('lost')
    await http.strike('charge', 'timeout_before')
    const lost = await charge('bank_transfer', { order_id }, order_id)
    expect(lost).toMatchObject({ status: 504, body: { code: 'outcome_unknown', retryable: true } })
    const { payment_id } = lost.body
    const read = await http.get(`/payments/${String(payment_id)}/`)
    expect(read.body).toMatchObject({ id: payment_id, transaction_status: 'initiated' })
    const again = await charge('bank_transfer', { order_id }, order_id)
    expect(again).toMatchObject({ status: 201, body: { id: payment_id } })
    expect((await http.ledger(order_id))?.['charges']).toBe(1)
  })
})
