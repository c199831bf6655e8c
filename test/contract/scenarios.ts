// For every wire operation: the preparation for a success, the call itself, and a call that the
// gateway definitely refuses.
import type { ChargeRequest, ErrorCode, OperationName, PaymentType } from 'gapura'
import { CHARGES, INVOICE, SUBSCRIPTION } from '../gateway_calls.ts'
import { CHECKOUT_SCENARIOS } from './checkout_scenarios.ts'
import type { Harness } from './harness.ts'

export interface Scenario {
  /** Prepares what the call needs and returns the call, not yet made. */
  prepare: (harness: Harness) => Promise<() => Promise<unknown>>
  refused: (harness: Harness) => Promise<unknown>
  code: ErrorCode
}

const CARDS = { accept: '4811111111111114', challenge: '4511111111111117' }
const EXPIRY = { card_exp_month: '12', card_exp_year: '2035' }

async function cardToken({ client }: Harness, card_number = CARDS.accept): Promise<string> {
  const { token_id } = await client.getCardToken({ card_number, ...EXPIRY, card_cvv: '123' })
  return token_id ?? ''
}

async function savedToken({ client }: Harness): Promise<string> {
  const { saved_token_id } = await client.registerCard({ card_number: CARDS.accept, ...EXPIRY })
  return saved_token_id ?? ''
}

const detailsOf = (order_id: string) => ({ order_id, gross_amount: 150_000 })

/** A charge of any type that the simulator accepts; a card gets a real token first. */
export async function chargeOf(
  harness: Harness,
  payment_type: PaymentType,
  order_id: string,
  card_number?: string,
): Promise<ChargeRequest> {
  const transaction_details = detailsOf(order_id)
  if (payment_type !== 'credit_card') return { ...CHARGES[payment_type], transaction_details }
  const token_id = await cardToken(harness, card_number)
  return { payment_type, transaction_details, credit_card: { token_id, authentication: false } }
}

async function pendingVa(harness: Harness): Promise<string> {
  const order_id = harness.fresh('va')
  await harness.client.charge({
    ...CHARGES.bank_transfer,
    transaction_details: detailsOf(order_id),
  })
  return order_id
}

async function settledWallet(harness: Harness): Promise<string> {
  const order_id = harness.fresh('wallet')
  await harness.client.charge({ ...CHARGES.gopay, transaction_details: detailsOf(order_id) })
  await harness.control(`transactions/${order_id}/pay`)
  return order_id
}

async function card(harness: Harness, kind: 'authorize' | 'challenge') {
  const order_id = harness.fresh('card')
  const token_id = await cardToken(harness, kind === 'challenge' ? CARDS.challenge : CARDS.accept)
  const reply = await harness.client.charge({
    payment_type: 'credit_card',
    transaction_details: detailsOf(order_id),
    credit_card: {
      token_id,
      authentication: false,
      ...(kind === 'authorize' && { type: 'authorize' as const }),
    },
  })
  return { order_id, transaction_id: reply.transaction_id ?? '' }
}

const createAccount = ({ client }: Harness, phone_number = '81212345678') =>
  client.createPayAccount({
    payment_type: 'gopay',
    gopay_partner: { phone_number, country_code: '62' },
  })

async function linkedAccount(harness: Harness): Promise<string> {
  const { account_id } = await createAccount(harness)
  await harness.control(`pay_accounts/${account_id ?? ''}/link`)
  return account_id ?? ''
}

const challenged = async (harness: Harness) => (await card(harness, 'challenge')).order_id

async function subscription(harness: Harness): Promise<string> {
  const payload = { ...SUBSCRIPTION, name: harness.fresh('gold'), token: await savedToken(harness) }
  const { id } = await harness.client.createSubscription(payload)
  return id
}

const UPDATE = { name: 'gold', amount: '15000', currency: 'IDR' } as const

const newInvoice = (harness: Harness) =>
  Promise.resolve({
    ...INVOICE,
    order_id: harness.fresh('invoice'),
    invoice_number: harness.fresh('INV'),
  })

