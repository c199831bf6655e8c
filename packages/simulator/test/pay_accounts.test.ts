import { describe, expect, test } from 'vitest'
import { idOf, listOf, Rig, textOf, type Body } from './rig.ts'

const rig = new Rig().install()

const create = async (partner: Body = {}): Promise<Body> => {
  const gopay_partner = { phone_number: '81234567890', country_code: '62', ...partner }
  const body = { payment_type: 'gopay', gopay_partner }
  return (await rig.wire('POST /v2/pay/account', body)).body
}

const get = async (id: string): Promise<Body> => (await rig.wire(`GET /v2/pay/account/${id}`)).body

async function linked(): Promise<{ id: string; wallet: string }> {
  const id = textOf(await create(), 'account_id')
  await rig.sim(`POST /_sim/pay_accounts/${id}/link`)
  return { id, wallet: await walletOf(id) }
}

async function walletOf(id: string): Promise<string> {
  const metadata = (await get(id))['metadata'] as Body
  const options = listOf(metadata, 'payment_options')
  return textOf(options.find(({ name }) => name === 'GOPAY_WALLET') ?? {}, 'token')
}

const charge = async (order_id: string, gopay: Body, gross_amount = 44_000): Promise<Body> =>
  await rig.charge(order_id, { payment_type: 'gopay', gopay, gross_amount })

describe('linking', () => {
  test('201 PENDING with links that lead somewhere, 200 ENABLED with options after it', async () => {
    const created = await create()
    expect(created).toMatchObject({ status_code: '201', account_status: 'PENDING' })
    const id = textOf(created, 'account_id')
    const [action = {}] = listOf(created, 'actions')
    expect(await get(id)).toMatchObject({ status_code: '201', account_status: 'PENDING' })
    expect((await fetch(textOf(action, 'url'))).status).toBe(200)
    await fetch(textOf(action, 'url'), { method: 'POST' })
    expect(await get(id)).toMatchObject({
      status_code: '200',
      account_status: 'ENABLED',
      metadata: {
        payment_options: [{ name: 'GOPAY_WALLET', active: true }, { name: 'PAY_LATER' }],
      },
    })
  })

  test('the merchant is notified at the URL for accounts', async () => {
    const { id } = await linked()
    await rig.quiet()
    expect(rig.hook.received).toMatchObject([
      { path: '/account', body: { account_id: id, account_status: 'ENABLED', status_code: '200' } },
    ])
  })

  test('204 EXPIRED when the customer never came', async () => {
    const id = textOf(await create(), 'account_id')
    await rig.advance({ minutes: 15 })
    expect(await get(id)).toMatchObject({ status_code: '204', account_status: 'EXPIRED' })
  })

  test.each([
    [{ phone_number: '123450001' }, '105'],
    [{ phone_number: '123450002' }, '112'],
    [{ redirect_url: 'nonsense' }, '2903'],
  ])('202 for %j with channel code %s', async (partner, channel_response_code) => {
    expect(await create(partner)).toMatchObject({ status_code: '202', channel_response_code })
  })

  test('400 without a phone, 404 for an unknown account', async () => {
    const answer = await rig.wire('POST /v2/pay/account', { payment_type: 'gopay' })
    expect(answer.body).toMatchObject({ status_code: '400' })
    expect(await get('unknown')).toMatchObject({ status_code: '404' })
  })
})

