import { describe, expect, test } from 'vitest'
import { listOf, Rig, textOf } from './rig.ts'

const rig = new Rig().install()

const DENIED = '4911111111111113'

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

  test('a card is saved once it is approved: after 3DS, and not if the bank denies', async () => {
    const options = { save_token_id: true }
    expect(await rig.card('order-1', options, DENIED)).not.toHaveProperty('saved_token_id')
    const opened = await rig.card('order-2', { ...options, authentication: true })
    expect(opened).not.toHaveProperty('saved_token_id')
    expect(await rig.status('order-2')).not.toHaveProperty('saved_token_id')
    await rig.act('order-2', 'finish_3ds')
    const saved = textOf(await rig.status('order-2'), 'saved_token_id')
    expect(saved).toMatch(/^48111111[A-Za-z]{20}1114$/)
    expect(textOf(await rig.status('order-2'), 'saved_token_id')).toBe(saved)
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
    expect((await rig.wire('GET /v2/point_inquiry/unknown')).body).toMatchObject({
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
