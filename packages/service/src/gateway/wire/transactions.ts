import { Type, type Static } from 'typebox'
import type { PaymentType } from '../../domain/payment_type.ts'
import { common, CORE, status_code } from './envelope.ts'
import { PAYMENT_TYPE_WIRE, REPLY_FIELDS, type ChargeReply } from './payment_types.ts'
import { list, optional, parserOf, text, type Parse } from './shape.ts'

export type { ChargeReply } from './payment_types.ts'

/** An answer about a transaction whose type is not known beforehand: all details are optional. */
export const transaction = Type.Object({
  status_code,
  ...common,
  ...REPLY_FIELDS,
  // Set if a payment link or a recurring charge made the transaction.
  payment_link_id: optional(text),
  subscription_id: optional(text),
})

export type TransactionReply = Static<typeof transaction>

export const parseTransaction = parserOf(transaction, CORE)

const chargeParsers: { [T in PaymentType]: { parseReply: Parse<ChargeReply<T>> } } =
  PAYMENT_TYPE_WIRE

/**
 * The parser for the answer to a charge of this order. A replayed idempotency key returns the
 * stored answer whatever is sent, so an answer about another order, or without a state, is not
 * accepted.
 */
export function chargeReplyParser<T extends PaymentType>(
  type: T,
  order_id: string,
): Parse<ChargeReply<T>> {
  const parse: Parse<ChargeReply<T>> = chargeParsers[type].parseReply
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