describe('unbinding', () => {
  test('204 DISABLED and a notification; 412 the second time', async () => {
    const { id } = await linked()
    const unbind = async () => (await rig.wire(`POST /v2/pay/account/${id}/unbind`)).body
    expect(await unbind()).toMatchObject({ status_code: '204', account_status: 'DISABLED' })
    await rig.quiet()
    expect(rig.hook.received.at(-1)?.body).toMatchObject({ status_code: '204' })
    expect(await unbind()).toMatchObject({ status_code: '412' })
  })

  test('202 when the wallet refuses, and the account stays', async () => {
    const { id } = await linked()
    await rig.sim(`POST /_sim/pay_accounts/${id}/refuse_unbind`)
    const answer = await rig.wire(`POST /v2/pay/account/${id}/unbind`)
    expect(answer.body).toMatchObject({ status_code: '202', channel_response_code: '1001' })
    expect(await get(id)).toMatchObject({ account_status: 'ENABLED' })
  })

  test('the customer can unlink too, and the merchant is notified', async () => {
    const { id } = await linked()
    await rig.sim(`POST /_sim/pay_accounts/${id}/unlink`)
    await rig.quiet()
    expect(rig.hook.received.at(-1)?.body).toMatchObject({ account_status: 'DISABLED' })
  })
})

describe('charging a linked account', () => {
  test('200 settled at once, and the balance goes down', async () => {
    const { id, wallet } = await linked()
    const body = await charge('order-1', { account_id: id, payment_option_token: wallet })
    expect(body).toMatchObject({ status_code: '200', transaction_status: 'settlement' })
    expect(await rig.sim(`GET /_sim/pay_accounts/${id}`)).toMatchObject({
      options: [{ balance: 956_000 }, {}],
    })
    await rig.wire('POST /v2/order-1/refund')
    expect(await rig.sim(`GET /_sim/pay_accounts/${id}`)).toMatchObject({
      options: [{ balance: 1_000_000 }, {}],
    })
  })

  test('202 denied above the balance, with an old token, and when unlinked', async () => {
    const { id, wallet } = await linked()
    const gopay = { account_id: id, payment_option_token: wallet }
    expect(await charge('order-1', gopay, 1_000_001)).toMatchObject({
      status_code: '202',
      transaction_status: 'deny',
      channel_response_message: 'Insufficient Balance',
    })
    await rig.sim(`POST /_sim/pay_accounts/${id}/rotate_tokens`)
    expect(await charge('order-2', gopay)).toMatchObject({ status_code: '202' })
    const fresh = { account_id: id, payment_option_token: await walletOf(id) }
    expect(await charge('order-3', fresh)).toMatchObject({ status_code: '200' })
    await rig.sim(`POST /_sim/pay_accounts/${id}/unlink`)
    expect(await charge('order-4', fresh)).toMatchObject({ status_code: '202' })
  })

  test('201 pending with verification links where the customer must confirm', async () => {
    const { id, wallet } = await linked()
    await rig.sim(`PATCH /_sim/pay_accounts/${id}`, { verification_required: true })
    const body = await charge('order-1', { account_id: id, payment_option_token: wallet })
    expect(body).toMatchObject({
      status_code: '201',
      actions: [{ name: 'verification-link-url' }, { name: 'verification-link-app' }],
    })
    await rig.act('order-1', 'pay')
    expect(await rig.status('order-1')).toMatchObject({
      transaction_status: 'settlement',
      payment_option_type: 'GOPAY_WALLET',
    })
  })

  test('a hold is captured whole or lapses', async () => {
    const { id, wallet } = await linked()
    const gopay = { account_id: id, payment_option_token: wallet, pre_auth: true }
    const held = await charge('order-1', gopay)
    expect(held).toMatchObject({ status_code: '200', transaction_status: 'authorize' })
    const transaction_id = idOf(held)
    const part = await rig.wire('POST /v2/capture', { transaction_id, gross_amount: 1000 })
    expect(part.body).toMatchObject({ status_code: '400' })
    const whole = await rig.wire('POST /v2/capture', { transaction_id })
    expect(whole.body).toMatchObject({ status_code: '200', transaction_status: 'settlement' })
    await charge('order-2', gopay)
    await rig.advance({ minutes: 15 })
    expect(await rig.status('order-2')).toMatchObject({ transaction_status: 'cancel' })
    expect(await rig.sim(`GET /_sim/pay_accounts/${id}`)).toMatchObject({
      options: [{ balance: 956_000 }, {}],
    })
  })
})
