import { Type, type Static } from 'typebox'
import { parserOf, strictParserOf, text } from './shape.ts'

const maybe = Type.Optional

const person = {
  first_name: maybe(text),
  last_name: maybe(text),
  email: maybe(text),
  phone: maybe(text),
}

const address = Type.Object({
  ...person,
  address: maybe(text),
  city: maybe(text),
  postal_code: maybe(text),
  country_code: maybe(text),
})

const duration = Type.Object({ duration: Type.Integer(), unit: Type.Literal('minute') })

const request = Type.Object({
  transaction_details: Type.Object({ order_id: text, gross_amount: Type.Number() }),
  item_details: maybe(
    Type.Array(
      Type.Object({
        id: maybe(text),
        name: text,
        price: Type.Number(),
        quantity: Type.Number(),
        brand: maybe(text),
        category: maybe(text),
        merchant_name: maybe(text),
        url: maybe(text),
      }),
    ),
  ),
  customer_details: maybe(
    Type.Object({
      ...person,
      billing_address: maybe(address),
      shipping_address: maybe(address),
    }),
  ),
  enabled_payments: Type.Array(text),
  credit_card: Type.Object({ secure: Type.Literal(true) }),
  page_expiry: duration,
  expiry: maybe(duration),
  callbacks: maybe(Type.Object({ finish: text })),
  metadata: Type.Record(Type.String(), Type.Unknown()),
})

export type CheckoutRequest = Static<typeof request>

/** The stored part of the request, which is read back and sent again unchanged. */
export const parseCheckoutRequest = strictParserOf(request)

const TOKEN_LENGTH_MAX = 255
const URL_LENGTH_MAX = 2_000

const reply = Type.Object({
  token: Type.String({ minLength: 1, maxLength: TOKEN_LENGTH_MAX }),
  redirect_url: Type.String({ pattern: '^https?://', maxLength: URL_LENGTH_MAX }),
})

export type CheckoutPageReply = Static<typeof reply>

export const parseCheckoutPage = parserOf(reply)

/** The answer to a cancellation; only its being a success counts. */
export const parseCheckoutCancel = parserOf(Type.Object({}))
