// What each payment type adds to a charge's body and to its reply: one row each
// (gateway-protocol.md#payment-types, gateway-protocol.md#payment-notifications). The parsers of
// both and the body that is sent are built from it.
import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { PAYMENT_TYPES, QRIS_ACQUIRERS, type PaymentType } from '../../domain/payment_type.ts'
import type { TypeInputs } from '../../domain/payment_type_row.ts'
import {
  action,
  closed,
  common,
  CORE,
  envelope,
  maybe,
  status_code,
  wholeRupiah,
} from './envelope.ts'
import {
  flag,
  list,
  optional,
  parserOf,
  strictParserOf,
  text,
  textual,
  type Parse,
} from './shape.ts'

interface Row<Sent extends TProperties, Reply extends TProperties> {
  /** Closed: what else the gateway takes for this type. */
  request: Sent
  /** That part of the body, from the inputs of a charge. */
  details: (inputs: TypeInputs) => Static<TObject<Sent>>
  /** Open: what the reply and every later report may carry besides the common fields. */
  reply: Reply
}

const row = <T extends PaymentType, Sent extends TProperties, Reply extends TProperties>(
  payment_type: T,
  { request, details, reply }: Row<Sent, Reply>,
) => ({
  parseRequest: strictParserOf(
    closed({ payment_type: Type.Literal(payment_type), ...envelope, ...request }),
  ),
  details: (inputs: TypeInputs) => ({ payment_type, ...details(inputs) }),
  parseReply: parserOf(Type.Object({ status_code, ...common, ...reply }), CORE),
  reply_fields: reply,
})

const bilingual = Type.Array(closed({ id: text, en: text }))
const callback = maybe(closed({ callback_url: maybe(text) }))
const callbackOf = ({ callback_url }: TypeInputs) =>
  callback_url === undefined ? {} : { callback_url }

const channel = {
  approval_code: optional(text),
  channel_response_code: optional(text),
  channel_response_message: optional(text),
}
const wallet = { ...channel, actions: list(action) }
const shopeepay = { shopeepay_reference_number: optional(text), reference_id: optional(text) }
const paylater = { ...channel, redirect_url: optional(text) }

