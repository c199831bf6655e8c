// The SDK against the real service over HTTP: real PostgreSQL, the simulator as the gateway, and a
// proxy that cuts connections.
import { createClient, GapuraError, isUnclear, type ChargeInput, type Client } from '@gapura/sdk'
import { SCOPES, type GapuraOptions } from 'gapura'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useHttp } from '../../packages/service/test/http/http_bench.ts'
import { openProxy, type CuttingProxy } from './cutting_proxy.ts'

// Without the fixture's own callers, so that real API keys are needed.
const http = useHttp({ authenticate: undefined } as unknown as Partial<GapuraOptions>)
let proxy: CuttingProxy
let apiKey: string
let client: Client

beforeAll(async () => {
  const order = { name: 'shop', owner_id: 'ani', staff: false, scopes: [...SCOPES] }
  apiKey = (await http.parts.gapura.createApiKey(order)).key
  proxy = await openProxy(http.parts.url)
  client = createClient({ baseUrl: proxy.url, apiKey })
})
afterAll(async () => await proxy.close())
beforeEach(async () => void (await http.calm()))

const chargeOf = async (type: string, more: object = {}): Promise<ChargeInput> =>
  (await http.chargeOf(type, { order_id: http.fresh(type), ...more })) as ChargeInput

/** A gopay payment that was paid. */
async function paid() {
  const { id, order_id } = await client.payments.create(await chargeOf('gopay'))
  await http.control(`transactions/${order_id}/pay`)
  return (await client.payments.checkStatus(id)).payment
}

const callsOf = async (operation: string): Promise<number> => {
  const reply = await fetch(
    `${http.parts.simulator.url}/_sim/ledger?operation=${operation}&limit=1000`,
  )
  const { entries } = (await reply.json()) as { entries: { kind: string }[] }
  return entries.filter(({ kind }) => kind === 'call').length
}

const caught = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a lost request or answer', () => {
  test('a lost answer to a charge: one charge at the gateway, and the caller gets its payment', async () => {
    const before = await callsOf('charge')
    const input = await chargeOf('bank_transfer')
    proxy.cutNext('answer')
    const cuts = proxy.cut_count
    const payment = await client.payments.create(input)
    expect(proxy.cut_count).toBe(cuts + 1)
    expect(payment).toMatchObject({ order_id: input.order_id, transaction_status: 'pending' })
    expect(payment.va_number).toMatch(/^\d+$/)
    expect(await callsOf('charge')).toBe(before + 1)
    const found = await client.payments.list({ order_id: input.order_id ?? '' }).page()
    expect(found.results.map(({ id }) => id)).toEqual([payment.id])
  })

  test('the request, then two answers are lost: one charge', async () => {
    const before = await callsOf('charge')
    proxy.cutNext('request', 'answer', 'answer')
    const { id } = await client.payments.create(await chargeOf('qris'))
    expect((await client.payments.get(id)).transaction_status).toBe('pending')
    expect(await callsOf('charge')).toBe(before + 1)
  })

  test('a lost answer to a refund: refunded once', async () => {
    const payment = await paid()
    proxy.cutNext('answer')
    const { refund } = await client.payments.refund(payment.id, {
      amount: 50_000,
      reason: 'broken',
    })
    expect(refund).toMatchObject({ amount: '50000.00', status: 'succeeded' })
    expect(await http.ledger(payment.order_id)).toMatchObject({ refunded: 50_000 })
    const after = await client.payments.get(payment.id)
    expect(after).toMatchObject({ refund_amount: '50000.00', transaction_status: 'partial_refund' })
  })

  test('without retries the failure is unclear, and the same key finishes the call later', async () => {
    const before = await callsOf('charge')
    const input = await chargeOf('bank_transfer')
    proxy.cutNext('answer')
    const error = await caught(client.payments.create(input, { retries: 0 }))
    if (!isUnclear(error)) throw new Error('a lost answer must be unclear')
    const { idempotencyKey } = error
    const payment = await client.payments.create(input, { idempotencyKey })
    const again = await client.payments.create(input, { idempotencyKey })
    expect(again).toEqual(payment)
    expect(await callsOf('charge')).toBe(before + 1)
  })

  test('an answer lost at the gateway is 504 outcome_unknown, then the same charge', async () => {
    const input = await chargeOf('bank_transfer')
    await http.strike('notification', 'muted', { times: 20 })
    await http.strike('charge', 'drop_after')
    await http.strike('get_status', 'drop_before', { times: 20 })
    const error = await caught(
      client.payments.create(input, { retries: 0, idempotencyKey: 'unclear-1' }),
    )
    expect(error).toMatchObject({ code: 'outcome_unknown', status: 504, definite: false })
    if (!(error instanceof GapuraError)) throw new Error('must be a GapuraError')
    expect((await client.payments.get(error.paymentId ?? '')).transaction_status).toBe('initiated')
    await http.calm()
    const payment = await client.payments.create(input, { idempotencyKey: 'unclear-1' })
    expect(payment).toMatchObject({ id: error.paymentId, transaction_status: 'pending' })
    const transactions = await fetch(
      `${http.parts.simulator.url}/_sim/transactions?order_id=${payment.order_id}`,
    )
    expect(await transactions.json()).toMatchObject({ transactions: [{}] })
  })
})

