import { describe, expect, test } from 'vitest'
import { idOf, Rig, textOf } from './rig.ts'

const rig = new Rig().install()

const DENIED = '4911111111111113'
const NOT_ENROLLED = '4411111111111118'
const FRAUD = '4611111111111116'
const CHALLENGED = '4511111111111117'
const LATE = '4024007176265022'
const POOR = '4472429869996670'

describe('a sandbox card without 3DS', () => {
  test('is captured', async () => {
    expect(await rig.card('order-1')).toMatchObject({
      status_code: '200',
      transaction_status: 'capture',
      fraud_status: 'accept',
      masked_card: '48111111-1114',
      channel_response_code: '00',
      bank: 'bni',
    })
    expect(await rig.money('order-1')).toEqual([['capture', 44_000]])
  })

  test.each([
    [DENIED, 'accept', '05'],
    [POOR, 'accept', '51'],
    [FRAUD, 'deny', '00'],
  ])('%s is denied with fraud %s and channel code %s', async (number, fraud_status, code) => {
    expect(await rig.card('order-1', {}, number)).toMatchObject({
      status_code: '202',
      transaction_status: 'deny',
      fraud_status,
      channel_response_code: code,
    })
    expect(await rig.money('order-1')).toEqual([])
  })
})

describe('3DS', () => {
  test('201 with a page to go to; passing it captures', async () => {
    const pending = await rig.card('order-1', { authentication: true })
    expect(pending).toMatchObject({ status_code: '201', transaction_status: 'pending' })
    const url = textOf(pending, 'redirect_url')
    expect(url.startsWith(rig.url)).toBe(true)
    expect(await (await fetch(url)).text()).toContain('<form')
    await fetch(url, { method: 'POST', body: new URLSearchParams({ result: 'ok' }) })
    expect(await rig.status('order-1')).toMatchObject({
      transaction_status: 'capture',
      status_code: '200',
    })
  })

  test('failing it denies', async () => {
    await rig.card('order-1', { authentication: true })
    await rig.act('order-1', 'finish_3ds', { result: 'fail' })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'deny', eci: '07' })
  })

  test('the page is good for ten minutes', async () => {
    await rig.card('order-1', { authentication: true })
    await rig.advance({ minutes: 10 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'expire' })
  })

  test('a card that is not enrolled is captured at once', async () => {
    const body = await rig.card('order-1', { authentication: true }, NOT_ENROLLED)
    expect(body).toMatchObject({ transaction_status: 'capture' })
    expect(body).not.toHaveProperty('redirect_url')
  })

  test('one card stays pending and is accepted 60 seconds later', async () => {
    await rig.card('order-1', { authentication: true }, LATE)
    await rig.act('order-1', 'finish_3ds')
    await rig.advance({ seconds: 59 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'pending' })
    await rig.advance({ seconds: 1 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'capture' })
  })

  test('a denying bank denies after 3DS too', async () => {
    await rig.card('order-1', { authentication: true }, DENIED)
    await rig.act('order-1', 'finish_3ds')
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'deny' })
  })
})

describe('settlement of cards', () => {
  test('is the next day at 16:00 in Jakarta, not a second earlier', async () => {
    await rig.card('order-1')
    await rig.sim('POST /_sim/clock/set', { now: '2026-01-06 15:59:59' })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'capture' })
    await rig.advance({ seconds: 1 })
    expect(await rig.status('order-1')).toMatchObject({
      transaction_status: 'settlement',
      settlement_time: '2026-01-06 16:00:00',
    })
    expect(rig.hook.statuses()).toEqual(['capture', 'settlement'])
  })

  test('can be had at once through the control API', async () => {
    await rig.card('order-1')
    expect(await rig.act('order-1', 'settle')).toMatchObject({ transaction_status: 'settlement' })
  })

  test('a captured card can be cancelled until then, and the money goes back', async () => {
    await rig.card('order-1')
    expect((await rig.wire('POST /v2/order-1/cancel')).body).toMatchObject({ status_code: '200' })
    await rig.advance({ days: 2 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'cancel' })
    expect(await rig.money('order-1')).toEqual([
      ['capture', 44_000],
      ['reverse', 44_000],
    ])
    expect((await rig.wire('POST /v2/order-1/cancel')).body).toMatchObject({ status_code: '412' })
  })
})

