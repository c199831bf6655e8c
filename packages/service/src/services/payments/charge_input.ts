import { Type, type Static, type TProperties } from 'typebox'
import type { ExpiryUnit } from '../../domain/charge_rules.ts'
import { PAYMENT_TYPES, QRIS_ACQUIRERS } from '../../domain/payment_type.ts'

// The body of `POST /charge/` (api-rules.md#charge-input). Closed: a field we do not know is a
// mistake that would otherwise be found only when the money does not come.
const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const maybe = Type.Optional
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** Whole rupiah as a number, or as a decimal string (api-rules.md#amounts). */
const amount = Type.Union([Type.Number(), Type.String({ maxLength: 20 })])

export const ITEMS_MAX = 200

const address = closed({
  first_name: maybe(text(255)),
  last_name: maybe(text(255)),
  email: maybe(text(255)),
  phone: maybe(text(255)),
  address: maybe(text(255)),
  city: maybe(text(255)),
  postal_code: maybe(text(255)),
  country_code: maybe(text(10)),
})

const customer = closed({
  first_name: maybe(text(255)),
  last_name: maybe(text(255)),
  email: maybe(text(255)),
  phone: maybe(text(255)),
  billing_address: maybe(address),
  shipping_address: maybe(address),
})

const item = closed({
  id: maybe(text(50)),
  name: text(50),
  price: amount,
  quantity: maybe(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  brand: maybe(text(50)),
  category: maybe(text(50)),
  merchant_name: maybe(text(50)),
  url: maybe(text(500)),
})

const expiry = closed({
  expiry_duration: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
  unit: maybe(Type.Enum(['second', 'minute', 'hour', 'day'] satisfies ExpiryUnit[])),
  order_time: maybe(Type.String({ maxLength: 50 })),
})

export const CHARGE_INPUT = closed({
  payment_type: Type.Enum([...PAYMENT_TYPES]),
  gross_amount: amount,
  order_id: maybe(text(50)),
  bank: maybe(text(20)),
  token_id: maybe(text(255)),
  callback_url: maybe(text(500)),
  store: maybe(text(20)),
  qris_acquirer: maybe(Type.Enum([...QRIS_ACQUIRERS])),
  capture: maybe(Type.Boolean()),
  authentication: maybe(Type.Boolean()),
  save_token_id: maybe(Type.Boolean()),
  installment_term: maybe(Type.Integer({ minimum: 1, maximum: 60 })),
  payer_phone_number: maybe(text(30)),
  va_number: maybe(Type.String({ pattern: '^[0-9]{1,18}$' })),
  gopay: maybe(
    closed({
      account_id: maybe(text(255)),
      payment_option_token: maybe(text(1_000)),
      pre_auth: maybe(Type.Boolean()),
    }),
  ),
  customer_details: maybe(customer),
  item_details: maybe(Type.Array(item, { maxItems: ITEMS_MAX })),
  custom_expiry: maybe(expiry),
  metadata: maybe(Type.Record(Type.String(), Type.Unknown())),
  custom_fields: maybe(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 3 })),
})

export type ChargeInput = Static<typeof CHARGE_INPUT>
