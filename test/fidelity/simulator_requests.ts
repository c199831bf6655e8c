// For every published request, how to hand it to the simulator so that it could succeed.
import { idOf, textOf, type Body, type Rig } from '../../packages/simulator/test/rig.ts'
import { requestFor, Subscriber } from '../../packages/simulator/test/subscriber.ts'
import { link } from './simulator_steps.ts'

type Send = (rig: Rig, body: Body) => Promise<{ http_status: number; body: Body }>

/** Puts what only this run can know in place of what only that one knew: tokens, ids, dates. */
async function charge(rig: Rig, body: Body): Promise<{ http_status: number; body: Body }> {
  const request: Body = { payment_type: 'bank_transfer', ...body }
  if (body['payment_type'] === undefined) request['bank_transfer'] = { bank: 'bca' }
  const { credit_card, gopay, custom_expiry } = request as Record<string, Body | undefined>
  if (credit_card) request['credit_card'] = { ...credit_card, token_id: await rig.token() }
  if (gopay?.['account_id'] !== undefined) {
    const { account_id, token } = await link(rig)
    request['gopay'] = { ...gopay, account_id, payment_option_token: token }
  }
  if (custom_expiry?.['order_time'] !== undefined)
    request['custom_expiry'] = { ...custom_expiry, order_time: '2026-01-05 12:00:00 +0700' }
  return await rig.wire('POST /v2/charge', request)
}

async function capture(rig: Rig, body: Body): Promise<{ http_status: number; body: Body }> {
  const credit_card = { token_id: await rig.token(), type: 'authorize' }
  const fields = { payment_type: 'credit_card', credit_card, gross_amount: 145_000 }
  const transaction_id = idOf(await rig.charge('order-1', fields))
  return await rig.wire('POST /v2/capture', { ...body, transaction_id })
}

const refund =
  (path: string): Send =>
  async (rig, body) => {
    const credit_card = { token_id: await rig.token() }
    await rig.charge('order-1', { payment_type: 'credit_card', credit_card, gross_amount: 145_000 })
    await rig.act('order-1', 'settle')
    return await rig.wire(`POST /v2/order-1/${path}`, body)
  }

const FUTURE = '2026-02-01 07:25:01 +0700'

const createSubscription: Send = async (rig, body) =>
  await rig.wire('POST /v1/subscriptions', {
    ...body,
    schedule: { ...(body['schedule'] as Body), start_time: FUTURE },
  })

const updateSubscription: Send = async (rig, body) => {
  const merchant = new Subscriber(rig)
  const { body: created } = await merchant.create(requestFor(await merchant.savedCard()))
  return await rig.wire(`PATCH /v1/subscriptions/${textOf(created, 'id')}`, body)
}

/** By operation of the sample. */
export const SENDS: Record<string, Send> = {
  charge,
  capture,
  refund: refund('refund'),
  direct_refund: refund('refund/online/direct'),
  create_pay_account: (rig, body) => rig.wire('POST /v2/pay/account', body),
  create_subscription: createSubscription,
  update_subscription: updateSubscription,
  create_invoice: (rig, body) => rig.wire('POST /v1/invoices', body),
}

/** Published requests the gateway's own rules forbid, and what they get instead. */
export const REFUSED: Record<string, string> = {
  'requests/charge_items__sum_mismatch.json': 'the items add up to less than the amount',
  'requests/charge_echannel__bill_key.json': 'the items add up to more than the amount',
  'requests/charge_akulaku__basic.json': 'Akulaku needs items and a customer',
  'requests/charge_credit_card__no_card_object.json': 'a card charge needs its token',
}
