import { Type, type Static } from 'typebox'
import type { PaymentType } from '../../domain/payment_type.ts'
import { flag, free, list, optional, parserOf, text, textual, type Parse } from './shape.ts'

export const action = Type.Object({
  name: text,
  url: text,
  method: optional(text),
  fields: optional(Type.Array(Type.Unknown())),
})

const refund = Type.Object({
  refund_key: optional(text),
  refund_amount: optional(textual),
  refund_chargeback_id: optional(textual),
  refund_chargeback_uuid: optional(text),
  refund_method: optional(text),
  reason: optional(text),
  created_at: optional(text),
  bank_confirmed_at: optional(text),
})

/** What every v2 answer about a transaction may carry, and every payment notification. */
export const common = {
  status_message: optional(text),
  transaction_id: optional(text),
  order_id: optional(text),
  merchant_id: optional(text),
  gross_amount: optional(textual),
  currency: optional(text),
  payment_type: optional(text),
  transaction_time: optional(text),
  transaction_status: optional(text),
  fraud_status: optional(text),
  settlement_time: optional(text),
  expiry_time: optional(text),
  // QRIS samples spell it so.
  expire_time: optional(text),
  signature_key: optional(text),
  custom_field1: optional(text),
  custom_field2: optional(text),
  custom_field3: optional(text),
  metadata: free,
  refund_amount: optional(textual),
  refund_key: optional(text),
  refund_chargeback_id: optional(textual),
  refund_chargeback_uuid: optional(text),
  refunds: list(refund),
  validation_messages: list(text),
  id: optional(text),
}

const channel = {
  approval_code: optional(text),
  channel_response_code: optional(text),
  channel_response_message: optional(text),
}

/**
 * What each payment type adds (gateway-protocol.md#payment-types,
 * gateway-protocol.md#payment-notifications).
 */
const DETAILS = {
  credit_card: {
    ...channel,
    masked_card: optional(text),
    bank: optional(text),
    eci: optional(text),
    card_type: optional(text),
    channel: optional(text),
    redirect_url: optional(text),
    three_ds_version: optional(text),
    challenge_completion: optional(flag),
    three_ds_challenge_completion: optional(flag),
    on_us: optional(flag),
    installment_term: optional(textual),
    saved_token_id: optional(text),
    saved_token_id_expired_at: optional(text),
    point_balance_amount: optional(textual),
    point_redeem_amount: optional(textual),
    point_redeem_quantity: optional(textual),
  },
  bank_transfer: {
    va_numbers: list(Type.Object({ bank: text, va_number: text })),
    permata_va_number: optional(text),
    payment_amounts: list(Type.Object({ paid_at: optional(text), amount: optional(textual) })),
  },
  echannel: { bill_key: optional(text), biller_code: optional(text) },
  gopay: { ...channel, actions: list(action), payment_option_type: optional(text) },
  qris: {
    actions: list(action),
    qr_string: optional(text),
    acquirer: optional(text),
    issuer: optional(text),
    transaction_type: optional(text),
    merchant_cross_reference_id: optional(text),
    shopeepay_reference_number: optional(text),
    reference_id: optional(text),
  },
  shopeepay: {
    ...channel,
    actions: list(action),
    shopeepay_reference_number: optional(text),
    reference_id: optional(text),
  },
  ovo: { payer_phone_number: optional(text), merchant_invoice: optional(text) },
  dana: { ...channel, actions: list(action), redirect_url: optional(text) },
  cstore: { approval_code: optional(text), payment_code: optional(text), store: optional(text) },
  akulaku: { ...channel, redirect_url: optional(text) },
  kredivo: { ...channel, redirect_url: optional(text) },
} satisfies Record<PaymentType, object>

const status_code = textual

/** An answer about a transaction whose type is not known beforehand: all of the details, optional. */
export const transaction = Type.Object({
  status_code,
  ...common,
  ...DETAILS.credit_card,
  ...DETAILS.bank_transfer,
  ...DETAILS.echannel,
  ...DETAILS.gopay,
  ...DETAILS.qris,
  ...DETAILS.ovo,
  ...DETAILS.cstore,
  // Set where a payment link or a recurring charge made the transaction.
  payment_link_id: optional(text),
  subscription_id: optional(text),
})

export type TransactionReply = Static<typeof transaction>

const CHARGE_REPLIES = {
  credit_card: Type.Object({ status_code, ...common, ...DETAILS.credit_card }),
  bank_transfer: Type.Object({ status_code, ...common, ...DETAILS.bank_transfer }),
  echannel: Type.Object({ status_code, ...common, ...DETAILS.echannel }),
  gopay: Type.Object({ status_code, ...common, ...DETAILS.gopay }),
  qris: Type.Object({ status_code, ...common, ...DETAILS.qris }),
  shopeepay: Type.Object({ status_code, ...common, ...DETAILS.shopeepay }),
  ovo: Type.Object({ status_code, ...common, ...DETAILS.ovo }),
  dana: Type.Object({ status_code, ...common, ...DETAILS.dana }),
  cstore: Type.Object({ status_code, ...common, ...DETAILS.cstore }),
  akulaku: Type.Object({ status_code, ...common, ...DETAILS.akulaku }),
  kredivo: Type.Object({ status_code, ...common, ...DETAILS.kredivo }),
}

/** The answer to a charge of payment type T. */
export type ChargeReply<T extends PaymentType = PaymentType> = Static<(typeof CHARGE_REPLIES)[T]>

/** What a payment's state and its money are decided by. Everything else is detail. */
export const CORE = [
  'status_code',
  'transaction_status',
  'fraud_status',
  'order_id',
  'transaction_id',
  'payment_type',
  'gross_amount',
  'refund_amount',
  'refund_key',
  'refunds',
  'signature_key',
] as const

export const parseTransaction = parserOf(transaction, CORE)

const chargeParsers: { [T in PaymentType]: Parse<ChargeReply<T>> } = {
  credit_card: parserOf(CHARGE_REPLIES.credit_card, CORE),
  bank_transfer: parserOf(CHARGE_REPLIES.bank_transfer, CORE),
  echannel: parserOf(CHARGE_REPLIES.echannel, CORE),
  gopay: parserOf(CHARGE_REPLIES.gopay, CORE),
  qris: parserOf(CHARGE_REPLIES.qris, CORE),
  shopeepay: parserOf(CHARGE_REPLIES.shopeepay, CORE),
  ovo: parserOf(CHARGE_REPLIES.ovo, CORE),
  dana: parserOf(CHARGE_REPLIES.dana, CORE),
  cstore: parserOf(CHARGE_REPLIES.cstore, CORE),
  akulaku: parserOf(CHARGE_REPLIES.akulaku, CORE),
  kredivo: parserOf(CHARGE_REPLIES.kredivo, CORE),
}

/**
 * The parser for the answer to a charge of this order. A replayed idempotency key gives the stored
 * answer whatever is asked, so an answer about another order, or about no state, is no answer.
 */
export function chargeReplyParser<T extends PaymentType>(
  type: T,
  order_id: string,
): Parse<ChargeReply<T>> {
  const parse: Parse<ChargeReply<T>> = chargeParsers[type]
  return (json) => {
    const reply = parse(json)
    const ours = reply?.order_id === order_id && typeof reply.transaction_status === 'string'
    return ours ? reply : undefined
  }
}

/** `get_status_b2b`: every transaction a reusable account number saw, newest first. */
export const parseB2bStatus = parserOf(
  Type.Object({
    status_code,
    status_message: optional(text),
    transactions: list(transaction),
  }),
)

export type B2bStatusReply = NonNullable<ReturnType<typeof parseB2bStatus>>
