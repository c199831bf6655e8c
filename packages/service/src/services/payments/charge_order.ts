import { Type, type Static, type TProperties } from 'typebox'
import {
  type ExpiryUnit,
  expiryFault,
  inputFaults,
  type FieldFault,
} from '../../domain/charge_rules.ts'
import { parseMoney, sumMoney, toWholeRupiah, type Money } from '../../domain/money.ts'
import { isOrderId } from '../../domain/order_id.ts'
import { PAYMENT_TYPES, QRIS_ACQUIRERS, requiresInput } from '../../domain/payment_type.ts'
import { parseGatewayTime } from '../../domain/time.ts'
import { secretFaults, refuseFaults, requestParser } from '../validation.ts'

// The body of `POST /charge/` (api-rules.md#charge-input). Closed: a field we do not know is a
// mistake that would otherwise be found only when the money does not come.
const closed = <P extends TProperties>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description && { description }) })
const maybe = Type.Optional
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })
const yesOrNo = (description: string) => Type.Boolean({ description })

/** Whole rupiah as a number, or as a decimal string (api-rules.md#amounts). */
const rupiah = (description: string) =>
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

export const CUSTOMER = closed(customer, 'Who pays.')

/** What is ordered, as charges and checkouts take it. */
export const ORDER_ITEM = closed({
  id: maybe(text(50, 'Your own id of the item.')),
  name: text(50, 'The name of the item, as the payer sees it.'),
  price: rupiah('The price of one in whole rupiah.'),
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

const EXPIRY = {
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

const GOPAY = {
  account_id: maybe(text(255, "The gateway's id of the linked GoPay account.")),
  payment_option_token: maybe(text(1_000, 'The payment option of the linked GoPay account.')),
  pre_auth: maybe(yesOrNo('Whether the amount is reserved only, to be captured later.')),
}

export const CHARGE_INPUT = closed({
  payment_type: Type.Enum([...PAYMENT_TYPES], { description: 'The payment method.' }),
  gross_amount: rupiah('The amount to charge in whole rupiah.'),
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
  save_token_id: maybe(
    yesOrNo(
      'Whether the gateway keeps the card for later charges and subscriptions: see `saved_token_id` of the reply.',
    ),
  ),
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
  gopay: maybe(closed(GOPAY, 'Only for `gopay`: a linked account, or an authorization.')),
  customer_details: maybe(CUSTOMER),
  item_details: maybe(
    Type.Array(ORDER_ITEM, {
      maxItems: ITEMS_MAX,
      description: 'What is ordered; the sum must be the gross amount.',
    }),
  ),
  custom_expiry: maybe(closed(EXPIRY, 'How long the payer has to pay.')),
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

/** The input with every field that some payment type takes. */
export type ChargeFields = Static<typeof CHARGE_INPUT>

export interface OrderItem {
  id?: string
  name: string
  price: Money
  quantity: number
  brand?: string
  category?: string
  merchant_name?: string
  url?: string
}

/** A charge that passed every check that needs no gateway. */
export interface ChargeOrder extends Omit<
  ChargeFields,
  'gross_amount' | 'item_details' | 'custom_expiry'
> {
  gross_amount: Money
  item_details: readonly OrderItem[]
  custom_expiry: { expiry_duration: number; unit: ExpiryUnit; order_time?: string } | null
}

export const METADATA_BYTES_MAX = 4_096

/** The field that may hold a secret: it goes to the gateway and is never stored. */
const SECRET_INPUTS = ['token_id', 'gopay.payment_option_token']

const parseCharge = requestParser(CHARGE_INPUT)

/** Turns a request into a charge, or throws `invalid_request` with every fault. Writes nothing. */
export function parseChargeOrder(input: unknown): ChargeOrder {
  const charge = withPayerPhone(parseCharge(input))
  const gross_amount = parseMoney(charge.gross_amount)
  const items = (charge.item_details ?? []).map(({ price, quantity, ...item }) => ({
    ...item,
    price: parseMoney(price),
    quantity: quantity ?? 1,
  }))
  const expiry = charge.custom_expiry ?? null
  const custom_expiry = expiry && { ...expiry, unit: expiry.unit ?? 'minute' }
  const given = new Set(Object.keys(charge))
  const { payment_type, bank, store } = charge
  refuseFaults([
    ...inputFaults({ payment_type, given, ...(bank && { bank }), ...(store && { store }) }),
    ...amountFaults('gross_amount', gross_amount, 1n),
    ...items.flatMap(({ price }, index) => amountFaults(`item_details.${index}.price`, price)),
    ...sumFaults(gross_amount, items),
    ...(given.has('custom_expiry') && custom_expiry ? expiryFaults(charge, custom_expiry) : []),
    ...orderFaults(charge),
    ...secretFaults(charge, SECRET_INPUTS),
  ])
  return {
    ...charge,
    gross_amount: gross_amount ?? 0n,
    item_details: items.map((item) => ({ ...item, price: item.price ?? 0n })),
    custom_expiry,
  }
}

/** OVO asks the payer's phone; by default it is the customer's (api-rules.md#charge-input). */
function withPayerPhone(charge: ChargeFields): ChargeFields {
  const phone = charge.customer_details?.phone
  if (!requiresInput(charge, 'payer_phone_number') || charge.payer_phone_number !== undefined)
    return charge
  return phone === undefined ? charge : { ...charge, payer_phone_number: phone }
}

export function amountFaults(field: string, amount: Money | undefined, min?: Money): FieldFault[] {
  if (amount === undefined)
    return [{ field, message: 'must be an amount with at most two decimals' }]
  if (toWholeRupiah(amount) === undefined)
    return [{ field, message: 'must be a whole number of rupiah' }]
  return min !== undefined && amount < min ? [{ field, message: 'must be more than zero' }] : []
}

function sumFaults(
  gross: Money | undefined,
  items: readonly { price: Money | undefined; quantity: number }[],
): FieldFault[] {
  if (items.length === 0 || gross === undefined) return []
  const sum = sumMoney(items.map(({ price = 0n, quantity }) => price * BigInt(quantity)))
  return sum === gross ? [] : [{ field: 'item_details', message: 'must add up to gross_amount' }]
}

function expiryFaults(
  charge: ChargeFields,
  expiry: { expiry_duration: number; unit: ExpiryUnit; order_time?: string },
): FieldFault[] {
  const fault = expiryFault(charge.payment_type, expiry, charge.qris_acquirer)
  const { order_time } = expiry
  const field = 'custom_expiry.order_time'
  const timed = order_time === undefined || parseGatewayTime(order_time) !== undefined
  return [
    ...(fault ? [fault] : []),
    ...(timed ? [] : [{ field, message: 'must be a valid timestamp' }]),
  ]
}

function orderFaults({ order_id, metadata, gopay }: ChargeFields): FieldFault[] {
  const faults: FieldFault[] = []
  if (order_id !== undefined && !isOrderId(order_id)) {
    faults.push({
      field: 'order_id',
      message: 'must be at most 50 characters of A–Z a–z 0–9 - _ ~ .',
    })
  }
  if (metadata !== undefined && JSON.stringify(metadata).length > METADATA_BYTES_MAX) {
    faults.push({ field: 'metadata', message: `must be at most ${METADATA_BYTES_MAX} bytes` })
  }
  if (gopay?.account_id !== undefined && gopay.payment_option_token === undefined) {
    faults.push({ field: 'gopay.payment_option_token', message: 'is required with account_id' })
  }
  return faults
}