describe('methods', () => {
  test('a payment is read and cancelled; a second cancel is refused with its reason', async () => {
    const { id } = await client.payments.create(await chargeOf('bank_transfer'))
    expect((await client.payments.get(id)).is_pending).toBe(true)
    expect((await client.payments.cancel(id)).transaction_status).toBe('cancel')
    expect(await caught(client.payments.cancel(id))).toMatchObject({
      code: 'payment_in_final_state',
      status: 400,
      definite: true,
      retryable: false,
      attempts: 1,
    })
  })

  test('a payment is expired', async () => {
    const { id } = await client.payments.create(await chargeOf('bank_transfer'))
    expect((await client.payments.expire(id)).is_expired).toBe(true)
  })

  test('a payment is captured in part', async () => {
    const input = await chargeOf('credit_card', { capture: false })
    const { id, transaction_status } = await client.payments.create(input)
    expect(transaction_status).toBe('authorize')
    const captured = await client.payments.capture(id, { amount: 100_000 })
    expect(captured.captured_amount).toBe('100000.00')
  })
})

describe('errors are typed', () => {
  test('invalid fields are named', async () => {
    const error = await caught(client.payments.create({ payment_type: 'qris', gross_amount: 0.5 }))
    expect(error).toMatchObject({ code: 'invalid_request', status: 400, attempts: 1 })
    const { errors, requestId } = error as GapuraError
    expect(errors.map(({ field }) => field)).toContain('gross_amount')
    expect(requestId).toMatch(/./)
  })

  test('an unknown key, a missing scope, and an unknown object', async () => {
    const stranger = createClient({ baseUrl: proxy.url, apiKey: 'gpk_unknown' })
    expect(await caught(stranger.payments.list().page())).toMatchObject({ code: 'unauthenticated' })
    const order = { name: 'reader', owner_id: 'ani', staff: false, scopes: [] }
    const { key } = await http.parts.gapura.createApiKey(order)
    const reader = createClient({ baseUrl: proxy.url, token: async () => key })
    const input = await chargeOf('qris')
    expect(await caught(reader.payments.create(input))).toMatchObject({ code: 'forbidden' })
    const unknown = '01890000-0000-7000-8000-000000000000'
    expect(await caught(client.payments.get(unknown))).toMatchObject({ code: 'not_found' })
  })

  test('one key for two different requests is refused', async () => {
    const options = { idempotencyKey: http.fresh('key') }
    await client.payments.create(await chargeOf('qris'), options)
    const error = await caught(client.payments.create(await chargeOf('qris'), options))
    expect(error).toMatchObject({ code: 'idempotency_key_reused', status: 422 })
  })

  test('a wrong prefix is reported', async () => {
    const lost = createClient({ baseUrl: `${new URL(proxy.url).origin}/elsewhere`, apiKey })
    expect(await caught(lost.payments.list().page())).toBeInstanceOf(GapuraError)
  })
})

describe('a gateway that refuses for a moment', () => {
  test.each([{}, { order_id: 'once-more' }])('is called again: %j', async (more) => {
    const { order_id: _, ...input } = await chargeOf('bank_transfer')
    let sent = 0
    const counting = async (url: string, init: RequestInit) => {
      sent += 1
      return await fetch(url, init)
    }
    const counted = createClient({ baseUrl: proxy.url, apiKey, fetch: counting })
    await http.strike('charge', 'rate_limited', { options: { retry_after: 1 } })
    const payment = await counted.payments.create({ ...input, ...more })
    expect(payment).toMatchObject({ transaction_status: 'pending', ...more })
    expect(sent).toBe(2)
  })
})

describe('lists', () => {
  test('return every payment once, newest first, page by page', async () => {
    const email = 'lists@example.com'
    const made: string[] = []
    for (let count = 0; count < 7; count += 1) {
      const input = await chargeOf('qris', { customer_details: { first_name: 'Ani', email } })
      made.unshift((await client.payments.create(input)).id)
    }
    const seen: string[] = []
    for await (const { id } of client.payments.list({ customer_email: email, page_size: 3 })) {
      seen.push(id)
    }
    expect(seen).toEqual(made)
    const list = client.payments.list({ customer_email: email, page_size: 3 })
    const first = await list.page()
    const second = await list.page(first.nextCursor)
    expect(second.results.map(({ id }) => id)).toEqual(made.slice(3, 6))
    const back = await list.page(second.previousCursor)
    expect(back.results.map(({ id }) => id)).toEqual(made.slice(0, 3))
  })
})
