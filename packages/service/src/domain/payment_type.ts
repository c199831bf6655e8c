import type { Money } from './money.ts'
import type {
  CheckPlan,
  Expiry,
  PaymentTypeRow,
  RequiredInput,
  Variant,
} from './payment_type_row.ts'

export const PAYMENT_TYPES = [
  'credit_card',
  'gopay',
  'shopeepay',
  'qris',
  'ovo',
  'dana',
  'bank_transfer',
  'echannel',
  'cstore',
  'akulaku',
  'kredivo',
] as const

export type PaymentType = (typeof PAYMENT_TYPES)[number]

export const VA_BANKS = ['bca', 'bni', 'bri', 'cimb', 'permata'] as const
export const STORES = ['indomaret', 'alfamart'] as const

/** The gateway documents the third one; integrators write it short. Both name one acquirer. */
export const QRIS_ACQUIRERS = ['gopay', 'airpay', 'airpay shopee'] as const

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const rupiah = (whole: number): Money => BigInt(whole) * 100n

const LONG_EXPIRY: Expiry = { default_s: DAY, custom: { min_s: 20, max_s: 180 * DAY } }
const WALLET_EXPIRY: Expiry = { default_s: 15 * MINUTE, custom: { min_s: 20, max_s: 7 * DAY } }

/** Seconds a payer has on the 3-D Secure page. */
const THREE_DS_S = 10 * MINUTE

const WALLET_CHECKS: CheckPlan = {
  after_s: [2 * MINUTE, 6 * MINUTE, 16 * MINUTE],
  then_every_s: HOUR,
}
const SLOW_CHECKS: CheckPlan = {
  after_s: [15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR],
  then_every_s: 12 * HOUR,
}

/** ShopeePay under its old name, as the acquirer of a QRIS code. */
const AIRPAY = { expiry_max_s: 5 * DAY, refund_window_days: 365 } as const

/** What holds unless a row says otherwise. */
const PLAIN = {
  required: [],
  optional: [],
  banks: [],
  stores: [],
  bank_is: null,
  instructions: [],
  keeps_reply: true,
  reversible: false,
  separate_capture: false,
  found_by_order_id: true,
  snap_source: false,
  listed_within_days: 1,
  recurring: false,
  linkable: false,
  page_methods: [],
  variants: {},
} as const

/**
 * Everything that differs between payment types, once. Bounds and limits:
 * gateway-protocol.md#payment-types, gateway-protocol.md#amount-limits,
 * gateway-protocol.md#refunds.
 */
const TABLE = {
  credit_card: {
    ...PLAIN,
    listed_within_days: 5,
    required: ['token_id'],
    optional: ['bank', 'capture', 'authentication', 'save_token_id', 'installment_term'],
    bank_is: 'acquirer',
    instructions: ['redirect_url'],
    separate_capture: true,
    recurring: true,
    expiry: { default_s: THREE_DS_S, custom: null },
    checks: { after_s: [11 * MINUTE], then_every_s: HOUR },
    refund: { partial: true, direct: ['bca', 'bni', 'bri', 'maybank'], window_days: 180 },
    limit: { min: rupiah(10_000), max: rupiah(999_999_999) },
  },
  gopay: {
    ...PLAIN,
    optional: ['callback_url', 'gopay', 'custom_expiry'],
    instructions: ['actions'],
    recurring: true,
    linkable: true,
    variants: { tokenized: { refund_window_days: 180 } },
    expiry: WALLET_EXPIRY,
    checks: WALLET_CHECKS,
    refund: { partial: true, direct: 'yes', window_days: 45 },
    limit: { min: rupiah(1), max: rupiah(20_000_000) },
  },
  shopeepay: {
    ...PLAIN,
    optional: ['callback_url', 'custom_expiry'],
    instructions: ['actions'],
    expiry: { default_s: 15 * MINUTE, custom: { min_s: 20, max_s: 5 * DAY } },
    checks: WALLET_CHECKS,
    refund: { partial: false, direct: 'yes', window_days: 365 },
    limit: { min: rupiah(1), max: rupiah(20_000_000) },
  },
  qris: {
    ...PLAIN,
    page_methods: ['other_qris'],
    optional: ['qris_acquirer', 'custom_expiry'],
    instructions: ['qr_string', 'actions'],
    variants: { airpay: AIRPAY, 'airpay shopee': AIRPAY, 'off-us': { refund_window_days: 7 } },
    expiry: WALLET_EXPIRY,
    checks: WALLET_CHECKS,
    refund: { partial: true, direct: 'yes', window_days: 45 },
    limit: { min: rupiah(1), max: rupiah(10_000_000) },
  },
  ovo: {
    ...PLAIN,
    required: ['payer_phone_number'],
    expiry: { default_s: 65, custom: null },
    checks: { after_s: [75], then_every_s: HOUR },
    refund: { partial: false, direct: 'unknown', window_days: 7 },
    limit: { min: rupiah(1), max: rupiah(99_999_999) },
  },
  dana: {
    ...PLAIN,
    optional: ['callback_url', 'custom_expiry'],
    instructions: ['actions'],
    // It belongs to the gateway's other protocol family, which knows no order ids.
    found_by_order_id: false,
    snap_source: true,
    expiry: { default_s: 15 * MINUTE, custom: { min_s: 15 * MINUTE, max_s: DAY } },
    checks: WALLET_CHECKS,
    refund: { partial: true, direct: 'unknown', window_days: 45 },
    limit: { min: rupiah(1), max: rupiah(20_000_000) },
  },
  bank_transfer: {
    ...PLAIN,
    listed_within_days: 3,
    page_methods: VA_BANKS.map((bank) => `${bank}_va`),
    required: ['bank'],
    optional: ['va_number', 'custom_expiry'],
    banks: VA_BANKS,
    bank_is: 'account',
    variants: {
      bca: { limit: { min: rupiah(10_000), max: rupiah(20_000_000_000) } },
      bri: { limit: { min: rupiah(1), max: rupiah(20_000_000_000) } },
      permata: {
        limit: { min: rupiah(1), max: rupiah(9_999_999_999) },
        keeps_reply: false,
        reversible: true,
      },
      cimb: { limit: { min: rupiah(1), max: rupiah(250_000_000) } },
    },
    expiry: LONG_EXPIRY,
    checks: SLOW_CHECKS,
    refund: null,
    limit: { min: rupiah(1), max: null },
  },
  echannel: {
    ...PLAIN,
    listed_within_days: 3,
    optional: ['custom_expiry'],
    reversible: true,
    expiry: LONG_EXPIRY,
    checks: SLOW_CHECKS,
    refund: null,
    limit: { min: rupiah(1), max: rupiah(50_000_000_000) },
  },
  cstore: {
    ...PLAIN,
    listed_within_days: 3,
    page_methods: STORES,
    required: ['store'],
    optional: ['custom_expiry'],
    stores: STORES,
    variants: {
      indomaret: {
        limit: { min: rupiah(10_000), max: rupiah(5_000_000) },
        keeps_reply: false,
        reversible: true,
      },
    },
    expiry: LONG_EXPIRY,
    checks: SLOW_CHECKS,
    refund: null,
    limit: { min: rupiah(1), max: rupiah(5_000_000) },
  },
  akulaku: {
    ...PLAIN,
    listed_within_days: 10,
    required: ['item_details', 'customer_details'],
    optional: ['custom_expiry'],
    instructions: ['redirect_url'],
    expiry: { default_s: 2 * HOUR, custom: { min_s: 20, max_s: 180 * DAY } },
    checks: SLOW_CHECKS,
    refund: { partial: true, direct: 'yes', window_days: 180 },
    limit: { min: rupiah(5_000), max: null },
  },
  kredivo: {
    ...PLAIN,
    listed_within_days: 10,
    required: ['item_details', 'customer_details'],
    optional: ['custom_expiry'],
    instructions: ['redirect_url'],
    expiry: LONG_EXPIRY,
    checks: SLOW_CHECKS,
    refund: { partial: true, direct: 'yes', window_days: 14 },
    limit: { min: rupiah(1), max: null },
  },
} as const satisfies Record<PaymentType, PaymentTypeRow>

