// What the charge of every payment type has in common: request body and reply.
import { Type, type TProperties } from 'typebox'
import { free, list, optional, text, textual } from './shape.ts'

// Request shapes are closed, because the gateway silently drops fields that it does not know.
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
export const maybe = Type.Optional
export const wholeRupiah = Type.Integer()

const address = closed({
  first_name: maybe(text),
  last_name: maybe(text),
  email: maybe(text),
  phone: maybe(text),
  address: maybe(text),
  city: maybe(text),
  postal_code: maybe(Type.Union([text, Type.Integer()])),
  country_code: maybe(text),
})

const item = closed({
  id: maybe(text),
  name: text,
  /** Negative for discounts. */
  price: wholeRupiah,
  quantity: Type.Integer({ minimum: 1 }),
  brand: maybe(text),
  category: maybe(text),
  merchant_name: maybe(text),
  url: maybe(text),
  tenor: maybe(text),
})

/** What a charge of any payment type may carry (gateway-protocol.md#charge-request). */
export const envelope = {
  transaction_details: closed({
    order_id: text,
    gross_amount: Type.Integer({ minimum: 1 }),
    currency: maybe(text),
  }),
  item_details: maybe(Type.Array(item)),
  customer_details: maybe(
    closed({
      first_name: maybe(text),
      last_name: maybe(text),
      email: maybe(text),
      phone: maybe(text),
      billing_address: maybe(address),
      shipping_address: maybe(address),
    }),
  ),
  custom_expiry: maybe(
    closed({
      order_time: maybe(text),
      expiry_duration: Type.Integer({ minimum: 1 }),
      unit: maybe(Type.Enum(['second', 'minute', 'hour', 'day'])),
    }),
  ),
  custom_field1: maybe(text),
  custom_field2: maybe(text),
  custom_field3: maybe(text),
  metadata: maybe(Type.Record(Type.String(), Type.Unknown())),
  payment_provider_metadata: maybe(Type.Record(Type.String(), Type.Unknown())),
  seller_details: maybe(
    Type.Array(
      closed({
        id: maybe(text),
        name: maybe(text),
        email: maybe(text),
        url: maybe(text),
        address: maybe(address),
      }),
    ),
  ),
}

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

/** What every v2 answer about a transaction and every payment notification may carry. */
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
  // QRIS samples use this spelling.
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

export const status_code = textual

/** The fields that decide a payment's state and money. Everything else is detail. */
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