export const PAYMENT_TYPE_WIRE = {
  credit_card: row('credit_card', {
    request: {
      credit_card: closed({
        token_id: text,
        authentication: maybe(flag),
        callback_type: maybe(Type.Enum(['js_event', 'form'])),
        bank: maybe(text),
        channel: maybe(text),
        installment_term: maybe(Type.Integer()),
        bins: maybe(Type.Array(text)),
        type: maybe(Type.Enum(['authorize', 'authorize_capture'])),
        save_token_id: maybe(flag),
        initiated_by: maybe(Type.Enum(['customer', 'merchant'])),
        point_redeem_amount: maybe(wholeRupiah),
      }),
    },
    details: (inputs) => ({
      credit_card: {
        token_id: inputs.token_id ?? '',
        authentication: inputs.authentication ?? true,
        ...(inputs.capture === false && { type: 'authorize' as const }),
        ...(inputs.bank !== undefined && { bank: inputs.bank }),
        ...(inputs.save_token_id !== undefined && { save_token_id: inputs.save_token_id }),
        ...(inputs.installment_term !== undefined && { installment_term: inputs.installment_term }),
      },
    }),
    reply: {
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
  }),
  bank_transfer: row('bank_transfer', {
    request: {
      bank_transfer: closed({
        bank: text,
        va_number: maybe(text),
        free_text: maybe(closed({ inquiry: maybe(bilingual), payment: maybe(bilingual) })),
        bca: maybe(closed({ sub_company_code: maybe(text) })),
        permata: maybe(closed({ recipient_name: maybe(text) })),
      }),
    },
    details: ({ bank = '', va_number }) => ({
      bank_transfer: { bank, ...(va_number !== undefined && { va_number }) },
    }),
    reply: {
      va_numbers: list(Type.Object({ bank: text, va_number: text })),
      permata_va_number: optional(text),
      payment_amounts: list(Type.Object({ paid_at: optional(text), amount: optional(textual) })),
    },
  }),
  echannel: row('echannel', {
    request: {
      echannel: closed({
        bill_info1: text,
        bill_info2: text,
        bill_info3: maybe(text),
        bill_info4: maybe(text),
        bill_info5: maybe(text),
        bill_info6: maybe(text),
        bill_info7: maybe(text),
        bill_info8: maybe(text),
        bill_key: maybe(text),
      }),
    },
    // What the payer's bank shows for a Mandiri bill.
    details: () => ({ echannel: { bill_info1: 'Payment:', bill_info2: 'Online purchase' } }),
    reply: { bill_key: optional(text), biller_code: optional(text) },
  }),
  gopay: row('gopay', {
    request: {
      gopay: maybe(
        closed({
          enable_callback: maybe(flag),
          callback_url: maybe(text),
          account_id: maybe(text),
          payment_option_token: maybe(text),
          pre_auth: maybe(flag),
          recurring: maybe(flag),
          promotion_ids: maybe(Type.Array(text)),
        }),
      ),
    },
    details: (inputs) => ({
      gopay: {
        ...(inputs.callback_url !== undefined && { enable_callback: true, ...callbackOf(inputs) }),
        ...inputs.gopay,
      },
    }),
    reply: { ...wallet, payment_option_type: optional(text) },
  }),
  qris: row('qris', {
    request: { qris: maybe(closed({ acquirer: maybe(text) })) },
    details: ({ qris_acquirer = QRIS_ACQUIRERS[0] }) => ({ qris: { acquirer: qris_acquirer } }),
    reply: {
      ...shopeepay,
      actions: list(action),
      qr_string: optional(text),
      acquirer: optional(text),
      issuer: optional(text),
      transaction_type: optional(text),
      merchant_cross_reference_id: optional(text),
    },
  }),
  shopeepay: row('shopeepay', {
    request: { shopeepay: callback },
    details: (inputs) => ({ shopeepay: callbackOf(inputs) }),
    reply: { ...wallet, ...shopeepay },
  }),
  ovo: row('ovo', {
    request: { ovo: closed({ payer_phone_number: text }) },
    details: ({ payer_phone_number = '' }) => ({ ovo: { payer_phone_number } }),
    reply: { payer_phone_number: optional(text), merchant_invoice: optional(text) },
  }),
  dana: row('dana', {
    request: { dana: callback },
    details: (inputs) => ({ dana: callbackOf(inputs) }),
    reply: { ...wallet, redirect_url: optional(text) },
  }),
  cstore: row('cstore', {
    request: {
      cstore: closed({
        store: text,
        message: maybe(text),
        alfamart_free_text_1: maybe(text),
        alfamart_free_text_2: maybe(text),
        alfamart_free_text_3: maybe(text),
      }),
    },
    details: ({ store = '' }) => ({ cstore: { store } }),
    reply: { approval_code: optional(text), payment_code: optional(text), store: optional(text) },
  }),
  akulaku: row('akulaku', { request: {}, details: () => ({}), reply: paylater }),
  kredivo: row('kredivo', { request: {}, details: () => ({}), reply: paylater }),
} satisfies Record<PaymentType, object>

type Wire = typeof PAYMENT_TYPE_WIRE

/** The body of `POST /v2/charge`. */
export type ChargeRequest<T extends PaymentType = PaymentType> = NonNullable<
  ReturnType<Wire[T]['parseRequest']>
>

/** The answer to a charge of payment type T. */
export type ChargeReply<T extends PaymentType = PaymentType> = NonNullable<
  ReturnType<Wire[T]['parseReply']>
>

type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** The fields that any type adds, for a report whose type is not known beforehand. */
function everyReplyField(): AllOf<Wire[PaymentType]['reply_fields']>
function everyReplyField(): object {
  const fields = PAYMENT_TYPES.map((type) => PAYMENT_TYPE_WIRE[type].reply_fields)
  return Object.fromEntries(fields.flatMap((one) => Object.entries(one)))
}

export const REPLY_FIELDS = everyReplyField()

const parsers = new Map<unknown, Parse<ChargeRequest>>(
  PAYMENT_TYPES.map((type) => [type, PAYMENT_TYPE_WIRE[type].parseRequest]),
)

/** A charge body whose fields the gateway all knows, or undefined. */
export const parseChargeRequest = (
  payload: Readonly<Record<string, unknown>>,
): ChargeRequest | undefined => parsers.get(payload['payment_type'])?.(payload)

export const isChargeRequest = (payload: ChargeRequest): boolean =>
  parsers.get(payload.payment_type)?.(payload) !== undefined
