// The rate card: what the gateway is expected to charge (ADR 0034).
import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import {
  FEE_BEARERS,
  FEE_ROUNDING_DEFAULT,
  feeOf,
  expectedOf,
  rateOf,
  type FeeFacts,
  type FeeRate,
} from '../../domain/fees.ts'
import { formatMoney, parseMoney, type Money } from '../../domain/money.ts'
import { PAYMENT_TYPES, type PaymentType } from '../../domain/payment_type.ts'
import { jakartaDay, parseGatewayTime } from '../../domain/time.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import { listFeeRates, setFeeRate } from '../../store/ledger/fee_rates.ts'
import { newId } from '../../store/sql/values.ts'
import type { BookedByChannel, Period } from '../../store/staff/overview.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { keptTextParser, refuseFaults } from '../validation.ts'

/** Four decimals of a percentage are parts of a million. */
const PERCENT = '^(100|[0-9]{1,2})(\\.[0-9]{1,4})?$'
const percent = (description: string) =>
  Type.Optional(Type.String({ pattern: PERCENT, description, examples: ['2.9'] }))

export const RATE_INPUT = Type.Object(
  {
    payment_type: Type.Enum([...PAYMENT_TYPES], { description: 'The payment method.' }),
    channel: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9_]{1,40}$',
        description: 'Only this bank or store, as bca; all by default.',
      }),
    ),
    valid_from: Type.String({
      examples: ['2026-01-31'],
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description: 'The first day in Jakarta on which it holds, as 2026-01-31.',
    }),
    percent: percent('Of the amount, in percent with at most four decimals; 0 by default.'),
    fixed_amount: Type.Optional(
      Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
        description: 'For each payment, in rupiah; 0 by default.',
      }),
    ),
    vat_percent: percent('Of the fee, in percent; 11 by default.'),
    borne_by: Type.Optional(
      Type.Enum([...FEE_BEARERS], { description: 'Who pays the fee; the merchant by default.' }),
    ),
    reason: Type.Optional(
      Type.String({ maxLength: 255, description: 'Where the rate is from, such as the contract.' }),
    ),
  },
  { additionalProperties: false },
)

const parseRate = keptTextParser(RATE_INPUT)

const PPM_PER_PERCENT = 10_000
/** The text has at most four decimals, so the product is a whole number. */
const ppmOf = (text: string): number => Math.round(Number(text) * PPM_PER_PERCENT)
const percentOf = (ppm: number): string => String(ppm / PPM_PER_PERCENT)

const representRate = ({ rate_ppm, vat_ppm, fixed_amount, ...rate }: FeeRate) => ({
  id: rate.id,
  payment_type: rate.payment_type,
  channel: rate.channel === '' ? null : rate.channel,
  valid_from: rate.valid_from,
  percent: percentOf(rate_ppm),
  fixed_amount: formatMoney(fixed_amount),
  vat_percent: percentOf(vat_ppm),
  borne_by: rate.borne_by,
  origin: rate.origin,
  note: rate.note,
  updated_at: rate.updated_at,
  updated_by: rate.updated_by,
})

/** The rate card, and how fees are rounded. For staff. */
export async function readRates(ctx: Context, caller: Caller) {
  requireStaff(caller, 'staff:read')
  const rates = await withReadTransaction(ctx.db, listFeeRates)
  return { rounding: roundingOf(ctx), rates: rates.map(representRate) }
}

/** Sets a rate from a day on. Expectations of that day and later change with it. */
export async function setRate(ctx: Context, caller: Caller, input: unknown) {
  requireStaff(caller, 'staff:act')
  const { percent: part = '0', vat_percent = '11', fixed_amount = 0, ...rest } = parseRate(input)
  const { reason: note = '', ...given } = rest
  const fixed = parseMoney(fixed_amount) ?? -1n
  refuseFaults([
    ...(parseGatewayTime(`${given.valid_from} 00:00:00`) === undefined
      ? [{ field: 'valid_from', message: 'a day, as 2026-01-31' }]
      : []),
    ...(fixed < 0n ? [{ field: 'fixed_amount', message: 'must be an amount in rupiah' }] : []),
  ])
  const rate = {
    id: newId(),
    channel: '',
    borne_by: 'merchant',
    note,
    ...given,
    rate_ppm: ppmOf(part),
    vat_ppm: ppmOf(vat_percent),
    fixed_amount: fixed,
    origin: 'merchant',
    updated_by: caller.owner_id,
  } as const
  return await withTransaction(ctx.db, async (tx) => {
    const set = representRate(await setFeeRate(tx, rate))
    const { id: subject_id, note: _note, updated_at: _at, updated_by: _by, ...detail } = set
    const about = { subject_kind: 'fee_rate', subject_id, reason: note || null, detail }
    await recordAudit(tx, ctx, caller, { action: 'fee_rate.set', ...about })
    return set
  })
}

export const roundingOf = ({ fee_rounding }: Context) => fee_rounding ?? FEE_ROUNDING_DEFAULT

const NONE = { expected_fee: null, expected_vat: null, expected_net: null } as const

/** What a payment is expected to cost; all null if it is not paid, or no rate is known. */
export function expectedAmounts(ctx: Context, payment: FeeFacts, rates: readonly FeeRate[]) {
  const expected = expectedOf(payment, rates, roundingOf(ctx))
  if (expected === null) return NONE
  const { fee, vat, net } = expected
  return {
    expected_fee: formatMoney(fee),
    expected_vat: formatMoney(vat),
    expected_net: formatMoney(net),
  }
}

interface Cost {
  count: number
  amount: Money
  fee: Money
  vat: Money
  /** Payments of which no rate is known. */
  unrated: number
}

/** The moments within a period from which another rate of the card holds, in order. */
export const rateDaysIn = (rates: readonly FeeRate[], { from, before }: Period): Date[] =>
  [...new Set(rates.map(({ valid_from }) => valid_from))]
    .flatMap((day) => parseGatewayTime(`${day} 00:00:00`) ?? [])
    .filter((day) => day > from && day < before)
    .toSorted((one, other) => one.getTime() - other.getTime())

/** What the payments of a period are expected to cost, by method, the dearest first. */
export function costsOf(
  ctx: Context,
  rates: readonly FeeRate[],
  period: Period,
  booked: readonly BookedByChannel[],
) {
  const starts = [period.from, ...rateDaysIn(rates, period)]
  const costs = new Map<PaymentType, Cost>()
  for (const { payment_type, channel, rates_begun, count, amount } of booked) {
    const day = jakartaDay(starts[rates_begun] ?? period.from)
    const rate = rateOf(rates, { payment_type, channel, day })
    // Rounded once for all that one rate holds for: each payment has its own on its page.
    const { fee, vat } =
      rate === undefined
        ? { fee: 0n, vat: 0n }
        : feeOf(rate, { amount, payments: count }, roundingOf(ctx))
    const sum = costs.get(payment_type) ?? { count: 0, amount: 0n, fee: 0n, vat: 0n, unrated: 0 }
    costs.set(payment_type, {
      count: sum.count + count,
      amount: sum.amount + amount,
      fee: sum.fee + fee,
      vat: sum.vat + vat,
      unrated: sum.unrated + (rate === undefined ? count : 0),
    })
  }
  return [...costs]
    .toSorted(([, one], [, other]) => (one.fee < other.fee ? 1 : -1))
    .map(([payment_type, { count, amount, fee, vat, unrated }]) => ({
      payment_type,
      count,
      amount: formatMoney(amount),
      expected_fee: formatMoney(fee),
      expected_vat: formatMoney(vat),
      unrated,
    }))
}
