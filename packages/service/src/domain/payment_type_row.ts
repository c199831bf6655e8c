// The columns of the table in `payment_type.ts`, and examples of charges.
import type { Money } from './money.ts'

/** The values a charge gives to inputs that only some payment types take. */
export interface TypeInputs {
  bank?: string
  token_id?: string
  va_number?: string
  store?: string
  qris_acquirer?: string
  callback_url?: string
  payer_phone_number?: string
  gopay?: { account_id?: string; payment_option_token?: string; pre_auth?: boolean }
  capture?: boolean
  authentication?: boolean
  save_token_id?: boolean
  installment_term?: number
}

/** Inputs that only some payment types take. The others are common to all. */
export const TYPE_INPUTS = [
  'bank',
  'token_id',
  'va_number',
  'store',
  'qris_acquirer',
  'callback_url',
  'payer_phone_number',
  'gopay',
  'capture',
  'authentication',
  'save_token_id',
  'installment_term',
  'custom_expiry',
] as const satisfies (keyof TypeInputs | 'custom_expiry')[]

export type TypeInput = (typeof TYPE_INPUTS)[number]

/** Common inputs that some payment types require. */
export type RequiredInput = TypeInput | 'item_details' | 'customer_details'

/** Seconds. `custom` is null where the gateway fixes the expiry and refuses a custom one. */
export interface Expiry {
  default_s: number
  custom: { min_s: number; max_s: number } | null
}

/** When to look up a payment that stays pending: seconds after the charge, then at intervals. */
export interface CheckPlan {
  after_s: readonly number[]
  then_every_s: number
}

/**
 * What the gateway's pages say can be refunded (gateway-protocol.md#refunds). `unknown`: no page
 * says. A list: only these acquirers refund at once, the others take a day or two.
 */
interface RefundRule {
  partial: boolean
  direct: 'yes' | 'no' | 'unknown' | readonly string[]
  window_days: number
}

interface AmountLimit {
  min: Money
  max: Money | null
}

/** Where one bank, store, acquirer or way of paying differs from its payment type's row. */
export interface Variant {
  limit?: AmountLimit
  expiry_max_s?: number
  refund_window_days?: number
  reversible?: boolean
  keeps_reply?: boolean
}

/** Fields of a charge's reply that only that reply carries, and that a payer may need to pay. */
type Instruction = 'actions' | 'qr_string' | 'redirect_url'

export interface PaymentTypeRow {
  required: readonly RequiredInput[]
  optional: readonly TypeInput[]
  /** Empty: the gateway's own list is open, and it decides. */
  banks: readonly string[]
  stores: readonly string[]
  /** What `bank` names: the bank that holds the virtual account, or the card's acquirer. */
  bank_is: 'account' | 'acquirer' | null
  expiry: Expiry
  checks: CheckPlan
  /** `null`: this method can never be refunded. */
  refund: RefundRule | null
  limit: AmountLimit
  /** Without any of these the payer cannot pay. VA numbers and codes are in every report. */
  instructions: readonly Instruction[]
  /** Whether a repeated idempotency key brings the charge's reply again. */
  keeps_reply: boolean
  /**
   * Whether the gateway may report a failure within minutes of a settlement
   * (gateway-protocol.md#transaction-statuses).
   */
  reversible: boolean
  /** Whether it is authorized first and captured by a call of its own, in whole or in part. */
  separate_capture: boolean
  /** Whether the gateway finds it by order id; otherwise only by its own transaction id. */
  found_by_order_id: boolean
  /** Whether calls about it carry the header of the gateway's other protocol family. */
  snap_source: boolean
  /** Business days after which a paid payment must be in the gateway's list (money.md#matching). */
  listed_within_days: 1 | 3 | 5 | 10
  /** Whether a subscription can charge it. */
  recurring: boolean
  /** Whether a payer can link an account, whose id then goes with the token. */
  linkable: boolean
  /** Its names on the gateway's page, where they differ from its own (gateway-protocol.md#hosted-checkout). */
  page_methods: readonly string[]
  /** By bank, store, QRIS acquirer or way of paying. */
  variants: Readonly<Record<string, Variant>>
}

const gross_amount = 44_000

/** Bodies of `POST /charge/` a developer can send as they are, in the order they are shown. */
export const CHARGE_EXAMPLES = {
  virtual_account: {
    summary: 'Virtual account at BCA',
    value: { payment_type: 'bank_transfer', bank: 'bca', gross_amount },
  },
  qris: { summary: 'QRIS', value: { payment_type: 'qris', gross_amount } },
  gopay: {
    summary: 'GoPay, with the customer and the items',
    value: {
      payment_type: 'gopay',
      gross_amount,
      customer_details: { first_name: 'Ani', email: 'ani@example.com', phone: '081234567890' },
      item_details: [
        { id: 'tea-1', name: 'Jasmine tea', price: 20_000, quantity: 2 },
        { name: 'Delivery', price: 4_000 },
      ],
    },
  },
  convenience_store: {
    summary: 'Cash at Alfamart, within a day',
    value: {
      payment_type: 'cstore',
      store: 'alfamart',
      gross_amount,
      custom_expiry: { expiry_duration: 1, unit: 'day' },
    },
  },
  card: {
    summary: 'Card, by a token of the browser',
    value: { payment_type: 'credit_card', token_id: 'token-of-the-card', gross_amount },
  },
} as const
