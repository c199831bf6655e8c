// For every wire operation: how to come to where it succeeds, the call itself, and a call that the
// gateway refuses for good.
import type { ChargeRequest, ErrorCode, OperationName, PaymentType } from 'gapura'
import { CHARGES, INVOICE, SUBSCRIPTION } from '../gateway_calls.ts'
import type { Bench } from './bench.ts'

export interface Scenario {
  /** Prepares whatever the call needs and gives the call, not yet made. */
  prepare: (bench: Bench) => Promise<() => Promise<unknown>>
  refused: (bench: Bench) => Promise<unknown>
  code: ErrorCode
}

const CARDS = { accept: '4811111111111114', challenge: '4511111111111117' }
const EXPIRY = { card_exp_month: '12', card_exp_year: '2035' }

async function cardToken({ client }: Bench, card_number = CARDS.accept): Promise<string> {
  const { token_id } = await client.getCardToken({ card_number, ...EXPIRY, card_cvv: '123' })
  return token_id ?? ''
}

async function savedToken({ client }: Bench): Promise<string> {
  const { saved_token_id } = await client.registerCard({ card_number: CARDS.accept, ...EXPIRY })
  return saved_token_id ?? ''
}

const detailsOf = (order_id: string) => ({ order_id, gross_amount: 150_000 })

/** A charge of any type that the simulator takes; a card gets a real token first. */
export async function chargeOf(
  bench: Bench,
  payment_type: PaymentType,
  order_id: string,
  card_number?: string,
): Promise<ChargeRequest> {
  const transaction_details = detailsOf(order_id)
  if (payment_type !== 'credit_card') return { ...CHARGES[payment_type], transaction_details }
  const token_id = await cardToken(bench, card_number)
  return { payment_type, transaction_details, credit_card: { token_id, authentication: false } }
}

async function pendingVa(bench: Bench): Promise<string> {
  const order_id = bench.fresh('va')
  await bench.client.charge({ ...CHARGES.bank_transfer, transaction_details: detailsOf(order_id) })
  return order_id
}

async function settledWallet(bench: Bench): Promise<string> {
  const order_id = bench.fresh('wallet')
  await bench.client.charge({ ...CHARGES.gopay, transaction_details: detailsOf(order_id) })
  await bench.control(`transactions/${order_id}/pay`)
  return order_id
}