const openInvoice = async (harness: Harness) =>
  (await harness.client.createInvoice(await newInvoice(harness))).id

const refundOf = (harness: Harness, order_id: string) => ({
  order_id,
  refund_key: harness.fresh('refund'),
  amount: 5_000,
})

/** A call on an object that must first exist. */
const on =
  <T>(
    make: (harness: Harness) => Promise<T>,
    call: (harness: Harness, made: T) => Promise<unknown>,
  ) =>
  async (harness: Harness) => {
    const made = await make(harness)
    return () => call(harness, made)
  }

/** A call that is refused because the same call has just been made. */
const twice =
  <T>(
    make: (harness: Harness) => Promise<T>,
    call: (harness: Harness, made: T) => Promise<unknown>,
  ) =>
  async (harness: Harness) => {
    const made = await make(harness)
    await call(harness, made)
    return await call(harness, made)
  }

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const chargeVa = (harness: Harness, order_id: string) =>
  harness.client.charge({ ...CHARGES.bank_transfer, transaction_details: detailsOf(order_id) })
const newOrder = (harness: Harness) => Promise.resolve(harness.fresh('order'))

export const SCENARIOS: Record<OperationName, Scenario> = {
  charge: {
    prepare: on(newOrder, chargeVa),
    refused: twice(newOrder, chargeVa),
    code: 'gateway_duplicate',
  },
  get_status: {
    prepare: on(pendingVa, ({ client }, id) => client.getStatus(id)),
    refused: ({ client }) => client.getStatus('unknown'),
    code: 'gateway_not_found',
  },
  get_status_b2b: {
    prepare: on(pendingVa, ({ client }, id) => client.getStatusB2b(id)),
    refused: ({ client }) => client.getStatusB2b('unknown'),
    code: 'gateway_not_found',
  },
  cancel: {
    prepare: on(pendingVa, ({ client }, id) => client.cancel(id)),
    refused: twice(pendingVa, ({ client }, id) => client.cancel(id)),
    code: 'gateway_state_conflict',
  },
  expire: {
    prepare: on(pendingVa, ({ client }, id) => client.expire(id)),
    refused: twice(pendingVa, ({ client }, id) => client.expire(id)),
    code: 'gateway_state_conflict',
  },
  capture: {
    prepare: on(
      (harness) => card(harness, 'authorize'),
      ({ client }, { transaction_id }) => client.capture({ transaction_id, gross_amount: 150_000 }),
    ),
    refused: twice(
      (harness) => card(harness, 'authorize'),
      ({ client }, { transaction_id }) => client.capture({ transaction_id, gross_amount: 150_000 }),
    ),
    code: 'gateway_state_conflict',
  },
  refund: {
    prepare: on(settledWallet, (harness, id) => harness.client.refund(refundOf(harness, id))),
    refused: async (harness) =>
      await harness.client.refund(refundOf(harness, await pendingVa(harness))),
    code: 'gateway_state_conflict',
  },
  direct_refund: {
    prepare: on(settledWallet, (harness, id) => harness.client.directRefund(refundOf(harness, id))),
    refused: async (harness) => {
      const refund = refundOf(harness, await settledWallet(harness))
      return await harness.client.directRefund({ ...refund, amount: 999_000 })
    },
    code: 'refund_rejected',
  },
  approve: {
    prepare: on(challenged, ({ client }, id) => client.approve(id)),
    refused: async (harness) => await harness.client.approve(await pendingVa(harness)),
    code: 'gateway_state_conflict',
  },
  deny: {
    prepare: on(challenged, ({ client }, id) => client.deny(id)),
    refused: async (harness) => await harness.client.deny(await pendingVa(harness)),
    code: 'gateway_state_conflict',
  },
  get_card_token: {
    prepare: (harness) => Promise.resolve(() => cardToken(harness)),
    refused: ({ client }) =>
      client.getCardToken({ card_number: '4811111111111115', ...EXPIRY, card_cvv: '123' }),
    code: 'gateway_rejected',
  },
  register_card: {
    prepare: (harness) => Promise.resolve(() => savedToken(harness)),
    refused: ({ client }) =>
      client.registerCard({ card_number: CARDS.accept, ...EXPIRY, client_key: 'stranger' }),
    code: 'gateway_authentication_failed',
  },
  point_inquiry: {
    prepare: on(
      (harness) => cardToken(harness),
      ({ client }, token_id) => client.pointInquiry(token_id),
    ),
    refused: ({ stranger }) => stranger.pointInquiry('token-1'),
    code: 'gateway_authentication_failed',
  },
  get_bin: {
    prepare: (harness) => Promise.resolve(() => harness.client.getBin('45563300')),
    refused: ({ client }) => client.getBin('00000000'),
    code: 'gateway_not_found',
  },
  create_pay_account: {
    prepare: (harness) => Promise.resolve(() => createAccount(harness)),
    refused: (harness) => createAccount(harness, '123450001'),
    code: 'gateway_refused',
  },
  get_pay_account: {
    prepare: on(linkedAccount, ({ client }, id) => client.getPayAccount(id)),
    refused: ({ client }) => client.getPayAccount(UNKNOWN_ID),
    code: 'gateway_not_found',
  },
  unbind_pay_account: {
    prepare: on(linkedAccount, ({ client }, id) => client.unbindPayAccount(id)),
    refused: ({ stranger }) => stranger.unbindPayAccount(UNKNOWN_ID),
    code: 'gateway_authentication_failed',
  },
  create_subscription: {
    prepare: on(savedToken, ({ client, fresh }, token) =>
      client.createSubscription({ ...SUBSCRIPTION, name: fresh('gold'), token }),
    ),
    refused: ({ client }) =>
      client.createSubscription({ ...SUBSCRIPTION, name: 'x'.repeat(41), token: 'unknown' }),
    code: 'gateway_rejected',
  },
  get_subscription: {
    prepare: on(subscription, ({ client }, id) => client.getSubscription(id)),
    refused: ({ client }) => client.getSubscription(UNKNOWN_ID),
    code: 'gateway_not_found',
  },
  disable_subscription: {
    prepare: on(subscription, ({ client }, id) => client.disableSubscription(id)),
    refused: ({ client }) => client.disableSubscription(UNKNOWN_ID),
    code: 'gateway_not_found',
  },
  enable_subscription: {
    prepare: on(subscription, ({ client }, id) => client.enableSubscription(id)),
    refused: ({ client }) => client.enableSubscription(UNKNOWN_ID),
    code: 'gateway_not_found',
  },
  cancel_subscription: {
    prepare: on(subscription, ({ client }, id) => client.cancelSubscription(id)),
    refused: ({ client }) => client.cancelSubscription(UNKNOWN_ID),
    code: 'gateway_not_found',
  },
  update_subscription: {
    prepare: async (harness) => {
      const token = await savedToken(harness)
      const id = await subscription(harness)
      return () => harness.client.updateSubscription(id, { ...UPDATE, token })
    },
    refused: ({ client }) => client.updateSubscription(UNKNOWN_ID, { ...UPDATE, token: 'unknown' }),
    code: 'gateway_not_found',
  },
  create_invoice: {
    prepare: on(newInvoice, ({ client }, invoice) => client.createInvoice(invoice)),
    refused: twice(newInvoice, ({ client }, invoice) => client.createInvoice(invoice)),
    code: 'gateway_duplicate',
  },
  get_invoice: {
    prepare: on(openInvoice, ({ client }, id) => client.getInvoice(id)),
    refused: ({ client }) => client.getInvoice('0'.repeat(24)),
    code: 'gateway_not_found',
  },
  void_invoice: {
    prepare: on(openInvoice, ({ client }, id) => client.voidInvoice(id)),
    refused: twice(openInvoice, ({ client }, id) => client.voidInvoice(id)),
    code: 'gateway_state_conflict',
  },
  ...CHECKOUT_SCENARIOS,
}
