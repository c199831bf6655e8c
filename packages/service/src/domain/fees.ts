// What the gateway is expected to charge for a payment (ADR 0034). An expectation: the gateway's own
// statement decides.
import type { Money } from './money.ts'
import { netAmount, type GatewayPayment } from './payment.ts'
import { hasMoney } from './payment_status.ts'
import type { PaymentType } from './payment_type.ts'
import { jakartaDay } from './time.ts'

export const FEE_BEARERS = ['merchant', 'payer'] as const
/** `documented`: of the gateway's pages; `third_party`: of other pages; `merchant`: of the contract. */
export const RATE_ORIGINS = ['documented', 'third_party', 'merchant'] as const

/** One row of the rate card. */
export interface FeeRate {
  id: string
  payment_type: PaymentType
  /** The bank or store; empty for all that have no row of their own. */
  channel: string
  /** The first day in Jakarta on which it holds. */
  valid_from: string
  /** Of the amount, in parts of a million. */
  rate_ppm: number
  fixed_amount: Money
  /** Of the fee, in parts of a million. */
  vat_ppm: number
  borne_by: (typeof FEE_BEARERS)[number]
  origin: (typeof RATE_ORIGINS)[number]
  note: string
  updated_at: Date
  updated_by: string
}

/** How fee and VAT are rounded, each for itself; no page of the gateway says. */
export const FEE_ROUNDINGS = ['half_up', 'down', 'up', 'sen'] as const

export type FeeRounding = (typeof FEE_ROUNDINGS)[number]

export const FEE_ROUNDING_DEFAULT: FeeRounding = 'half_up'

const MILLION = 1_000_000n
const RUPIAH = 100n

/** A quotient in hundredths, rounded to whole rupiah; `sen` keeps hundredths, half up. */
function rounded(numerator: bigint, denominator: bigint, rounding: FeeRounding): Money {
  const step = rounding === 'sen' ? 1n : RUPIAH
  const whole = denominator * step
  const added = rounding === 'up' ? whole - 1n : rounding === 'down' ? 0n : whole / 2n
  return ((numerator + added) / whole) * step
}

interface ExpectedFee {
  fee: Money
  vat: Money
}

/** Of an amount, or of several payments that have the same rate. */
export function feeOf(
  rate: Pick<FeeRate, 'rate_ppm' | 'fixed_amount' | 'vat_ppm' | 'borne_by'>,
  { amount, payments = 1 }: { amount: Money; payments?: number },
  rounding: FeeRounding,
): ExpectedFee {
  if (rate.borne_by === 'payer') return { fee: 0n, vat: 0n }
  const parts = amount * BigInt(rate.rate_ppm) + rate.fixed_amount * BigInt(payments) * MILLION
  const fee = rounded(parts, MILLION, rounding)
  return { fee, vat: rounded(fee * BigInt(rate.vat_ppm), MILLION, rounding) }
}

interface Rated {
  payment_type: PaymentType
  channel: string
  /** In Jakarta. */
  day: string
}

/** The rate of a bank or store goes before that of its method; the latest that holds on the day. */
export function rateOf(rates: readonly FeeRate[], wanted: Rated): FeeRate | undefined {
  const fitting = rates.filter(
    ({ payment_type, channel, valid_from }) =>
      payment_type === wanted.payment_type &&
      (channel === '' || channel === wanted.channel) &&
      valid_from <= wanted.day,
  )
  const rank = ({ channel, valid_from }: FeeRate): string =>
    `${channel === '' ? 0 : 1}${valid_from}`
  return fitting.toSorted((one, other) => (rank(one) < rank(other) ? 1 : -1))[0]
}

export type FeeFacts = Pick<
  GatewayPayment,
  | 'payment_type'
  | 'bank'
  | 'store'
  | 'transaction_status'
  | 'fraud_status'
  | 'captured_amount'
  | 'refunded_amount'
  | 'paid_at'
>

/**
 * Fee and VAT of a paid payment, and what should be paid out of it. Null if it was not paid, or no
 * rate is known. A refund leaves the fee as it is.
 */
export function expectedOf(payment: FeeFacts, rates: readonly FeeRate[], rounding: FeeRounding) {
  const { payment_type, bank, store, transaction_status, fraud_status, paid_at } = payment
  if (!hasMoney(transaction_status, fraud_status) || paid_at === null) return null
  const channel = bank ?? store ?? ''
  const rate = rateOf(rates, { payment_type, channel, day: jakartaDay(paid_at) })
  if (rate === undefined) return null
  const { fee, vat } = feeOf(rate, { amount: payment.captured_amount }, rounding)
  return { fee, vat, net: netAmount(payment) - fee - vat, rate }
}
