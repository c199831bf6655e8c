import { describe, expect, test } from 'vitest'
import { idOf, listOf, Rig, textOf } from './rig.ts'

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

  test('nobody approved: it is cancelled when cards settle', async () => {
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
    expect((await rig.wire('POST /v2/nobody/approve')).body).toMatchObject({ status_code: '404' })
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

  test('400 above the hold, 412 twice, 404 for nobody', async () => {
    const transaction_id = idOf(await hold())
    const capture = async (body: object) => (await rig.wire('POST /v2/capture', body)).body
    expect(await capture({ transaction_id, gross_amount: 44_001 })).toMatchObject({
      status_code: '400',
    })
    expect(await capture({ transaction_id })).toMatchObject({ status_code: '200' })
    expect(await capture({ transaction_id })).toMatchObject({ status_code: '412' })
    expect(await capture({ transaction_id: 'nobody' })).toMatchObject({ status_code: '404' })
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

  test('a hold nobody captured is cancelled after seven days and released', async () => {
    await hold()
    await rig.advance({ days: 7 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'cancel' })
    expect(await rig.money('order-1')).toEqual([
      ['authorize', 44_000],
      ['reverse', 44_000],
    ])
  })
})

describe('tokens', () => {
  const query = 'client_key=SB-Mid-client-simulator'

  test('411 for an unknown, a used and an old token', async () => {
    const charge = async (order_id: string, token_id: string) =>
      await rig.charge(order_id, { payment_type: 'credit_card', credit_card: { token_id } })
    expect(await charge('order-1', 'nonsense')).toMatchObject({ status_code: '411' })
    const used = await rig.token()
    expect(await charge('order-2', used)).toMatchObject({ status_code: '200' })
    expect(await charge('order-3', used)).toMatchObject({ status_code: '411' })
    const old = await rig.token()
    await rig.advance({ minutes: 15 })
    expect(await charge('order-4', old)).toMatchObject({ status_code: '411' })
  })

  test('400 for a number that fails the Luhn check and for an old card', async () => {
    const token = async (rest: string) =>
      (await rig.wire(`GET /v2/token?${query}&card_cvv=123&${rest}`)).body
    const luhn = await token('card_number=4811111111111115&card_exp_month=12&card_exp_year=2030')
    expect(luhn).toMatchObject({
      status_code: '400',
      validation_messages: ['card_number does not match with luhn algorithm'],
    })
    const old = await token('card_number=4811111111111114&card_exp_month=12&card_exp_year=2025')
    expect(old).toMatchObject({ status_code: '400' })
  })

  test('HTTP 401 for a wrong client key', async () => {
    expect((await rig.wire('GET /v2/token?client_key=wrong')).http_status).toBe(401)
  })

  test('a saved card is charged again and again, with or without its code', async () => {
    const first = await rig.card('order-1', { save_token_id: true })
    const saved = textOf(first, 'saved_token_id')
    expect(saved).toMatch(/^48111111[A-Za-z]{20}1114$/)
    const charge = async (order_id: string, token_id: string) =>
      await rig.charge(order_id, { payment_type: 'credit_card', credit_card: { token_id } })
    expect(await charge('order-2', saved)).toMatchObject({ transaction_status: 'capture' })
    expect(await charge('order-3', saved)).toMatchObject({ transaction_status: 'capture' })
    const two_click = await rig.wire(`GET /v2/token?${query}&token_id=${saved}&card_cvv=123`)
    const token_id = textOf(two_click.body, 'token_id')
    expect(await charge('order-4', token_id)).toMatchObject({ transaction_status: 'capture' })
  })

  test('a registered card keeps its behaviour', async () => {
    const rest = `card_number=${DENIED}&card_exp_month=12&card_exp_year=2030`
    const { body } = await rig.wire(`GET /v2/card/register?${query}&${rest}`)
    expect(body).toMatchObject({ status_code: '200', masked_card: '49111111-1113' })
    const token_id = textOf(body, 'saved_token_id')
    const charged = await rig.charge('order-1', {
      payment_type: 'credit_card',
      credit_card: { token_id },
    })
    expect(charged).toMatchObject({ transaction_status: 'deny' })
  })

  test('the ledger never holds a card number', async () => {
    await rig.token(DENIED)
    const page = await rig.sim('GET /_sim/ledger')
    expect(listOf(page, 'entries')).toHaveLength(1)
    expect(JSON.stringify(page)).not.toContain(DENIED)
  })
})

describe('points and BINs', () => {
  test('a token is asked for its points; redeemed ones show in the charge', async () => {
    const token_id = await rig.token()
    expect((await rig.wire(`GET /v2/point_inquiry/${token_id}`)).body).toMatchObject({
      status_code: '200',
      point_balance_amount: '100000.00',
    })
    expect((await rig.wire('GET /v2/point_inquiry/nobody')).body).toMatchObject({
      status_code: '411',
    })
    expect(await rig.card('order-1', { point_redeem_amount: 9000 })).toMatchObject({
      point_redeem_amount: 9000,
      point_balance_amount: '91000.00',
    })
  })

  test('200, 404 and a plain text 401', async () => {
    const found = await rig.wire('GET /v1/bins/48111111')
    expect(found).toMatchObject({ http_status: 200, body: { data: { brand: 'visa' } } })
    const lost = await rig.wire('GET /v1/bins/99')
    expect(lost).toMatchObject({ http_status: 404, body: { errors: [{ message: 'not found' }] } })
    const stranger = await rig.wire('GET /v1/bins/48111111', undefined, {
      authorization: 'Basic x',
    })
    expect(stranger).toMatchObject({ http_status: 401, text: 'Unauthorized' })
  })

  test('409 from the 101st request of a minute', async () => {
    for (let index = 0; index < 100; index += 1) {
      expect((await rig.wire('GET /v1/bins/48111111')).http_status).toBe(200)
    }
    expect((await rig.wire('GET /v1/bins/48111111')).http_status).toBe(409)
    await rig.advance({ minutes: 1 })
    expect((await rig.wire('GET /v1/bins/48111111')).http_status).toBe(200)
  })
})
