import { describe, expect, test } from 'vitest'
import { listOf, Rig, textOf } from './rig.ts'
import { requestFor, Subscriber } from './subscriber.ts'

const rig = new Rig().install()
const merchant = new Subscriber(rig)

describe('disable, enable, cancel, update', () => {
  const daily = { schedule: { interval: 1, interval_unit: 'day' } }

  test('disable stops cycles, enable resumes without making up for missed ones', async () => {
    const id = await merchant.subscribed(daily)
    expect((await merchant.change(id, 'disable')).body).toEqual({
      status_message: 'Subscription is updated.',
    })
    await rig.advance({ days: 3 })
    expect(await merchant.get(id)).toMatchObject({ status: 'inactive', transaction_ids: [] })
    await merchant.change(id, 'enable')
    await rig.advance({ days: 1 })
    expect(listOf(await merchant.get(id), 'transaction_ids')).toHaveLength(1)
  })

  test('cancel is for good', async () => {
    const id = await merchant.subscribed(daily)
    await merchant.change(id, 'cancel')
    expect((await merchant.change(id, 'enable')).http_status).toBe(400)
    await rig.advance({ days: 3 })
    expect(await merchant.get(id)).toMatchObject({ status: 'inactive', transaction_ids: [] })
  })

  test('an update changes the amount at once and the interval after the next execution', async () => {
    const id = await merchant.subscribed(daily)
    const { token } = await merchant.get(id)
    const body = { name: 'MONTHLY', amount: '300000', currency: 'IDR', token }
    const answer = await rig.wire(`PATCH /v1/subscriptions/${id}`, {
      ...body,
      schedule: { interval: 5, interval_unit: 'month' },
    })
    expect(answer.http_status).toBe(200)
    await rig.advance({ days: 1 })
    expect(merchant.payments()).toMatchObject([{ gross_amount: '300000.00' }])
    await rig.advance({ days: 1 })
    expect(await merchant.get(id)).toMatchObject({
      schedule: {
        interval: 5,
        interval_unit: 'day',
        next_execution_at: '2026-01-12T12:00:00.000000',
      },
    })
  })

  test('an update with a future date revives a dead one', async () => {
    const id = await merchant.subscribed({
      schedule: { interval: 1, interval_unit: 'day', max_interval: 1 },
    })
    await rig.advance({ days: 2 })
    expect(await merchant.get(id)).toMatchObject({ status: 'inactive' })
    const { token } = await merchant.get(id)
    await rig.wire(`PATCH /v1/subscriptions/${id}`, {
      name: 'MONTHLY',
      amount: '14000',
      currency: 'IDR',
      token,
      schedule: { next_execution_at: '2026-01-20 12:00:00 +0700' },
    })
    await rig.sim('POST /_sim/clock/set', { now: '2026-01-20 12:00:00' })
    expect(listOf(await merchant.get(id), 'transaction_ids')).toHaveLength(2)
  })

  test.each(['disable', 'enable', 'cancel'])('HTTP 404 to %s what does not exist', async (what) => {
    const answer = await merchant.change('unknown', what)
    expect(answer).toMatchObject({
      http_status: 404,
      body: { status_message: "Subscription doesn't exist." },
    })
    expect((await rig.wire('PATCH /v1/subscriptions/unknown', {})).http_status).toBe(404)
    expect((await rig.wire('GET /v1/subscriptions/unknown')).http_status).toBe(404)
  })
})

describe('GoPay', () => {
  test('is charged through the linked account', async () => {
    const gopay_partner = { phone_number: '81234567890', country_code: '62' }
    const account = await rig.wire('POST /v2/pay/account', { payment_type: 'gopay', gopay_partner })
    const account_id = textOf(account.body, 'account_id')
    const linked = await rig.sim(`POST /_sim/pay_accounts/${account_id}/link`)
    const token = textOf(listOf(linked, 'options')[0] ?? {}, 'token')
    const answer = await merchant.create(
      requestFor(token, {
        payment_type: 'gopay',
        gopay: { account_id },
        schedule: { interval: 1, interval_unit: 'week' },
      }),
    )
    await rig.advance({ days: 7 })
    expect(merchant.payments()).toMatchObject([
      { transaction_status: 'settlement', payment_type: 'gopay' },
    ])
    expect(await merchant.get(textOf(answer.body, 'id'))).toMatchObject({ gopay: { account_id } })
  })
})
