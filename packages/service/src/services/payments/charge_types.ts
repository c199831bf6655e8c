// The input of a charge by payment type, as types and as JSON Schema, both made of the table of
// payment types. The flat schema of `charge_order.ts` validates.
import {
  PAYMENT_TYPE,
  PAYMENT_TYPES,
  type PaymentType,
  type PaymentTypeRows,
} from '../../domain/payment_type.ts'
import { TYPE_INPUTS, type PaymentTypeRow, type TypeInput } from '../../domain/payment_type_row.ts'
import type { ChargeFields } from './charge_order.ts'

type OneOf<Values extends readonly string[]> = Values extends readonly [] ? string : Values[number]

/** The fields as one payment type takes them: its banks, its stores. */
type FieldsOf<T extends PaymentType> = Omit<ChargeFields, 'bank' | 'store'> & {
  bank?: OneOf<PaymentTypeRows[T]['banks']>
  store?: OneOf<PaymentTypeRows[T]['stores']>
}

type Phone = 'payer_phone_number'
type Needs<T extends PaymentType> = Exclude<PaymentTypeRows[T]['required'][number], Phone>
type Takes<T extends PaymentType> = PaymentTypeRows[T]['optional'][number]

/** By default the customer's phone is the payer's. */
type PhoneOf<T extends PaymentType> = Phone extends PaymentTypeRows[T]['required'][number]
  ?
      | { payer_phone_number: string }
      | { customer_details: NonNullable<ChargeFields['customer_details']> & { phone: string } }
  : unknown

/** The input of one payment type: what it needs is required, what it does not take is not there. */
export type ChargeInputOf<T extends PaymentType> = { payment_type: T } & Omit<
  ChargeFields,
  TypeInput | 'payment_type' | Needs<T>
> & { [Field in Needs<T>]: NonNullable<FieldsOf<T>[Field]> } & Pick<FieldsOf<T>, Takes<T>> &
  PhoneOf<T>

export type ChargeInput = { [T in PaymentType]: ChargeInputOf<T> }[PaymentType]

/** A queue is a table and tokens are never stored, so a card cannot be charged from one. */
export type QueuedChargeInput = Exclude<ChargeInput, { token_id: string }>

/** The same rules as JSON Schema: what each payment type requires, and what must be left out. */
export const CHARGE_RULES = Object.fromEntries(
  PAYMENT_TYPES.map((type) => [type, chargeRule(PAYMENT_TYPE[type])]),
)

function chargeRule({ required, optional, banks, stores }: PaymentTypeRow) {
  const needs = required.filter((field) => field !== 'payer_phone_number')
  const untaken = TYPE_INPUTS.filter(
    (field) => !required.includes(field) && !optional.includes(field),
  )
  return {
    required: needs,
    properties: {
      ...(banks.length > 0 && { bank: { enum: banks } }),
      ...(stores.length > 0 && { store: { enum: stores } }),
      ...Object.fromEntries(untaken.map((field) => [field, false])),
    },
    ...(needs.length < required.length && {
      anyOf: [
        { required: ['payer_phone_number'] },
        {
          required: ['customer_details'],
          properties: { customer_details: { required: ['phone'] } },
        },
      ],
    }),
  }
}
