import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/gateway/operations.ts'
import { GatewayClient } from '../../src/gateway/client.ts'
import { always, CHARGE, clientOf, replyServer, SERVER_KEY } from './reply_server.ts'

/** Valid for one family only: only a subscription's amount is text. */
const REPLY = {
  status_code: '200',
  status_message: 'ok',
  id: 'x-1',
  order_id: 'order-1',
  transaction_status: 'pending',
}
const REPLIES: Record<string, object> = {
  subscription: { ...REPLY, name: 'gold', amount: '1000', status: 'active' },
  invoice: { ...REPLY, status: 'pending', success: true },
  bin: { data: { bin: '481111' } },
  page: { token: 't-1', redirect_url: 'https://app.example/snap/v4/redirection/t-1' },
}
const replyTo = (operation: keyof typeof OPERATIONS): object =>
  REPLIES[OPERATIONS[operation].family] ?? REPLY

const CARD = { card_number: '4811111111111114', card_exp_month: '12', card_exp_year: '2030' }
const REFUND = { order_id: 'a/b', refund_key: 'r-1', amount: 5_000 }

const INVOICE = {
  order_id: 'i-1',
  invoice_number: 'INV-1',
  due_date: '2026-12-01 00:00:00 +0700',
  invoice_date: '2026-11-15 00:00:00 +0700',
  customer_details: { name: 'Ani' },
  item_details: [{ description: 'tea', quantity: 1, price: 1_000 }],
  payment_type: 'payment_link',
} as const

const PAGE = {
  transaction_details: { order_id: 'p-1', gross_amount: 1_000 },
  enabled_payments: ['gopay'],
  credit_card: { secure: true as const },
  page_expiry: { duration: 60, unit: 'minute' as const },
  metadata: {},
}

type Case = [
  operation: keyof typeof OPERATIONS,
  call: (client: GatewayClient) => Promise<unknown>,
  request: string,
]

const CASES: Case[] = [
  ['charge', (c) => c.charge(CHARGE), 'POST /v2/charge'],
  ['get_status', (c) => c.getStatus('a/b'), 'GET /v2/a%2Fb/status'],
  ['get_status_b2b', (c) => c.getStatusB2b('o~1'), 'GET /v2/o~1/status/b2b'],
  ['cancel', (c) => c.cancel('o-1'), 'POST /v2/o-1/cancel'],
  ['expire', (c) => c.expire('o-1'), 'POST /v2/o-1/expire'],
  ['capture', (c) => c.capture({ transaction_id: 't-1', gross_amount: 1 }), 'POST /v2/capture'],
  ['refund', (c) => c.refund(REFUND), 'POST /v2/a%2Fb/refund'],
  ['direct_refund', (c) => c.directRefund(REFUND), 'POST /v2/a%2Fb/refund/online/direct'],
  ['approve', (c) => c.approve('o-1'), 'POST /v2/o-1/approve'],
  ['deny', (c) => c.deny('o-1'), 'POST /v2/o-1/deny'],
  ['get_card_token', (c) => c.getCardToken({ ...CARD, card_cvv: '123' }), 'GET /v2/token'],
  ['register_card', (c) => c.registerCard(CARD), 'GET /v2/card/register'],
  ['point_inquiry', (c) => c.pointInquiry('token-1'), 'GET /v2/point_inquiry/token-1'],
  ['get_bin', (c) => c.getBin('481111'), 'GET /v1/bins/481111'],
  [
    'create_pay_account',
    (c) =>
      c.createPayAccount({
        payment_type: 'gopay',
        gopay_partner: { phone_number: '81', country_code: '62' },
      }),
    'POST /v2/pay/account',
  ],
  ['get_pay_account', (c) => c.getPayAccount('a-1'), 'GET /v2/pay/account/a-1'],
  ['unbind_pay_account', (c) => c.unbindPayAccount('a-1'), 'POST /v2/pay/account/a-1/unbind'],
  [
    'create_subscription',
    (c) =>
      c.createSubscription({
        name: 'gold',
        amount: '1000',
        currency: 'IDR',
        payment_type: 'credit_card',
        token: 'saved-1',
        schedule: { interval: 1, interval_unit: 'month' },
      }),
    'POST /v1/subscriptions',
  ],
  ['get_subscription', (c) => c.getSubscription('s-1'), 'GET /v1/subscriptions/s-1'],
  [
    'disable_subscription',
    (c) => c.disableSubscription('s-1'),
    'POST /v1/subscriptions/s-1/disable',
  ],
  ['enable_subscription', (c) => c.enableSubscription('s-1'), 'POST /v1/subscriptions/s-1/enable'],
  ['cancel_subscription', (c) => c.cancelSubscription('s-1'), 'POST /v1/subscriptions/s-1/cancel'],
  [
    'update_subscription',
    (c) => c.updateSubscription('s-1', { name: 'g', amount: '2', currency: 'IDR', token: 't' }),
    'PATCH /v1/subscriptions/s-1',
  ],
  ['create_invoice', (c) => c.createInvoice(INVOICE), 'POST /v1/invoices'],
  ['get_invoice', (c) => c.getInvoice('i-1'), 'GET /v1/invoices/i-1'],
  ['void_invoice', (c) => c.voidInvoice('i-1', 'twice'), 'PATCH /v1/invoices/i-1/void'],
  ['create_checkout', (c) => c.createCheckout(PAGE), 'POST /snap/v1/transactions'],
  ['cancel_checkout', (c) => c.cancelCheckout('t/1'), 'POST /snap/v1/transactions/t%2F1/cancel'],
]

