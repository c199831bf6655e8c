import { Type } from 'typebox'
import { flag, list, optional, parserOf, text, textual } from './shape.ts'

const answer = {
  status_code: textual,
  status_message: optional(text),
  id: optional(text),
  validation_messages: list(text),
}

export const parseCardToken = parserOf(
  Type.Object({
    ...answer,
    token_id: optional(text),
    hash: optional(text),
    bank: optional(text),
    redirect_url: optional(text),
  }),
)

export type CardTokenReply = NonNullable<ReturnType<typeof parseCardToken>>

export const parseCardRegistration = parserOf(
  Type.Object({
    ...answer,
    saved_token_id: optional(text),
    transaction_id: optional(text),
    masked_card: optional(text),
  }),
)

export type CardRegistrationReply = NonNullable<ReturnType<typeof parseCardRegistration>>

export const parsePointInquiry = parserOf(
  Type.Object({
    ...answer,
    point_balance: optional(textual),
    point_balance_amount: optional(textual),
    transaction_time: optional(text),
  }),
)

export type PointInquiryReply = NonNullable<ReturnType<typeof parsePointInquiry>>

/** Advisory only: the gateway says values may be empty or change. */
export const parseBin = parserOf(
  Type.Object({
    data: Type.Object({
      bin: text,
      bin_type: optional(text),
      bin_class: optional(text),
      brand: optional(text),
      bank: optional(text),
      bank_code: optional(text),
      country_code: optional(text),
      country_name: optional(text),
      channel: optional(text),
      registration_required: optional(flag),
    }),
  }),
)

export type BinReply = NonNullable<ReturnType<typeof parseBin>>
