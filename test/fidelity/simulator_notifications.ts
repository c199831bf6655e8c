// For every published notification, how to make the simulator send one of the same case.
import { BODIES, type Body, type Rig } from '../../packages/simulator/test/rig.ts'
import { requestFor, Subscriber } from '../../packages/simulator/test/subscriber.ts'
import { link, tokenized, type Scenario } from './simulator_steps.ts'

const CHALLENGED = '4511111111111117'
const DAILY = { schedule: { interval: 1, interval_unit: 'day' } }

/** Whatever the webhook got last, once everything due was sent. */
const last = async (rig: Rig): Promise<unknown> => {
  await rig.quiet()
  return rig.hook.received.at(-1)?.body
}

const opened =
  (name: string, action?: string, more: Body = {}): Scenario =>
  async (rig) => {
    await rig.charge('order-1', { ...BODIES[name], ...more })
    if (action !== undefined) await rig.act('order-1', action)
    return await last(rig)
  }

const card =
  (options: Body = {}, steps: string[] = [], number?: string): Scenario =>
  async (rig) => {
    await rig.card('order-1', options, number)
    for (const step of steps) await rig.act('order-1', step)
    return await last(rig)
  }

const carded =
  (more: Body): Scenario =>
  async (rig) => {
    const credit_card = { token_id: await rig.token() }
    await rig.charge('order-1', { payment_type: 'credit_card', credit_card, ...more })
    return await last(rig)
  }

const cancelled =
  (open: Scenario): Scenario =>
  async (rig) => {
    await open(rig)
    await rig.wire('POST /v2/order-1/cancel')
    return await last(rig)
  }

const refunded =
  (open: Scenario, amounts: (number | undefined)[], confirmed = false): Scenario =>
  async (rig) => {
    await open(rig)
    for (const amount of amounts) {
      await rig.wire('POST /v2/order-1/refund', { amount, reason: 'some reason' })
    }
    if (confirmed) await rig.advance({ days: 1 })
    return await last(rig)
  }

const settledCard = card({}, ['settle'])
const failed3ds = card({ authentication: true }, ['finish_3ds'], '4911111111111113')

const tokenizedThen =
  (settings: Body, action?: string): Scenario =>
  async (rig) => {
    await tokenized({}, settings)(rig)
    if (action !== undefined) await rig.act('order-1', action)
    return await last(rig)
  }

const captured: Scenario = async (rig) => {
  const { transaction_id } = await rig.card('order-1', { type: 'authorize' })
  await rig.wire('POST /v2/capture', { transaction_id, gross_amount: 30_000 })
  return await last(rig)
}

const recurringCard =
  (work: (rig: Rig, merchant: Subscriber) => Promise<void>, path = '/recurring'): Scenario =>
  async (rig) => {
    await work(rig, new Subscriber(rig))
    await rig.quiet()
    return rig.hook.received.findLast((received) => received.path === path)?.body
  }

const created = recurringCard(async (_rig, merchant) => {
  await merchant.subscribed(DAILY)
})
const charged = recurringCard(async (rig, merchant) => {
  await merchant.subscribed(DAILY)
  await rig.advance({ days: 1 })
})
const settledCycle = recurringCard(async (rig, merchant) => {
  await merchant.subscribed(DAILY)
  await rig.advance({ days: 2, hours: 4 })
}, '/payment')

const NO_RETRY = { retry_schedule: { interval: 1, interval_unit: 'day', max_interval: 0 } }
const badToken = recurringCard(async (rig, merchant) => {
  await merchant.create(
    requestFor('8447a56f-0e5e-498a-a948-eefa88265544', { ...DAILY, ...NO_RETRY }),
  )
  await rig.advance({ days: 1 })
})

const recurringGopay = (before?: (rig: Rig) => Promise<unknown>): Scenario =>
  recurringCard(async (rig, merchant) => {
    const { account_id, token } = await link(rig)
    const gopay = { payment_type: 'gopay', gopay: { account_id } }
    await merchant.create(requestFor(token, { ...gopay, ...DAILY, ...NO_RETRY }))
    if (!before) return
    await before(rig)
    await rig.advance({ days: 1 })
  })

const linkedAccount: Scenario = async (rig) => {
  await link(rig)
  return await last(rig)
}

const gopayPaid = opened('gopay', 'pay')