describe('the twenty-six operations', () => {
  test('are all here', () => {
    expect(CASES.map(([operation]) => operation).sort()).toEqual(Object.keys(OPERATIONS).sort())
    // Twenty-six of the specification, and two of hosted checkout.
    expect(CASES).toHaveLength(26 + 2)
  })

  test.each(CASES)('%s', async (operation, call, request) => {
    const { url, received } = await replyServer(always(200, replyTo(operation)))
    await call(clientOf(url, { card_data: true, client_key: 'SB-Mid-client-x' }))
    const [seen] = received
    expect(`${seen?.method} ${seen?.url.split('?')[0]}`).toBe(request)
    expect(seen?.headers.authorization).toBe(
      `Basic ${Buffer.from(`${SERVER_KEY}:`).toString('base64')}`,
    )
    expect(seen?.headers.accept).toBe('application/json')
    expect(seen?.headers['content-type']).toBe('application/json')
    expect(OPERATIONS[operation].method).toBe(seen?.method)
  })
})

describe('bodies', () => {
  test('send amounts as whole rupiah, and an empty reason by default', async () => {
    const { url, received } = await replyServer(always(200, REPLY))
    const client = clientOf(url)
    await client.refund(REFUND)
    await client.directRefund({ ...REFUND, reason: 'broken' })
    await client.capture({ transaction_id: 't-1', gross_amount: 150_000 })
    expect(received.map(({ body }): unknown => JSON.parse(body))).toEqual([
      { refund_key: 'r-1', amount: 5_000, reason: '' },
      { refund_key: 'r-1', amount: 5_000, reason: 'broken' },
      { transaction_id: 't-1', gross_amount: 150_000 },
    ])
  })

  test.each([{ success: false }, {}])(
    'a void answered %j is not accepted as a void',
    async (reply) => {
      const { url } = await replyServer(always(200, reply))
      await expect(clientOf(url).voidInvoice('i-1')).rejects.toMatchObject({
        code: 'outcome_unknown',
      })
    },
  )

  test('a charge with a field unknown to the gateway is not sent', async () => {
    const { url, received } = await replyServer(always(200, REPLY))
    const typo = { ...CHARGE, bank_transfer: { bank: 'bca', va_numbr: '1' } }
    await expect(clientOf(url).charge(typo)).rejects.toMatchObject({ code: 'invalid_request' })
    const fraction = {
      ...CHARGE,
      transaction_details: { order_id: 'order-1', gross_amount: 10.5 },
    }
    await expect(clientOf(url).charge(fraction)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(received).toHaveLength(0)
  })

  test('a void sends no reason, because the gateway has no field for it', async () => {
    const { url, received } = await replyServer(always(200, replyTo('void_invoice')))
    await clientOf(url).voidInvoice('i-1', 'sent twice')
    expect(received[0]?.body).toBe('')
  })

  test.each(['', '.', '..'])(
    '%j is refused as an id, because it would name another path',
    async (id) => {
      const { url, received } = await replyServer(always(200, REPLY))
      await expect(clientOf(url).getStatus(id)).rejects.toMatchObject({ code: 'invalid_request' })
      expect(received).toHaveLength(0)
    },
  )
})

describe('headers', () => {
  // Written by hand from gateway-protocol.md#idempotency, not from the table under test.
  test.each([
    ['charge', 'Idempotency-Key'],
    ['cancel', 'Idempotency-Key'],
    ['expire', 'Idempotency-Key'],
    ['capture', 'Idempotency-Key'],
    ['refund', 'Idempotency-Key'],
    ['direct_refund', 'Idempotency-Key'],
    ['approve', 'Idempotency-Key'],
    ['deny', 'Idempotency-Key'],
    ['create_subscription', 'Idempotency-Key'],
    ['disable_subscription', 'Idempotency-Key'],
    ['enable_subscription', 'Idempotency-Key'],
    ['cancel_subscription', 'Idempotency-Key'],
    ['create_invoice', 'X-Idempotency-Key'],
  ] as const)('%s takes its key as %s', (operation, header) => {
    expect(OPERATIONS[operation].idempotency_header).toBe(header)
  })

  test('every operation waits at most ten seconds for an answer', () => {
    const waits = Object.values(OPERATIONS).map(({ timeout_ms }) => timeout_ms)
    expect(new Set(waits)).toEqual(new Set([10_000]))
  })

  const key = '0198f1de-7b5a-7cc3-98ad-000000000001'

  test('a key exists for every POST but those of accounts and pages', () => {
    const without = CASES.map(([operation]) => OPERATIONS[operation])
      .filter(({ method, idempotency_header }) => method === 'POST' && idempotency_header === null)
      .map(({ path }) => path)
    expect(without).toEqual([
      '/v2/pay/account',
      '/v2/pay/account/{account_id}/unbind',
      '/snap/v1/transactions',
      '/snap/v1/transactions/{token}/cancel',
    ])
  })

  test('a charge and an invoice send the key under their own header names', async () => {
    const { url, received } = await replyServer((response, request) => {
      const invoice = request.url === '/v1/invoices'
      always(200, invoice ? replyTo('create_invoice') : REPLY)(response, request)
    })
    const client = clientOf(url)
    await client.charge(CHARGE, { idempotency_key: key })
    await client.createInvoice(INVOICE, { idempotency_key: key })
    await client.charge(CHARGE)
    const keys = received.map(({ headers }) => [
      headers['idempotency-key'],
      headers['x-idempotency-key'],
    ])
    expect(keys).toEqual([
      [key, undefined],
      [undefined, key],
      [undefined, undefined],
    ])
  })

  test('a key of 47 characters is refused, because the gateway would ignore it silently', async () => {
    const { url, received } = await replyServer(always(200, REPLY))
    const long = { idempotency_key: 'k'.repeat(47) }
    await expect(clientOf(url).charge(CHARGE, long)).rejects.toThrow(RangeError)
    expect(received).toHaveLength(0)
    await clientOf(url).charge(CHARGE, { idempotency_key: 'k'.repeat(46) })
    expect(received).toHaveLength(1)
  })

  test('notification URLs override those of the dashboard, on charges only', async () => {
    const { url, received } = await replyServer(always(200, REPLY))
    const notification_urls = ['https://a.example/n/', 'https://b.example/n/']
    const client = clientOf(url, { notification_urls })
    await client.charge(CHARGE)
    await client.cancel('order-1')
    expect(received[0]?.headers['x-override-notification']).toBe(notification_urls.join(','))
    expect(received[1]?.headers['x-override-notification']).toBeUndefined()
  })

  test('DANA is looked up as a transaction of the other family', async () => {
    const { url, received } = await replyServer(always(200, REPLY))
    await clientOf(url).getStatus('t-1', { snap_source: true })
    expect(received[0]?.headers['transaction-source']).toBe('SNAP_API')
  })
})

describe('settings', () => {
  test.each(['', 'SB-Mid server', 'SB-Mid-server-x\n'])(
    'server key %j is refused without printing it',
    (server_key) => {
      expect(() => new GatewayClient({ server_key })).toThrow(
        'server_key must not be empty or contain white space',
      )
    },
  )

  test('more notification URLs than the gateway accepts are refused', () => {
    const notification_urls = ['a', 'b', 'c', 'd']
    expect(() => new GatewayClient({ server_key: 'k', notification_urls })).toThrow('at most 3')
  })

  test('card operations are disabled by default, and need a client key when enabled', async () => {
    const { url, received } = await replyServer(always(200, REPLY))
    const closed = clientOf(url)
    await expect(closed.getCardToken({ ...CARD, card_cvv: '123' })).rejects.toMatchObject({
      code: 'card_data_disabled',
      advice: expect.stringContaining('`card_data: true` (GATEWAY_CARD_DATA=true)'),
    })
    await expect(closed.registerCard(CARD)).rejects.toMatchObject({ code: 'card_data_disabled' })
    await expect(clientOf(url, { card_data: true }).registerCard(CARD)).rejects.toMatchObject({
      name: 'GatewayValidationError',
      errors: [{ field: 'client_key', message: 'is required here or in the settings' }],
    })
    expect(received).toHaveLength(0)
    await clientOf(url, { card_data: true }).registerCard({ ...CARD, client_key: 'given' })
    expect(received[0]?.url).toContain('client_key=given')
  })
})
