import { CHARGE_EXAMPLES } from '../domain/payment_type_row.ts'

/** A body a developer can send as it is, and the word it is chosen by. */
export interface RequestExample {
  summary: string
  value: object
}

const gross_amount = 44_000

const invoice = {
  customer_name: 'Ani',
  customer_email: 'ani@example.com',
  due_date: '2099-12-31',
  items: [
    { description: 'Jasmine tea', price: 20_000, quantity: 2 },
    { description: 'Delivery', price: 4_000, quantity: 1 },
  ],
  notes: 'Thank you',
}

const BY_OPERATION: Readonly<Record<string, Readonly<Record<string, RequestExample>>>> = {
  create_charge: CHARGE_EXAMPLES,
  refund_payment: {
    part: { summary: 'A part', value: { amount: 10_000, reason: 'One of two came back' } },
    all: { summary: 'All of it', value: { amount: gross_amount, reason: 'Order cancelled' } },
  },
  create_subscription: {
    card: {
      summary: 'A saved card, monthly for a year',
      value: {
        name: 'Monthly tea',
        amount: gross_amount,
        payment_type: 'credit_card',
        token: 'token-of-the-saved-card',
        interval: 1,
        interval_unit: 'month',
        max_interval: 12,
      },
    },
  },
  capture_payment: {
    all: { summary: 'All that was authorized', value: {} },
    part: { summary: 'A part', value: { amount: 20_000 } },
  },
  create_invoice: {
    link: { summary: 'By payment link', value: invoice },
    account: {
      summary: 'Into a virtual account at BCA',
      value: {
        ...invoice,
        payment_type: 'virtual_account',
        virtual_accounts: [{ bank: 'bca_va' }],
      },
    },
  },
  void_invoice: {
    reason: { summary: 'With the reason', value: { reason: 'Ordered twice' } },
  },
}

/** What the interface document shows beside the schema of an operation's body. */
export const requestExamplesOf = (
  operation: string,
): Readonly<Record<string, RequestExample>> | undefined => BY_OPERATION[operation]