/** Name of the sample, without folder and ending, to what must be done. */
export const NOTIFICATIONS: Record<string, Scenario> = {
  akulaku__deny: opened('akulaku', 'deny'),
  akulaku__expire: opened('akulaku', 'expire'),
  akulaku__pending: opened('akulaku'),
  akulaku__settlement: opened('akulaku', 'pay'),
  akulaku__settlement_guide: opened('akulaku', 'pay'),
  akulaku__settlement_reference: opened('akulaku', 'pay'),
  bank_transfer__pending_signed: opened('bca'),
  bank_transfer_bca__pending_numeric_fields: opened('bca', undefined, { custom_field1: 'a' }),
  bank_transfer_bca__pending_unsigned: opened('bca'),
  bank_transfer_bca__settlement: opened('bca', 'pay'),
  bank_transfer_bca__settlement_older: opened('bca', 'pay'),
  bank_transfer_bni__expire: opened('bni', 'expire'),
  bank_transfer_bni__pending: opened('bni'),
  bank_transfer_bni__settlement: opened('bni', 'pay'),
  bank_transfer_bni__settlement_reference: opened('bni', 'pay'),
  bank_transfer_bri__settlement: opened('bri', 'pay'),
  bank_transfer_permata__expire: opened('permata', 'expire'),
  bank_transfer_permata__settlement: opened('permata', 'pay'),
  bank_transfer_permata__settlement_older: opened('permata', 'pay'),
  credit_card__authorize: card({ type: 'authorize' }),
  credit_card__cancel: cancelled(card()),
  credit_card__capture_3ds_otp: card({ authentication: true }, ['finish_3ds']),
  credit_card__capture_after_pre_auth: captured,
  credit_card__capture_challenge: card({}, [], CHALLENGED),
  credit_card__capture_challenge_installment: card({ installment_term: 12 }, [], CHALLENGED),
  credit_card__capture_custom_fields: carded({
    custom_field1: 'a',
    custom_field2: 'b',
    custom_field3: 'c',
  }),
  credit_card__capture_guide: card(),
  credit_card__capture_installment: card({ installment_term: 6 }),
  credit_card__capture_metadata: carded({ metadata: { you: 'can', put: 'any', parameter: 'x' } }),
  credit_card__capture_node: card(),
  credit_card__capture_on_us: card(),
  credit_card__capture_saved_token: card({ save_token_id: true }),
  credit_card__capture_unsigned: card(),
  credit_card__deny: card({}, [], '4911111111111113'),
  credit_card__deny_3ds: failed3ds,
  credit_card__deny_missing_order_id: failed3ds,
  credit_card__partial_refund: refunded(settledCard, [5000, 7000]),
  credit_card__partial_refund_bank_confirmed: refunded(settledCard, [5000], true),
  credit_card__partial_refund_short: refunded(settledCard, [5000]),
  credit_card__refund_bank_confirmed: refunded(settledCard, [undefined], true),
  credit_card__refund_signed: refunded(settledCard, [undefined]),
  credit_card__refund_two_entries: refunded(settledCard, [5000, undefined]),
  credit_card__settlement: settledCard,
  credit_card__settlement_3ds: card({ authentication: true }, ['finish_3ds', 'settle']),
  credit_card__settlement_recurring_signed: settledCycle,
  credit_card__settlement_signed: settledCard,
  cstore_alfamart__expire: opened('alfamart', 'expire'),
  cstore_alfamart__pending: opened('alfamart'),
  cstore_alfamart__settlement: opened('alfamart', 'pay'),
  cstore_alfamart__settlement_guide: opened('alfamart', 'pay'),
  cstore_alfamart__settlement_older: opened('alfamart', 'pay'),
  cstore_alfamart__settlement_reference: opened('alfamart', 'pay'),
  cstore_indomaret__expire: opened('indomaret', 'expire'),
  cstore_indomaret__pending: opened('indomaret'),
  cstore_indomaret__settlement: opened('indomaret', 'pay'),
  cstore_indomaret__settlement_approval_code: opened('indomaret', 'pay'),
  cstore_indomaret__settlement_guide: opened('indomaret', 'pay'),
  cstore_indomaret__settlement_older: opened('indomaret', 'pay'),
  echannel__settlement: opened('echannel', 'pay'),
  echannel__settlement_older: opened('echannel', 'pay'),
  gopay__expire: opened('gopay', 'expire'),
  gopay__partial_refund_signed: refunded(gopayPaid, [5000]),
  gopay__pending: opened('gopay'),
  gopay__settlement: gopayPaid,
  gopay__settlement_older: gopayPaid,
  gopay__settlement_option_type: gopayPaid,
  gopay__settlement_partner: gopayPaid,
  gopay__settlement_payment_link_signed: gopayPaid,
  gopay__tokenized_cancel: cancelled(tokenized({ pre_auth: true })),
  gopay__tokenized_deny: async (rig) => {
    await tokenized({}, {}, 2_000_000)(rig)
    return await last(rig)
  },
  gopay__tokenized_expire: tokenizedThen({ verification_required: true }, 'expire'),
  gopay__tokenized_pending: tokenizedThen({ verification_required: true }),
  gopay__tokenized_refund: refunded(tokenized(), [undefined], true),
  gopay__tokenized_settlement: tokenizedThen({}),
  kredivo__deny: opened('kredivo', 'deny'),
  kredivo__expire: opened('kredivo', 'expire'),
  kredivo__pending: opened('kredivo'),
  kredivo__settlement: opened('kredivo', 'pay'),
  pay_account_gopay__linked: linkedAccount,
  qris__expire: opened('qris', 'expire'),
  qris__expire_signed: opened('qris', 'expire'),
  qris__pending: opened('qris'),
  qris__settlement: opened('qris', 'pay'),
  qris__settlement_cross_reference: opened('qris', 'pay'),
  qris__settlement_on_us: opened('qris', 'pay', { qris: { acquirer: 'airpay shopee' } }),
  qris__settlement_pos: opened('qris', 'pay'),
  shopeepay__expire: opened('shopeepay', 'expire'),
  shopeepay__pending: opened('shopeepay'),
  shopeepay__settlement: opened('shopeepay', 'pay'),
  shopeepay__settlement_reference_number: opened('shopeepay', 'pay'),
  subscription_credit_card__charge_411: badToken,
  subscription_credit_card__charge_capture: charged,
  subscription_credit_card__created: created,
  subscription_gopay__charge_402: recurringGopay((rig) =>
    rig.sim('PATCH /_sim/settings', { channels: { gopay: false } }),
  ),
  subscription_gopay__charge_500: recurringGopay((rig) =>
    rig.fault({ effect: 'status', match: { operation: 'subscription_charge' } }),
  ),
  subscription_gopay__charge_settlement: recurringGopay(async () => {}),
  subscription_gopay__created: recurringGopay(),
}
