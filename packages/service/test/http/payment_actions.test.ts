import { describe, expect, test } from 'vitest'
import { eventually } from '../store/test_database.ts'
import { useHttp } from './http_bench.ts'

const http = useHttp({ database: { lock_timeout_ms: 100 } })
const missing = '01890000-0000-7000-8000-000000000000'
const act = async (id: string, action: string, sent: object = {}) =>
  await http.post(`/payments/${id}/${action}/`, sent)

describe.each([
  ['cancel', 'payments:write', {}],
  ['expire', 'payments:write', {}],
  ['refund', 'payments:refund', { amount: 1_000 }],
  ['capture', 'payments:capture', { amount: 1_000 }],
])('POST /payments/{pk}/%s/', (action, scope, body) => {
  test('401 without a caller', async () => {
    expect(await act(missing, action, { body, as: '' })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    })
  })

  test('403 forbidden: without the scope, even for a payment of the caller', async () => {
    const { id } = await http.charged()
    const answer = await act(id, action, { body, as: 'payer' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(answer.body['detail']).toContain(scope)
    expect((await act(id, action, { body, as: 'staff' })).status).toBe(403)
  })

  test('403 forbidden: of staff, another owner’s payment without staff:act', async () => {
    const { id } = await http.charged()
    const answer = await act(id, action, { body, as: 'reader' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(answer.body['detail']).toContain('staff:act')
    expect((await act(missing, action, { body, as: 'reader' })).status).toBe(404)
    expect((await act(id, action, { body, as: 'clerk' })).status).not.toBe(403)
  })

  test("404 another owner's payment, byte-identical to a missing one but for request_id", async () => {
    const { id } = await http.charged()
    const sent = { body, as: 'budi', headers: { 'x-request-id': 'same' } }
    const theirs = await act(id, action, sent)
    expect(theirs.status).toBe(404)
    expect(theirs.text).toBe((await act(missing, action, sent)).text)
    expect(theirs.text).toBe((await act('robert', action, sent)).text)
  })

  test('405 for GET', async () => {
    const { status, headers } = await http.get(`/payments/${missing}/${action}/`)
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('POST /payments/{pk}/cancel/', () => {
  test('200 with the cancelled payment; its replay is the same bytes', async () => {
    const { id } = await http.charged()
    const key = http.fresh('key')
    const first = await act(id, 'cancel', { key })
    expect(first).toMatchObject({ status: 200, body: { id, transaction_status: 'cancel' } })
    const again = await act(id, 'cancel', { key })
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  test('400 payment_in_final_state: a settled payment is left as it was', async () => {
    const { id } = await http.settled()
    const before = await http.get(`/payments/${id}/`)
    expect(await act(id, 'cancel')).toMatchObject({
      status: 400,
      body: { code: 'payment_in_final_state', retryable: false },
    })
    expect((await http.get(`/payments/${id}/`)).text).toBe(before.text)
  })

  test('400 gateway_state_conflict: the gateway refuses, and the body has its status message', async () => {
    const { id } = await http.charged()
    await http.strike('cancel', 'status', { options: { http_status: 412 } })
    const answer = await act(id, 'cancel')
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ payment_id: id, gateway: { status_code: '412' } })
  })

  test('409 operation_in_progress, and 504 outcome_unknown with the payment', async () => {
    const { id } = await http.charged()
    await http.strike('cancel', 'timeout_before')
    await http.control('faults', { effect: 'drop_before', match: { operation: 'get_status' } })
    const lost = await act(id, 'cancel')
    expect(lost).toMatchObject({ status: 504, body: { code: 'outcome_unknown', payment_id: id } })
    expect(await act(id, 'cancel')).toMatchObject({
      status: 409,
      body: { code: 'operation_in_progress' },
    })
    await http.calm()
  })

  test('422 idempotency_key_reused: the key of another payment’s cancel', async () => {
    const [one, two] = [await http.charged(), await http.charged()]
    const key = http.fresh('key')
    await act(one.id, 'cancel', { key })
    expect((await act(two.id, 'cancel', { key })).status).toBe(422)
  })

  test('504 outcome_not_recorded: the record could not be written after the gateway acted', async () => {
    const { id, order_id } = await http.charged()
    await http.control('faults', { effect: 'muted', match: { transaction_status: 'cancel' } })
    await http.strike('cancel', 'delay', { options: { ms: 250 } })
    const answering = act(id, 'cancel')
    const started = await eventually(
      async () =>
        await http.database.sql(
          `select id from gapura.gateway_operation where subject_id = $1 and kind = 'cancel'`,
          [id],
        ),
      (rows) => rows.length === 1,
    )
    expect(started).toHaveLength(1)
    // Somebody holds the row for longer than the service waits.
    const answer = await http.database.do(async (tx) => {
      await tx.query('select id from gapura.gateway_payment where id = $1 for update', [id])
      return await answering
    })
    expect(answer).toMatchObject({
      status: 504,
      body: { code: 'outcome_not_recorded', payment_id: id },
    })
    expect(answer.text).not.toMatch(/lock|select|gapura\./)
    expect((await http.ledger(order_id))?.['charges']).toBe(1)
    await http.calm()
  })
})

describe('POST /payments/{pk}/expire/', () => {
  test('200 with the expired payment', async () => {
    const { id } = await http.charged('qris')
    expect(await act(id, 'expire')).toMatchObject({
      status: 200,
      body: { id, transaction_status: 'expire' },
    })
  })

  test('400 payment_not_pending: it has been expired before', async () => {
    const { id } = await http.charged('qris')
    await act(id, 'expire')
    expect(await act(id, 'expire')).toMatchObject({
      status: 400,
      body: { code: 'payment_not_pending' },
    })
  })
})

describe('POST /payments/{pk}/refund/', () => {
  test('200 with the payment and the refund; its replay is the same bytes and one refund', async () => {
    const { id, order_id } = await http.settled()
    const sent = { body: { amount: 50_000, reason: 'one broke' }, key: http.fresh('key') }
    const first = await act(id, 'refund', sent)
    expect(first).toMatchObject({
      status: 200,
      body: {
        payment: { id, transaction_status: 'partial_refund', refundable_amount: '100000.00' },
        refund: { amount: '50000.00', reason: 'one broke', status: 'succeeded' },
      },
    })
    expect((await act(id, 'refund', sent)).text).toBe(first.text)
    expect((await http.ledger(order_id))?.['refunded']).toBe(50_000)
  })

  test.each([
    ['nothing', undefined],
    ['zero', { amount: 0 }],
    ['a fraction', { amount: 1.5 }],
    ['a reason that is no text', { amount: 1, reason: 5 }],
    ['an unknown field', { amount: 1, colour: 'red' }],
  ])('400 invalid_request: %s', async (_what, body) => {
    expect(await act(missing, 'refund', { body })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    })
  })

  test('400 refund_amount_exceeded, payment_not_refundable, method_not_refundable', async () => {
    const codeOf = async (id: string, amount: number) => {
      const { status, body } = await act(id, 'refund', { body: { amount } })
      return [status, body['code']]
    }
    expect(await codeOf((await http.settled()).id, 150_001)).toEqual([
      400,
      'refund_amount_exceeded',
    ])
    expect(await codeOf((await http.charged('gopay')).id, 1)).toEqual([
      400,
      'payment_not_refundable',
    ])
    expect(await codeOf((await http.settled('bank_transfer')).id, 1)).toEqual([
      400,
      'method_not_refundable',
    ])
    expect(await codeOf((await http.charged('credit_card')).id, 1)).toEqual([
      400,
      'refund_needs_settlement',
    ])
  })

  test('400 refund_denied: the bank refused, and so says the replay', async () => {
    const { id, order_id } = await http.settled()
    await http.control(`transactions/${String(order_id)}/refuse_next`, {
      operation: 'direct_refund',
    })
    const sent = { body: { amount: 50_000, direct: true }, key: http.fresh('key') }
    const first = await act(id, 'refund', sent)
    expect(first).toMatchObject({ status: 400, body: { code: 'refund_denied', payment_id: id } })
    expect((await act(id, 'refund', sent)).text).toBe(first.text)
  })
})

describe('POST /payments/{pk}/capture/', () => {
  const held = async () => (await http.charged('credit_card', { capture: false })).id

  test('200 with part of what was held', async () => {
    const id = await held()
    expect(await act(id, 'capture', { body: { amount: 100_000 } })).toMatchObject({
      status: 200,
      body: { id, transaction_status: 'capture', captured_amount: '100000.00' },
    })
  })

  test('200 with all of it, without a body', async () => {
    expect(await act(await held(), 'capture')).toMatchObject({
      status: 200,
      body: { captured_amount: '150000.00' },
    })
  })

  test('400 capture_amount_exceeded, invalid_request, not_credit_card, payment_not_authorized', async () => {
    const codeOf = async (id: string, amount: number) => {
      const { status, body } = await act(id, 'capture', { body: { amount } })
      return [status, body['code']]
    }
    expect(await codeOf(await held(), 150_001)).toEqual([400, 'capture_amount_exceeded'])
    expect(await codeOf(await held(), -1)).toEqual([400, 'invalid_request'])
    expect(await codeOf((await http.charged('gopay')).id, 1)).toEqual([400, 'not_credit_card'])
    expect(await codeOf((await http.charged('credit_card')).id, 1)).toEqual([
      400,
      'payment_not_authorized',
    ])
  })
})
