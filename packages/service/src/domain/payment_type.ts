import type { Money } from './money.ts'

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

/** The gateway writes the second one out; integrators write it short. Both are the same. */
export const QRIS_ACQUIRERS = ['gopay', 'airpay', 'airpay shopee'] as const

/** Charge inputs that only some payment types take. The others are common to all. */
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
] as const

export type TypeInput = (typeof TYPE_INPUTS)[number]

/** Common inputs that some payment types insist on. */
export type RequiredInput = TypeInput | 'item_details' | 'customer_details'

/** Seconds. `null` bounds: the gateway fixes the expiry and refuses a custom one. */
interface Expiry {
  default_s: number
  custom: { min_s: number; max_s: number } | null
}

/** When to ask about a payment that stays pending: seconds after the charge, then at intervals. */
interface CheckPlan {
  after_s: readonly number[]
  then_every_s: number
}

/**
 * What the gateway's pages say can be refunded (gateway-protocol.md#refunds). `unknown`: no page
 * says.
 */
interface RefundRule {
  partial: boolean
  direct: 'yes' | 'no' | 'unknown' | 'some_acquirers'
  window_days: number
}

interface AmountLimit {
  min: Money
  max: Money | null
}

export interface PaymentTypeRow {
  required: readonly RequiredInput[]
  optional: readonly TypeInput[]
  /** None listed: the gateway's own list is open, and it decides. */
  banks: readonly string[]
  stores: readonly string[]
  expiry: Expiry
  checks: CheckPlan
  /** `null`: this method can never be refunded. */
  refund: RefundRule | null
  limit: AmountLimit
}

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

const PLAIN = { required: [], optional: [], banks: [], stores: [] } as const

/**
 * Everything that differs between payment types, once. Bounds and limits:
 * gateway-protocol.md#payment-types, gateway-protocol.md#amount-limits,
 * gateway-protocol.md#refunds.
 */
export const PAYMENT_TYPE: Readonly<Record<PaymentType, PaymentTypeRow>> = {
  credit_card: {
    ...PLAIN,
    required: ['token_id'],
    optional: ['bank', 'capture', 'authentication', 'save_token_id', 'installment_term'],
    expiry: { default_s: THREE_DS_S, custom: null },
    checks: { after_s: [11 * MINUTE], then_every_s: HOUR },
    refund: { partial: true, direct: 'some_acquirers', window_days: 180 },
    limit: { min: rupiah(10_000), max: rupiah(999_999_999) },
  },
  gopay: {
    ...PLAIN,
    optional: ['callback_url', 'gopay', 'custom_expiry'],
    expiry: WALLET_EXPIRY,
    checks: WALLET_CHECKS,
    refund: { partial: true, direct: 'yes', window_days: 45 },
    limit: { min: rupiah(1), max: rupiah(20_000_000) },
  },
  shopeepay: {
    ...PLAIN,
    optional: ['callback_url', 'custom_expiry'],
    expiry: { default_s: 15 * MINUTE, custom: { min_s: 20, max_s: 5 * DAY } },
    checks: WALLET_CHECKS,
    refund: { partial: false, direct: 'yes', window_days: 365 },
    limit: { min: rupiah(1), max: rupiah(20_000_000) },
  },
  qris: {
    ...PLAIN,
    optional: ['qris_acquirer', 'custom_expiry'],
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
    expiry: { default_s: 15 * MINUTE, custom: { min_s: 15 * MINUTE, max_s: DAY } },
    checks: WALLET_CHECKS,
    refund: { partial: true, direct: 'unknown', window_days: 45 },
    limit: { min: rupiah(1), max: rupiah(20_000_000) },
  },
  bank_transfer: {
    ...PLAIN,
    required: ['bank'],
    optional: ['va_number', 'custom_expiry'],
    banks: VA_BANKS,
    expiry: LONG_EXPIRY,
    checks: SLOW_CHECKS,
    refund: null,
    limit: { min: rupiah(1), max: null },
  },
  echannel: {
    ...PLAIN,
    optional: ['custom_expiry'],
    expiry: LONG_EXPIRY,
    checks: SLOW_CHECKS,
    refund: null,
    limit: { min: rupiah(1), max: rupiah(50_000_000_000) },
  },
  cstore: {
    ...PLAIN,
    required: ['store'],
    optional: ['custom_expiry'],
    stores: STORES,
    expiry: LONG_EXPIRY,
    checks: SLOW_CHECKS,
    refund: null,
    limit: { min: rupiah(1), max: rupiah(5_000_000) },
  },
  akulaku: {
    ...PLAIN,
    required: ['item_details', 'customer_details'],
    optional: ['custom_expiry'],
    expiry: { default_s: 2 * HOUR, custom: { min_s: 20, max_s: 180 * DAY } },
    checks: SLOW_CHECKS,
    refund: { partial: true, direct: 'yes', window_days: 180 },
    limit: { min: rupiah(5_000), max: null },
  },
  kredivo: {
    ...PLAIN,
    required: ['item_details', 'customer_details'],
    optional: ['custom_expiry'],
    expiry: LONG_EXPIRY,
    checks: SLOW_CHECKS,
    refund: { partial: true, direct: 'yes', window_days: 14 },
    limit: { min: rupiah(1), max: null },
  },
}

/** Where a bank, store or acquirer differs from its payment type's row. */
export const LIMITS: Readonly<Record<string, AmountLimit>> = {
  'bank_transfer:bca': { min: rupiah(10_000), max: rupiah(20_000_000_000) },
  'bank_transfer:bri': { min: rupiah(1), max: rupiah(20_000_000_000) },
  'bank_transfer:permata': { min: rupiah(1), max: rupiah(9_999_999_999) },
  'bank_transfer:cimb': { min: rupiah(1), max: rupiah(250_000_000) },
  'cstore:indomaret': { min: rupiah(10_000), max: rupiah(5_000_000) },
}

/**
 * Days a refund is promised for where the way of paying differs from its type's row
 * (gateway-protocol.md#refunds).
 */
export const REFUND_WINDOW_DAYS: Readonly<Record<string, number>> = {
  'gopay:tokenized': 180,
  'qris:airpay': 365,
  'qris:airpay shopee': 365,
  'qris:off-us': 7,
}
