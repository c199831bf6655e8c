import { Type, type Static, type TProperties } from 'typebox'
import type { ExpiryUnit } from '../../domain/charge_rules.ts'
import { PAYMENT_TYPES, QRIS_ACQUIRERS } from '../../domain/payment_type.ts'

// The body of `POST /charge/` (api-rules.md#charge-input). Closed: a field we do not know is a
// mistake that would otherwise be found only when the money does not come.
const closed = <P extends TProperties>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description && { description }) })
const maybe = Type.Optional
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })
const yesOrNo = (description: string) => Type.Boolean({ description })

/** Whole rupiah as a number, or as a decimal string (api-rules.md#amounts). */
const amount = (description: string) =>
  Type.Union([Type.Number(), Type.String({ maxLength: 20 })], { description })

export const ITEMS_MAX = 200

const person = {
  first_name: maybe(text(255, 'The first name.')),
  last_name: maybe(text(255, 'The last name.')),
  email: maybe(text(255, 'The email address.')),
  phone: maybe(text(255, 'The phone number.')),
}

const address = {
  ...person,
  address: maybe(text(255, 'Street and number.')),
  city: maybe(text(255, 'The city.')),
  postal_code: maybe(text(255, 'The postal code.')),
  country_code: maybe(text(10, 'The country, as the three letters of ISO 3166.')),
}

const customer = {
  ...person,
  billing_address: maybe(closed(address, 'The address of the invoice.')),
  shipping_address: maybe(closed(address, 'The address that the order is sent to.')),
}

const item = closed({
  id: maybe(text(50, 'Your own id of the item.')),
  name: text(50, 'The name of the item, as the payer sees it.'),
  price: amount('The price of one in whole rupiah.'),
  quantity: maybe(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'How many are ordered; 1 by default.',
    }),
  ),
  brand: maybe(text(50, 'The brand of the item.')),
  category: maybe(text(50, 'The category of the item.')),
  merchant_name: maybe(text(50, 'The merchant who sells the item.')),
  url: maybe(text(500, 'The page of the item in the shop.')),
})

const expiry = {
  expiry_duration: Type.Integer({
    minimum: 1,
    maximum: 100_000_000,
    description: 'How many units the payer has to pay.',
  }),
  unit: maybe(
    Type.Enum(['second', 'minute', 'hour', 'day'] satisfies ExpiryUnit[], {
      description: 'The unit of the duration; `minute` by default.',
    }),
  ),
  order_time: maybe(
    Type.String({
      maxLength: 50,
      description: 'When the time to pay begins; when the gateway takes the charge by default.',
    }),
  ),
}

const gopay = {
  account_id: maybe(text(255, "The gateway's id of the linked GoPay account.")),
  payment_option_token: maybe(text(1_000, 'The payment option of the linked GoPay account.')),
  pre_auth: maybe(yesOrNo('Whether the amount is reserved only, to be captured later.')),
}

export const CHARGE_INPUT = closed({
  payment_type: Type.Enum([...PAYMENT_TYPES], { description: 'The payment method.' }),
  gross_amount: amount('The amount to charge in whole rupiah.'),
  order_id: maybe(
    text(50, 'Your own order id, never used before; one is made where it is left out.'),
  ),
  bank: maybe(text(20, 'The bank: of the virtual account for `bank_transfer`, or of a card.')),
  token_id: maybe(text(255, 'The card token, for `credit_card`; it is never stored.')),
  callback_url: maybe(text(500, "Where the payer's app returns to after the payment.")),
  store: maybe(text(20, 'The convenience store, for `cstore`.')),
  qris_acquirer: maybe(
    Type.Enum([...QRIS_ACQUIRERS], {
      description: 'The acquirer of a QRIS payment; `gopay` by default.',
    }),
  ),
  capture: maybe(yesOrNo('Whether a card is captured at once; if not, the amount is authorized.')),
  authentication: maybe(yesOrNo('Whether the card payer goes through 3-D Secure; yes by default.')),
  save_token_id: maybe(yesOrNo('Whether the gateway keeps the card for later charges.')),
  installment_term: maybe(
    Type.Integer({ minimum: 1, maximum: 60, description: 'Over how many months a card pays.' }),
  ),
  payer_phone_number: maybe(text(30, "The phone number of the payer's OVO account.")),
  va_number: maybe(
    Type.String({
      pattern: '^[0-9]{1,18}$',
      description: 'The virtual account number you want; the gateway chooses one by default.',
    }),
  ),
  gopay: maybe(closed(gopay, 'Only for `gopay`: a linked account, or an authorization.')),
  customer_details: maybe(closed(customer, 'Who pays.')),
  item_details: maybe(
    Type.Array(item, {
      maxItems: ITEMS_MAX,
      description: 'What is ordered; the sum must be the gross amount.',
    }),
  ),
  custom_expiry: maybe(closed(expiry, 'How long the payer has to pay.')),
  metadata: maybe(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Your own data; it is stored and returned as it was given.',
    }),
  ),
  custom_fields: maybe(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 3,
      description: "Up to three texts of your own, which the gateway's reports show.",
    }),
  ),
})

export type ChargeInput = Static<typeof CHARGE_INPUT>
