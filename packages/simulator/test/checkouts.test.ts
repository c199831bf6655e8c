// The hosted page (Snap) as the merchant's program uses it.
import { describe, expect, test } from 'vitest'
import { listOf, Rig, textOf, type Body } from './rig.ts'
import { Shop } from './shop.ts'

const rig = new Rig().install()
const shop = new Shop(rig)

describe('POST /snap/v1/transactions', () => {
  test('HTTP 201 with token and redirect_url, and no transaction', async () => {
    const answer = await shop.create('order-1')
    const token = textOf(answer.body, 'token')
    expect(answer).toMatchObject({
      http_status: 201,
      body: { token, redirect_url: `${rig.url}/snap/v4/redirection/${token}` },
    })
    expect(Object.keys(answer.body)).toEqual(['token', 'redirect_url'])
    expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    expect(await rig.status('order-1')).toMatchObject({ status_code: '404' })
    await rig.quiet()
    expect(rig.hook.received).toEqual([])
  })

  const BAD: [string, Body, RegExp][] = [
    ['no order', { transaction_details: undefined }, /transaction_details is required/],
    [
      'items of another sum',
      { item_details: [{ name: 'a', price: 1, quantity: 1 }] },
      /the sum of/,
    ],
    ['an unknown method', { enabled_payments: ['bca_va', 'cheque'] }, /"cheque" is not supported/],
    ['4 minutes', { page_expiry: { duration: 4, unit: 'minutes' } }, /5 minutes and 7 days/],
    ['8 days', { page_expiry: { duration: 8, unit: 'day' } }, /5 minutes and 7 days/],
    ['an unknown unit', { page_expiry: { duration: 8, unit: 'week' } }, /page_expiry.unit must/],
    ['no expiry unit', { expiry: { duration: 8 } }, /expiry.unit must/],
    [
      'a finish that is no URL',
      { callbacks: { finish: 'shop' } },
      /callbacks.finish must be a URL/,
    ],
  ]

  test.each(BAD)('HTTP 400 for %s', async (_case, fields, message) => {
    const answer = await shop.create('order-1', fields)
    expect(answer.http_status).toBe(400)
    expect(Object.keys(answer.body)).toEqual(['error_messages'])
    expect(String(answer.body['error_messages'])).toMatch(message)
    expect(await rig.sim('GET /_sim/checkouts')).toMatchObject({ total: 0 })
  })

  test('offers every method, or those enabled that are switched on and possible', async () => {
    const all = listOf(await shop.show(await shop.created('order-1')), 'methods')
    expect(all).toHaveLength(16)
    await rig.sim('PATCH /_sim/settings', { channels: { 'bank_transfer:bca': false } })
    const enabled_payments = ['bca_va', 'bni_va', 'kredivo']
    const lean = { enabled_payments, customer_details: undefined }
    expect(await shop.show(await shop.created('order-2', lean))).toMatchObject({
      methods: ['bni_va'],
    })
    expect(await shop.refused('order-2', 'choose', { method: 'gopay' })).toBe(
      'method must be one of bni_va',
    )
  })
})

describe('a second call for the same order id', () => {
  test('default: a new token while no transaction exists, and both pages live', async () => {
    const first = await shop.created('order-1')
    const second = await shop.created('order-1')
    expect(second).not.toBe(first)
    const { checkouts } = await rig.sim('GET /_sim/checkouts?order_id=order-1')
    expect(checkouts).toMatchObject([
      { token: first, status: 'live' },
      { token: second, status: 'live' },
    ])
  })

  test('default: refused once a transaction was made, until it is expired', async () => {
    await shop.act(await shop.created('order-1'), 'choose', { method: 'bca_va' })
    expect(await shop.create('order-1')).toMatchObject({
      http_status: 400,
      body: { error_messages: ['transaction_details.order_id has already been taken'] },
    })
    await rig.wire('POST /v2/order-1/expire')
    expect(await shop.create('order-1')).toMatchObject({ http_status: 201 })
  })

  test('checkout_repeat same: the same token while the page lives', async () => {
    await rig.sim('PATCH /_sim/settings', { checkout_repeat: 'same' })
    const first = await shop.created('order-1')
    expect(await shop.created('order-1')).toBe(first)
    await shop.act(first, 'choose', { method: 'bca_va' })
    expect(await shop.created('order-1')).toBe(first)
    await rig.wire('POST /v2/order-1/expire')
    await rig.advance({ days: 1 })
    expect(await shop.created('order-1')).not.toBe(first)
  })

  test('checkout_repeat refused: never a second page', async () => {
    await rig.sim('PATCH /_sim/settings', { checkout_repeat: 'refused' })
    await shop.created('order-1')
    expect(await shop.create('order-1')).toMatchObject({ http_status: 400 })
    expect(await rig.sim('GET /_sim/checkouts')).toMatchObject({ total: 1 })
  })

  test('an unknown value of the settings is refused', async () => {
    for (const body of [{ checkout_repeat: 'twice' }, { checkout_cancel: 'yes' }]) {
      expect(await rig.refusedBySim('PATCH /_sim/settings', body)).toMatchObject({
        http_status: 400,
      })
    }
  })
})

