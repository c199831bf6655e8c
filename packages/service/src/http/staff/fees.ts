// The rate card of the fees that the gateway is expected to charge (ADR 0034).
import { FEE_BEARERS, FEE_ROUNDINGS, RATE_ORIGINS } from '../../domain/fees.ts'
import { PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { RATE_INPUT, readRates, setRate } from '../../services/fees/fee_rates.ts'
import { route } from '../platform/route.ts'
import {
  count,
  day,
  listOf,
  money,
  named,
  oneOf,
  text,
  textOrNull,
  time,
  titled,
  uuid,
} from '../platform/schema.ts'

const RATE = named('FeeRate', {
  id: uuid('The id of the rate.'),
  payment_type: oneOf(PAYMENT_TYPES, 'The payment method.'),
  channel: textOrNull('The bank or store; null: all that have no rate of their own.'),
  valid_from: day('The first day in Jakarta on which it holds.'),
  percent: text('Of the amount, in percent.'),
  fixed_amount: money('For each payment, in rupiah with two decimals.'),
  vat_percent: text('Of the fee, in percent.'),
  borne_by: oneOf(FEE_BEARERS, 'Who pays the fee; a fee of the payer costs the merchant nothing.'),
  origin: oneOf(
    RATE_ORIGINS,
    "Where it is from: the gateway's pages, other pages, or set by the merchant.",
  ),
  note: text('A remark about where it is from.'),
  updated_at: time('When it was set.'),
  updated_by: text('The staff member who set it.'),
})

const RATES = named('FeeRates', {
  rounding: oneOf(FEE_ROUNDINGS, 'How fee and VAT are rounded, each for itself.'),
  rates: listOf(RATE, 'The rates, by method and bank, the latest first.'),
})

export const METHOD_COSTS = listOf(
  named('MethodCosts', {
    payment_type: oneOf(PAYMENT_TYPES, 'The payment method.'),
    count: count('How many payments were paid and not reversed.'),
    amount: money('Their sum, in rupiah with two decimals.'),
    expected_fee: money('The expected fees, rounded once for each rate.'),
    expected_vat: money('The VAT on them.'),
    unrated: count('For how many of them no rate is known; they are left out of the fees.'),
  }),
  'What the payments are expected to cost, by payment method, the dearest first.',
)

export const fees = {
  listFeeRates: route({
    method: 'GET',
    path: '/staff/fees/rates/',
    operation: 'list_staff_fee_rates',
    summary: 'Read the rate card of the fees that the gateway is expected to charge',
    access: 'staff',
    scope: 'staff:read',
    reply: RATES,
    run: async (ctx, { request }) => await readRates(ctx, request.caller),
  }),

  setFeeRate: route({
    method: 'POST',
    path: '/staff/fees/rates/',
    operation: 'set_staff_fee_rate',
    summary: 'Set the expected fee of a payment method, bank or store from a day on',
    access: 'staff',
    scope: 'staff:act',
    input: titled('FeeRateInput', RATE_INPUT),
    reply: RATE,
    errors: ['invalid_request'],
    repeat: 'a rate of the same method, bank and day is replaced.',
    run: async (ctx, { request, input }) => await setRate(ctx, request.caller, input),
  }),
}
