// One well-formed call for each of the client's wire operations, for tests that go
// through all of them.
import type { CheckoutRequest, GatewayClient, OperationName } from 'gapura'

const order_id = 'order-1'
const details = { transaction_details: { order_id, gross_amount: 150_000 } }
const people = {
  item_details: [
    {
      id: 'i-1',
      name: 'Tea',
      price: 150_000,
      quantity: 1,
      category: 'Food',
      url: 'https://a.example',
    },
  ],
  customer_details: {
    first_name: 'Ani',
    email: 'ani@example.com',
    phone: '081111111111',
    shipping_address: {
      first_name: 'Ani',
      address: 'Jl. Melati',
      city: 'Jakarta',
      postal_code: '12190',
    },
  },
}

/** A smallest charge of every payment type. */
export const CHARGES = {
  credit_card: { payment_type: 'credit_card', ...details, credit_card: { token_id: 'token-1' } },
  bank_transfer: { payment_type: 'bank_transfer', ...details, bank_transfer: { bank: 'bca' } },
  echannel: {
    payment_type: 'echannel',
    ...details,
    echannel: { bill_info1: 'Payment:', bill_info2: 'Tea' },
  },
  gopay: { payment_type: 'gopay', ...details },
  qris: { payment_type: 'qris', ...details, qris: { acquirer: 'gopay' } },
  shopeepay: { payment_type: 'shopeepay', ...details },
  ovo: { payment_type: 'ovo', ...details, ovo: { payer_phone_number: '081111111111' } },
  dana: { payment_type: 'dana', ...details },
  cstore: { payment_type: 'cstore', ...details, cstore: { store: 'alfamart' } },
  akulaku: { payment_type: 'akulaku', ...details, ...people },
  kredivo: { payment_type: 'kredivo', ...details, ...people },
} as const

const CARD = { card_number: '4811111111111114', card_exp_month: '12', card_exp_year: '2030' }

export const INVOICE = {
  order_id: 'invoice-1',
  invoice_number: 'INV-1',
  due_date: '2030-12-01 00:00:00 +0700',
  invoice_date: '2026-11-15 00:00:00 +0700',
  customer_details: { name: 'Ani', email: 'ani@example.com', phone: '81111111111' },
  item_details: [{ item_id: 'i-1', description: 'Tea', quantity: 2, price: 75_000 }],
  payment_type: 'virtual_account',
  virtual_accounts: [{ bank: 'bca_va' }],
} as const

export const CHECKOUT: CheckoutRequest = {
  transaction_details: { order_id: 'page-1', gross_amount: 150_000 },
  enabled_payments: ['bca_va', 'gopay'],
  credit_card: { secure: true },
  page_expiry: { duration: 60, unit: 'minute' },
  metadata: {},
}

export const SUBSCRIPTION = {
  name: 'gold-1',
  amount: '14000',
  currency: 'IDR',
  payment_type: 'credit_card',
  token: 'saved-token-1',
  schedule: { interval: 1, interval_unit: 'month', max_interval: 12 },
  customer_details: { first_name: 'Ani', email: 'ani@example.com' },
} as const

export interface Ids {
  order_id: string
  transaction_id: string
  token_id: string
  account_id: string
  subscription_id: string
  invoice_id: string
  page_token: string
}

export type GatewayCall = (client: GatewayClient, ids: Ids) => Promise<unknown>

/** Every wire operation, on objects of the given ids. A charge is made by payment type instead. */
export const CALLS: Record<Exclude<OperationName, 'charge'>, GatewayCall> = {
  get_status: (client, ids) => client.getStatus(ids.order_id),
  get_status_b2b: (client, ids) => client.getStatusB2b(ids.order_id),
  cancel: (client, ids) => client.cancel(ids.order_id),
  expire: (client, ids) => client.expire(ids.order_id),
  capture: (client, ids) =>
    client.capture({ transaction_id: ids.transaction_id, gross_amount: 150_000 }),
  refund: (client, ids) =>
    client.refund({ order_id: ids.order_id, refund_key: 'refund-1', amount: 5_000 }),
  direct_refund: (client, ids) =>
    client.directRefund({ order_id: ids.order_id, refund_key: 'refund-1', amount: 5_000 }),
  approve: (client, ids) => client.approve(ids.order_id),
  deny: (client, ids) => client.deny(ids.order_id),
  get_card_token: (client) => client.getCardToken({ ...CARD, card_cvv: '123' }),
  register_card: (client) => client.registerCard(CARD),
  point_inquiry: (client, ids) => client.pointInquiry(ids.token_id),
  get_bin: (client) => client.getBin('45563300'),
  create_pay_account: (client) =>
    client.createPayAccount({
      payment_type: 'gopay',
      gopay_partner: {
        phone_number: '81212345678',
        country_code: '62',
        redirect_url: 'https://shop.example/linked',
      },
    }),
  get_pay_account: (client, ids) => client.getPayAccount(ids.account_id),
  unbind_pay_account: (client, ids) => client.unbindPayAccount(ids.account_id),
  create_subscription: (client) => client.createSubscription(SUBSCRIPTION),
  get_subscription: (client, ids) => client.getSubscription(ids.subscription_id),
  disable_subscription: (client, ids) => client.disableSubscription(ids.subscription_id),
  enable_subscription: (client, ids) => client.enableSubscription(ids.subscription_id),
  cancel_subscription: (client, ids) => client.cancelSubscription(ids.subscription_id),
  update_subscription: (client, ids) =>
    client.updateSubscription(ids.subscription_id, {
      name: 'gold-1',
      amount: '15000',
      currency: 'IDR',
      token: 'saved-token-1',
    }),
  create_invoice: (client) => client.createInvoice(INVOICE),
  get_invoice: (client, ids) => client.getInvoice(ids.invoice_id),
  void_invoice: (client, ids) => client.voidInvoice(ids.invoice_id),
  create_checkout: (client) => client.createCheckout(CHECKOUT),
  cancel_checkout: (client, ids) => client.cancelCheckout(ids.page_token),
}