describe('POST /snap/v1/transactions/{token}/cancel', () => {
  test('HTTP 404 as for an unknown route, unless the account may', async () => {
    const token = await shop.created('order-1')
    const answer = await shop.cancel(token)
    expect(answer.http_status).toBe(404)
    expect(answer.text).toMatch(/^<!DOCTYPE html>/)
    expect(await shop.show(token)).toMatchObject({ status: 'live', canceled_at: null })
  })

  test('canceled_at, then "token already canceled"; the page refuses a method', async () => {
    await rig.sim('PATCH /_sim/settings', { checkout_cancel: true })
    const token = await shop.created('order-1')
    expect(await shop.cancel(token)).toMatchObject({
      http_status: 200,
      body: { canceled_at: '2026-01-05T05:00:00.000Z' },
    })
    expect((await shop.cancel(token)).body).toEqual({ error_messages: ['token already canceled'] })
    expect(await shop.refused(token, 'choose', { method: 'qris' })).toBe('the page is canceled')
    expect(await shop.events('order-1')).toEqual(['created', 'canceled'])
  })

  test('"Transaction is in progress" while a chosen method waits; "token not found"', async () => {
    await rig.sim('PATCH /_sim/settings', { checkout_cancel: true })
    const token = await shop.created('order-1')
    await shop.act(token, 'choose', { method: 'bca_va' })
    expect((await shop.cancel(token)).body).toEqual({
      error_messages: ['Transaction is in progress'],
    })
    await rig.wire('POST /v2/order-1/cancel')
    expect(await shop.cancel(token)).toMatchObject({ http_status: 200 })
    expect(await shop.cancel('other')).toMatchObject({
      http_status: 404,
      body: { error_messages: ['token not found'] },
    })
  })
})

test('a fault by order id reaches the cancel call, which names only a token', async () => {
  await rig.sim('PATCH /_sim/settings', { checkout_cancel: true })
  const token = await shop.created('order-1')
  const match = { operation: 'cancel_checkout', order_id_prefix: 'order-1' }
  await rig.fault({ effect: 'drop_after', match })
  await expect(shop.cancel(token)).rejects.toThrow('fetch failed')
  expect(await shop.show(token)).toMatchObject({ status: 'canceled' })
  const [entry] = listOf(await rig.sim('GET /_sim/ledger?operation=cancel_checkout'), 'entries')
  expect(entry).toMatchObject({ order_id: 'order-1', resource_id: token, work_done: true })
})

describe('faults on the create call', () => {
  const count = async (): Promise<unknown> => (await rig.sim('GET /_sim/checkouts'))['total']

  test.each([
    ['drop_before', 0],
    ['drop_after', 1],
  ])('%s: no answer, and %i page', async (effect, pages) => {
    await rig.fault({ effect, match: { operation: 'create_checkout', order_id_prefix: 'order-' } })
    await expect(shop.create('order-1')).rejects.toThrow('fetch failed')
    expect(await count()).toBe(pages)
    const [entry] = listOf(await rig.sim('GET /_sim/ledger?operation=create_checkout'), 'entries')
    expect(entry).toMatchObject({ order_id: 'order-1', http_status: null, work_done: pages === 1 })
  })

  test('a late answer gives the token of a page that exists already', async () => {
    const options = { ms: 30, after: true }
    await rig.fault({ effect: 'delay', match: { operation: 'create_checkout' }, options })
    expect(await rig.sim(`GET /_sim/checkouts/${await shop.created('order-1')}`)).toMatchObject({
      order_id: 'order-1',
    })
  })

  test('HTTP 500 has a locale; no page is made', async () => {
    await rig.fault({ effect: 'status', match: { operation: 'create_checkout' } })
    expect(Object.keys((await shop.create('order-1')).body)).toEqual(['error_messages', 'locale'])
    expect(await count()).toBe(0)
  })
})

describe('the ledger and the control API', () => {
  test('each step of the payer is an entry, with the transaction it made', async () => {
    const token = await shop.created('order-1')
    await shop.act(token, 'open')
    const { transaction_id } = await shop.act(token, 'choose', { method: 'bca_va' })
    await shop.act(token, 'abandon')
    await shop.act(token, 'pay')
    expect(await shop.events('order-1')).toEqual([
      'created',
      'opened',
      'method_chosen',
      'abandoned',
    ])
    const chosen = await rig.sim('GET /_sim/ledger?operation=method_chosen')
    expect(chosen).toMatchObject({ entries: [{ token, order_id: 'order-1', transaction_id }] })
    const effects = await rig.sim('GET /_sim/ledger/effects')
    expect(effects).toMatchObject({
      transactions: [{ origin: 'checkout', checkout_token: token, captured: 44_000 }],
    })
  })

  test('pages are listed oldest first and found by token or order id', async () => {
    const tokens = [
      await shop.created('order-1'),
      await shop.created('order-2'),
      await shop.created('order-3'),
    ]
    const first = await rig.sim('GET /_sim/checkouts?limit=2')
    const rest = await rig.sim(`GET /_sim/checkouts?after=${Number(first['next_after'])}`)
    const listed = [...listOf(first, 'checkouts'), ...listOf(rest, 'checkouts')]
    expect(listed.map(({ token }) => token)).toEqual(tokens)
    expect(await shop.show('order-2')).toMatchObject({ token: tokens[1], opened: 0 })
    expect(await shop.refused('order-2', 'pay')).toBe('no method was chosen')
    expect(await shop.refused('order-2', 'dance')).toMatch(/open, choose, pay, abandon, expire/)
    expect(await shop.refused('order-9', 'open')).toBe('no such checkout')
  })
})