/** The rows with their literal values, from which the types of inputs are made. */
export type PaymentTypeRows = typeof TABLE

export const PAYMENT_TYPE: Readonly<Record<PaymentType, PaymentTypeRow>> = TABLE

type TypesThatAre<Trait extends 'recurring' | 'linkable'> = {
  [T in PaymentType]: (typeof TABLE)[T] extends Record<Trait, true> ? T : never
}[PaymentType]

export type SubscriptionPaymentType = TypesThatAre<'recurring'>
export type LinkablePaymentType = TypesThatAre<'linkable'>

export const SUBSCRIPTION_PAYMENT_TYPES = PAYMENT_TYPES.filter(
  (type): type is SubscriptionPaymentType => TABLE[type].recurring,
)

/** The one bank whose account number the gateway reports in a field of its own. */
export const OWN_VA_FIELD = { field: 'permata_va_number', bank: 'permata' } as const

interface Kind {
  payment_type: PaymentType
  bank?: string | null
  store?: string | null
}

const NO_VARIANT: Variant = {}

/** How this payment's bank or store, or the variant named, differs from its type's row. */
export function variantOf({ payment_type, bank, store }: Kind, named?: string | null): Variant {
  const { variants } = PAYMENT_TYPE[payment_type]
  return variants[bank ?? ''] ?? variants[store ?? ''] ?? variants[named ?? ''] ?? NO_VARIANT
}

export const isReversible = (payment: Kind): boolean =>
  variantOf(payment).reversible ?? PAYMENT_TYPE[payment.payment_type].reversible

export const keepsReply = (payment: Kind): boolean =>
  variantOf(payment).keeps_reply ?? PAYMENT_TYPE[payment.payment_type].keeps_reply

export const isFoundByOrderId = ({ payment_type }: Kind): boolean =>
  PAYMENT_TYPE[payment_type].found_by_order_id

export const usesSnapSource = ({ payment_type }: Kind): boolean =>
  PAYMENT_TYPE[payment_type].snap_source

/** The bank that holds the payment's virtual account. */
export const accountBank = ({ payment_type, bank }: Kind): string | null =>
  PAYMENT_TYPE[payment_type].bank_is === 'account' ? (bank ?? null) : null

/** Whether a report of this type names a card's acquirer as its bank. */
export const namesAcquirer = (type: string | null | undefined): boolean => ACQUIRED.has(type ?? '')

const ACQUIRED: ReadonlySet<string> = new Set(
  PAYMENT_TYPES.filter((type) => PAYMENT_TYPE[type].bank_is === 'acquirer'),
)

export const requiresInput = ({ payment_type }: Kind, input: RequiredInput): boolean =>
  PAYMENT_TYPE[payment_type].required.includes(input)

/** The names of a type on the gateway's page. */
export const pageMethodsOf = (payment_type: PaymentType): readonly string[] => {
  const { page_methods } = PAYMENT_TYPE[payment_type]
  return page_methods.length > 0 ? page_methods : [payment_type]
}
