import { describe, expect, test } from 'vitest'
import { listOf, Rig, textOf, type Body } from './rig.ts'
import { requestFor, Subscriber } from './subscriber.ts'

const rig = new Rig().install()
const merchant = new Subscriber(rig)

describe('POST /v1/subscriptions', () => {
  test('HTTP 200 with the subscription, and an unsigned notification of the same', async () => {
    const answer = await merchant.create(requestFor(await merchant.savedCard()))
    expect(answer).toMatchObject({
      http_status: 200,
      body: {
        name: 'MONTHLY',
        amount: '14000',
        status: 'active',
        schedule: { current_interval: 0, next_execution_at: '2026-02-05T12:00:00.000000' },
      },
    })
    await rig.quiet()
    expect(merchant.recurring()).toMatchObject([
      { id: answer.body['id'], merchant_id: 'G000000001' },
    ])
    expect(merchant.recurring()[0]).not.toHaveProperty('signature_key')
  })

  const BAD: [string, Body, RegExp][] = [
    ['no amount', { amount: undefined }, /subscription.amount is required/],
    ['a numeric amount', { amount: 14_000 }, /amount must be a string/],
    ['a long name', { name: 'x'.repeat(41) }, /subscription.name/],
    ['another currency', { currency: 'USD' }, /currency must be IDR/],
    ['another type', { payment_type: 'qris' }, /payment_type/],
    ['no account for GoPay', { payment_type: 'gopay' }, /gopay.account_id/],
    ['an hourly schedule', { schedule: { interval: 1, interval_unit: 'hour' } }, /interval_unit/],
    [
      'a start in the past',
      { schedule: { interval: 1, interval_unit: 'day', start_time: '2026-01-05 11:59:59 +0700' } },
      /start_time must be in the future/,
    ],
    [
      'four retries',
      { retry_schedule: { interval: 1, interval_unit: 'day', max_interval: 4 } },
      /retry_schedule.max_interval/,
    ],
    ['much metadata', { metadata: { x: 'x'.repeat(1100) } }, /metadata/],
  ]

  test.each(BAD)('HTTP 400 for %s', async (_case, fields, message) => {
    const answer = await merchant.create(requestFor('token', fields))
    expect(answer.http_status).toBe(400)
    expect(String(answer.body['validation_messages'])).toMatch(message)
    expect(answer.body).not.toHaveProperty('status_code')
  })

  test('the key counts for three minutes, and only once the body is valid', async () => {
    const headers = { 'idempotency-key': 'key-1' }
    const body = requestFor(await merchant.savedCard())
    const first = await merchant.create(body, headers)
    expect((await merchant.create({ ...body, amount: 'x' }, headers)).http_status).toBe(400)
    expect((await merchant.create({ ...body, amount: '99' }, headers)).body).toEqual(first.body)
    await rig.advance({ minutes: 3 })
    expect((await merchant.create(body, headers)).body['id']).not.toBe(first.body['id'])
  })

  test('HTTP 401 in its own shape', async () => {
    const answer = await merchant.create({}, { authorization: 'Basic x' })
    expect(answer.http_status).toBe(401)
    expect(Object.keys(answer.body)).toEqual(['status_message'])
  })
})