describe('a challenged card', () => {
  test('is captured with code 201 and only holds the money', async () => {
    expect(await rig.card('order-1', {}, CHALLENGED)).toMatchObject({
      status_code: '201',
      transaction_status: 'capture',
      fraud_status: 'challenge',
    })
    expect(await rig.money('order-1')).toEqual([['authorize', 44_000]])
  })

  test('200 approve lets it through', async () => {
    await rig.card('order-1', {}, CHALLENGED)
    expect((await rig.wire('POST /v2/order-1/approve')).body).toMatchObject({
      status_code: '200',
      transaction_status: 'capture',
      fraud_status: 'accept',
    })
    expect((await rig.wire('POST /v2/order-1/approve')).body).toMatchObject({ status_code: '412' })
    await rig.advance({ days: 2 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'settlement' })
  })

  test('200 deny turns it down', async () => {
    await rig.card('order-1', {}, CHALLENGED)
    expect((await rig.wire('POST /v2/order-1/deny')).body).toMatchObject({
      status_code: '200',
      transaction_status: 'deny',
      fraud_status: 'deny',
    })
    expect((await rig.wire('POST /v2/order-1/deny')).body).toMatchObject({ status_code: '412' })
    expect(await rig.money('order-1')).toEqual([
      ['authorize', 44_000],
      ['reverse', 44_000],
    ])
  })

  test('a challenge without approval is cancelled at the settlement run', async () => {
    await rig.card('order-1', {}, CHALLENGED)
    await rig.advance({ days: 2 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'cancel' })
  })

  test('any card can be challenged while it waits for 3DS', async () => {
    await rig.card('order-1', { authentication: true })
    await rig.act('order-1', 'challenge')
    expect(await rig.status('order-1')).toMatchObject({
      status_code: '201',
      fraud_status: 'challenge',
    })
  })

  test('404 approving what does not exist', async () => {
    expect((await rig.wire('POST /v2/unknown/approve')).body).toMatchObject({ status_code: '404' })
  })
})

describe('authorize and capture', () => {
  const hold = async () => await rig.card('order-1', { type: 'authorize' })

  test('a hold is captured in full by default', async () => {
    const held = await hold()
    expect(held).toMatchObject({ status_code: '200', transaction_status: 'authorize' })
    const answer = await rig.wire('POST /v2/capture', { transaction_id: idOf(held) })
    expect(answer.body).toMatchObject({ status_code: '200', transaction_status: 'capture' })
    expect(await rig.money('order-1')).toEqual([
      ['authorize', 44_000],
      ['capture', 44_000],
    ])
  })

  test('after a partial capture every amount is the captured one', async () => {
    const held = await hold()
    const body = { transaction_id: idOf(held), gross_amount: 30_000 }
    expect((await rig.wire('POST /v2/capture', body)).body).toMatchObject({
      gross_amount: '30000.00',
    })
    await rig.quiet()
    expect(rig.hook.received.at(-1)?.body).toMatchObject({ gross_amount: '30000.00' })
    expect(await rig.status('order-1')).toMatchObject({ gross_amount: '30000.00' })
    expect(await rig.money('order-1')).toEqual([
      ['authorize', 44_000],
      ['reverse', 14_000],
      ['capture', 30_000],
    ])
  })

  test('400 above the hold, 412 twice, 404 for an unknown transaction', async () => {
    const transaction_id = idOf(await hold())
    const capture = async (body: object) => (await rig.wire('POST /v2/capture', body)).body
    expect(await capture({ transaction_id, gross_amount: 44_001 })).toMatchObject({
      status_code: '400',
    })
    expect(await capture({ transaction_id })).toMatchObject({ status_code: '200' })
    expect(await capture({ transaction_id })).toMatchObject({ status_code: '412' })
    expect(await capture({ transaction_id: 'unknown' })).toMatchObject({ status_code: '404' })
  })

  test('a bank may refuse: 202 deny, yet the hold stays and can be captured', async () => {
    const transaction_id = idOf(await hold())
    await rig.act(transaction_id, 'refuse_next', { operation: 'capture' })
    expect((await rig.wire('POST /v2/capture', { transaction_id })).body).toMatchObject({
      status_code: '202',
      transaction_status: 'deny',
    })
    expect(await rig.status(transaction_id)).toMatchObject({ transaction_status: 'authorize' })
    expect((await rig.wire('POST /v2/capture', { transaction_id })).body).toMatchObject({
      status_code: '200',
    })
  })

  test('a hold made through 3DS has its seven days too, not the ten minutes of the page', async () => {
    await rig.card('order-1', { type: 'authorize', authentication: true })
    await rig.act('order-1', 'finish_3ds')
    await rig.advance({ days: 6 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'authorize' })
    await rig.advance({ days: 1 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'cancel' })
  })

  test('a hold without capture is cancelled and released after seven days', async () => {
    await hold()
    await rig.advance({ days: 7 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'cancel' })
    expect(await rig.money('order-1')).toEqual([
      ['authorize', 44_000],
      ['reverse', 44_000],
    ])
  })
})