async function card(bench: Bench, kind: 'authorize' | 'challenge') {
  const order_id = bench.fresh('card')
  const token_id = await cardToken(bench, kind === 'challenge' ? CARDS.challenge : CARDS.accept)
  const reply = await bench.client.charge({
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

const createAccount = ({ client }: Bench, phone_number = '81212345678') =>
  client.createPayAccount({
    payment_type: 'gopay',
    gopay_partner: { phone_number, country_code: '62' },
  })

async function linkedAccount(bench: Bench): Promise<string> {
  const { account_id } = await createAccount(bench)
  await bench.control(`pay_accounts/${account_id ?? ''}/link`)
  return account_id ?? ''
}

const challenged = async (bench: Bench) => (await card(bench, 'challenge')).order_id

async function subscription(bench: Bench): Promise<string> {
  const payload = { ...SUBSCRIPTION, name: bench.fresh('gold'), token: await savedToken(bench) }
  const { id } = await bench.client.createSubscription(payload)
  return id
}

const UPDATE = { name: 'gold', amount: '15000', currency: 'IDR' } as const

const newInvoice = (bench: Bench) =>
  Promise.resolve({
    ...INVOICE,
    order_id: bench.fresh('invoice'),
    invoice_number: bench.fresh('INV'),
  })

const openInvoice = async (bench: Bench) =>
  (await bench.client.createInvoice(await newInvoice(bench))).id

const refundOf = (bench: Bench, order_id: string) => ({
  order_id,
  refund_key: bench.fresh('refund'),
  amount: 500_000n,
})

/** A call on an object that must first exist. */
const on =
  <T>(make: (bench: Bench) => Promise<T>, call: (bench: Bench, made: T) => Promise<unknown>) =>
  async (bench: Bench) => {
    const made = await make(bench)
    return () => call(bench, made)
  }

/** A call that is refused because the same call has just been made. */
const twice =
  <T>(make: (bench: Bench) => Promise<T>, call: (bench: Bench, made: T) => Promise<unknown>) =>
  async (bench: Bench) => {
    const made = await make(bench)
    await call(bench, made)
    return await call(bench, made)
  }

const NOBODY = '00000000-0000-4000-8000-000000000000'
const chargeVa = (bench: Bench, order_id: string) =>
  bench.client.charge({ ...CHARGES.bank_transfer, transaction_details: detailsOf(order_id) })
const newOrder = (bench: Bench) => Promise.resolve(bench.fresh('order'))

export const SCENARIOS: Record<OperationName, Scenario> = {
  charge: {
    prepare: on(newOrder, chargeVa),
    refused: twice(newOrder, chargeVa),
    code: 'gateway_duplicate',
  },
  get_status: {
    prepare: on(pendingVa, ({ client }, id) => client.getStatus(id)),
    refused: ({ client }) => client.getStatus('nobody'),
    code: 'gateway_not_found',
  },
  get_status_b2b: {
    prepare: on(pendingVa, ({ client }, id) => client.getStatusB2b(id)),
    refused: ({ client }) => client.getStatusB2b('nobody'),
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
      (bench) => card(bench, 'authorize'),
      ({ client }, { transaction_id }) =>
        client.capture({ transaction_id, gross_amount: 15_000_000n }),
    ),
    refused: twice(
      (bench) => card(bench, 'authorize'),
      ({ client }, { transaction_id }) =>
        client.capture({ transaction_id, gross_amount: 15_000_000n }),
    ),
    code: 'gateway_state_conflict',
  },
  refund: {
    prepare: on(settledWallet, (bench, id) => bench.client.refund(refundOf(bench, id))),
    refused: async (bench) => await bench.client.refund(refundOf(bench, await pendingVa(bench))),
    code: 'gateway_state_conflict',
  },
  direct_refund: {
    prepare: on(settledWallet, (bench, id) => bench.client.directRefund(refundOf(bench, id))),
    refused: async (bench) => {
      const refund = refundOf(bench, await settledWallet(bench))
      return await bench.client.directRefund({ ...refund, amount: 99_900_000n })
    },
    code: 'refund_rejected',
  },
  approve: {
    prepare: on(challenged, ({ client }, id) => client.approve(id)),
    refused: async (bench) => await bench.client.approve(await pendingVa(bench)),
    code: 'gateway_state_conflict',
  },
  deny: {
    prepare: on(challenged, ({ client }, id) => client.deny(id)),
    refused: async (bench) => await bench.client.deny(await pendingVa(bench)),
    code: 'gateway_state_conflict',
  },
  get_card_token: {
    prepare: (bench) => Promise.resolve(() => cardToken(bench)),
    refused: ({ client }) =>
      client.getCardToken({ card_number: '4811111111111115', ...EXPIRY, card_cvv: '123' }),
    code: 'gateway_rejected',
  },
  register_card: {
    prepare: (bench) => Promise.resolve(() => savedToken(bench)),
    refused: ({ client }) =>
      client.registerCard({ card_number: CARDS.accept, ...EXPIRY, client_key: 'stranger' }),
    code: 'gateway_authentication_failed',
  },
  point_inquiry: {
    prepare: on(
      (bench) => cardToken(bench),
      ({ client }, token_id) => client.pointInquiry(token_id),
    ),
    refused: ({ stranger }) => stranger.pointInquiry('token-1'),
    code: 'gateway_authentication_failed',
  },
  get_bin: {
    prepare: ({ client }) => Promise.resolve(() => client.getBin('45563300')),
    refused: ({ client }) => client.getBin('00000000'),
    code: 'gateway_not_found',
  },
  create_pay_account: {
    prepare: (bench) => Promise.resolve(() => createAccount(bench)),
    refused: (bench) => createAccount(bench, '123450001'),
    code: 'gateway_refused',
  },
  get_pay_account: {
    prepare: on(linkedAccount, ({ client }, id) => client.getPayAccount(id)),
    refused: ({ client }) => client.getPayAccount(NOBODY),
    code: 'gateway_not_found',
  },
  unbind_pay_account: {
    prepare: on(linkedAccount, ({ client }, id) => client.unbindPayAccount(id)),
    refused: ({ stranger }) => stranger.unbindPayAccount(NOBODY),
    code: 'gateway_authentication_failed',
  },
  create_subscription: {
    prepare: on(savedToken, ({ client, fresh }, token) =>
      client.createSubscription({ ...SUBSCRIPTION, name: fresh('gold'), token }),
    ),
    refused: ({ client }) =>
      client.createSubscription({ ...SUBSCRIPTION, name: 'x'.repeat(41), token: 'nobody' }),
    code: 'gateway_rejected',
  },
  get_subscription: {
    prepare: on(subscription, ({ client }, id) => client.getSubscription(id)),
    refused: ({ client }) => client.getSubscription(NOBODY),
    code: 'gateway_not_found',
  },
  disable_subscription: {
    prepare: on(subscription, ({ client }, id) => client.disableSubscription(id)),
    refused: ({ client }) => client.disableSubscription(NOBODY),
    code: 'gateway_not_found',
  },
  enable_subscription: {
    prepare: on(subscription, ({ client }, id) => client.enableSubscription(id)),
    refused: ({ client }) => client.enableSubscription(NOBODY),
    code: 'gateway_not_found',
  },
  cancel_subscription: {
    prepare: on(subscription, ({ client }, id) => client.cancelSubscription(id)),
    refused: ({ client }) => client.cancelSubscription(NOBODY),
    code: 'gateway_not_found',
  },
  update_subscription: {
    prepare: async (bench) => {
      const token = await savedToken(bench)
      const id = await subscription(bench)
      return () => bench.client.updateSubscription(id, { ...UPDATE, token })
    },
    refused: ({ client }) => client.updateSubscription(NOBODY, { ...UPDATE, token: 'nobody' }),
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
}