describe('a cycle', () => {
  test('charges the saved card under an order of its own and notifies both URLs', async () => {
    const id = await merchant.subscribed()
    await rig.sim('POST /_sim/clock/set', { now: '2026-02-05 12:00:00' })
    expect(merchant.payments()).toMatchObject([
      { transaction_status: 'capture', gross_amount: '14000.00', subscription_id: id },
    ])
    expect(textOf(merchant.payments()[0] ?? {}, 'order_id')).toMatch(/^MONTHLY\d{32}$/)
    expect(merchant.payments()[0]).toHaveProperty('signature_key')
    expect(merchant.recurring()[1]).toMatchObject({
      event_name: 'subscription.charge',
      transaction: { transaction_status: 'capture', status_code: '200' },
      subscription: { id, status: 'active', schedule: { current_interval: 1 } },
    })
    expect(await merchant.get(id)).toMatchObject({
      schedule: { current_interval: 1, next_execution_at: '2026-03-05T12:00:00.000000' },
      transaction_ids: [merchant.payments()[0]?.['transaction_id']],
    })
  })

  test('starts at start_time where one is given', async () => {
    const schedule = { interval: 1, interval_unit: 'day', start_time: '2026-01-05 13:00:00 +0700' }
    await merchant.subscribed({ schedule })
    await rig.advance({ hours: 1 })
    expect(merchant.payments()).toHaveLength(1)
    await rig.advance({ days: 1 })
    expect(
      merchant.payments().filter((body) => body['transaction_status'] === 'capture'),
    ).toHaveLength(2)
  })

  test.each([
    [0, 1],
    [1, 1],
    [3, 3],
  ])('max_interval %i means %i executions, then inactive', async (max_interval, executions) => {
    const id = await merchant.subscribed({
      schedule: { interval: 1, interval_unit: 'day', max_interval },
    })
    await rig.advance({ days: 6 })
    expect(await merchant.get(id)).toMatchObject({ status: 'inactive' })
    expect(listOf(await merchant.get(id), 'transaction_ids')).toHaveLength(executions)
  })

  test('of the 31st falls on the last day of a shorter month', async () => {
    await rig.sim('POST /_sim/clock/set', { now: '2026-01-31 12:00:00' })
    expect(await merchant.get(await merchant.subscribed())).toMatchObject({
      schedule: { next_execution_at: '2026-02-28T12:00:00.000000' },
    })
  })
})

describe('a cycle that fails', () => {
  const DENIED = '4911111111111113'

  test('is retried hourly three times, each with a payment notification, then reported once', async () => {
    const id = await merchant.subscribed(
      { schedule: { interval: 1, interval_unit: 'day' } },
      DENIED,
    )
    await rig.advance({ days: 1, hours: 2 })
    expect(merchant.payments()).toHaveLength(3)
    expect(merchant.recurring()).toHaveLength(1)
    await rig.advance({ hours: 1 })
    expect(merchant.payments().map((body) => body['transaction_status'])).toEqual(
      Array.from({ length: 4 }, () => 'deny'),
    )
    expect(merchant.recurring()[1]).toMatchObject({
      event_name: 'subscription.charge',
      transaction: { status_code: '202' },
      subscription: { status: 'inactive' },
    })
    expect(await merchant.get(id)).toMatchObject({ status: 'inactive', transaction_ids: [] })
  })

  test('makes no transaction at all for a one-time token: 411', async () => {
    const schedule = { interval: 1, interval_unit: 'day' }
    const retry_schedule = { interval: 1, interval_unit: 'minute', max_interval: 0 }
    await merchant.create(requestFor(await rig.token(), { schedule, retry_schedule }))
    await rig.advance({ days: 1 })
    expect(merchant.payments()).toHaveLength(0)
    expect(merchant.recurring()[1]).toMatchObject({ transaction: { status_code: '411' } })
  })

  test('402 while the channel is off; a retry succeeds once it is on', async () => {
    const retry_schedule = { interval: 5, interval_unit: 'minute', max_interval: 1 }
    const id = await merchant.subscribed({
      schedule: { interval: 1, interval_unit: 'day' },
      retry_schedule,
    })
    await rig.sim('PATCH /_sim/settings', { channels: { credit_card: false } })
    await rig.advance({ days: 1 })
    await rig.sim('PATCH /_sim/settings', { channels: { credit_card: true } })
    await rig.advance({ minutes: 5 })
    expect(await merchant.get(id)).toMatchObject({
      status: 'active',
      schedule: { current_interval: 1 },
    })
  })

  test('disable lets a waiting retry run, cancel does not', async () => {
    for (const [what, attempts] of [
      ['disable', 4],
      ['cancel', 1],
    ] as const) {
      await rig.sim('POST /_sim/reset')
      rig.hook.received = []
      const id = await merchant.subscribed(
        { schedule: { interval: 1, interval_unit: 'day' } },
        DENIED,
      )
      await rig.advance({ days: 1 })
      await merchant.change(id, what)
      await rig.advance({ days: 3 })
      expect(merchant.payments()).toHaveLength(attempts)
    }
  })
})
