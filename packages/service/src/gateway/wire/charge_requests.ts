import { Type, type Static, type TProperties } from 'typebox'
import { PAYMENT_TYPES, type PaymentType } from '../../domain/payment_type.ts'
import { strictParserOf, type Parse } from './shape.ts'

// What we send is ours to get right, so these shapes are closed: a field the gateway does not
// know would be dropped by it in silence.
const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const maybe = Type.Optional
const text = Type.String()

const wholeRupiah = Type.Integer()

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

const envelope = {
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

const bilingual = Type.Array(closed({ id: text, en: text }))

const credit_card = closed({
  token_id: text,
  authentication: maybe(Type.Boolean()),
  callback_type: maybe(Type.Enum(['js_event', 'form'])),
  bank: maybe(text),
  channel: maybe(text),
  installment_term: maybe(Type.Integer()),
  bins: maybe(Type.Array(text)),
  type: maybe(Type.Enum(['authorize', 'authorize_capture'])),
  save_token_id: maybe(Type.Boolean()),
  initiated_by: maybe(Type.Enum(['customer', 'merchant'])),
  point_redeem_amount: maybe(wholeRupiah),
})

const bank_transfer = closed({
  bank: text,
  va_number: maybe(text),
  free_text: maybe(closed({ inquiry: maybe(bilingual), payment: maybe(bilingual) })),
  bca: maybe(closed({ sub_company_code: maybe(text) })),
  permata: maybe(closed({ recipient_name: maybe(text) })),
})

const echannel = closed({
  bill_info1: text,
  bill_info2: text,
  bill_info3: maybe(text),
  bill_info4: maybe(text),
  bill_info5: maybe(text),
  bill_info6: maybe(text),
  bill_info7: maybe(text),
  bill_info8: maybe(text),
  bill_key: maybe(text),
})

const gopay = closed({
  enable_callback: maybe(Type.Boolean()),
  callback_url: maybe(text),
  account_id: maybe(text),
  payment_option_token: maybe(text),
  pre_auth: maybe(Type.Boolean()),
  recurring: maybe(Type.Boolean()),
  promotion_ids: maybe(Type.Array(text)),
})

const cstore = closed({
  store: text,
  message: maybe(text),
  alfamart_free_text_1: maybe(text),
  alfamart_free_text_2: maybe(text),
  alfamart_free_text_3: maybe(text),
})

const callback = closed({ callback_url: maybe(text) })

const of = <T extends PaymentType, P extends TProperties>(payment_type: T, details: P) =>
  closed({ payment_type: Type.Literal(payment_type), ...envelope, ...details })

/** The body of `POST /v2/charge` for each payment type (gateway-protocol.md#charge-request). */
const CHARGE_REQUESTS = {
  credit_card: of('credit_card', { credit_card }),
  bank_transfer: of('bank_transfer', { bank_transfer }),
  echannel: of('echannel', { echannel }),
  gopay: of('gopay', { gopay: maybe(gopay) }),
  qris: of('qris', { qris: maybe(closed({ acquirer: maybe(text) })) }),
  shopeepay: of('shopeepay', { shopeepay: maybe(callback) }),
  ovo: of('ovo', { ovo: closed({ payer_phone_number: text }) }),
  dana: of('dana', { dana: maybe(callback) }),
  cstore: of('cstore', { cstore }),
  akulaku: of('akulaku', {}),
  kredivo: of('kredivo', {}),
}

export type ChargeRequest<T extends PaymentType = PaymentType> = Static<(typeof CHARGE_REQUESTS)[T]>

const parsers = new Map<unknown, Parse<ChargeRequest>>(
  PAYMENT_TYPES.map((type) => [type, strictParserOf(CHARGE_REQUESTS[type])]),
)

/** A charge body the gateway knows every field of, or nothing. */
export const parseChargeRequest = (
  payload: Readonly<Record<string, unknown>>,
): ChargeRequest | undefined => parsers.get(payload['payment_type'])?.(payload)

export const isChargeRequest = (payload: ChargeRequest): boolean =>
  parsers.get(payload.payment_type)?.(payload) !== undefined
