import { Type, type Static } from 'typebox'
import type { LinkablePaymentType } from '../../domain/payment_type.ts'
import { action } from './envelope.ts'
import { flag, list, optional, parserOf, text, textual } from './shape.ts'

export interface PayAccountRequest {
  payment_type: LinkablePaymentType
  gopay_partner: { phone_number: string; country_code: string; redirect_url?: string }
}

const paymentOption = Type.Object({
  name: optional(text),
  active: optional(flag),
  balance: optional(Type.Object({ value: optional(textual), currency: optional(text) })),
  // Changes over time: read the account again before every charge
  // (gateway-protocol.md#pay-accounts).
  token: optional(text),
  metadata: optional(Type.Unknown()),
})

export const payAccount = Type.Object({
  status_code: textual,
  status_message: optional(text),
  id: optional(text),
  payment_type: optional(text),
  account_id: optional(text),
  account_status: optional(text),
  actions: list(action),
  channel_response_code: optional(text),
  channel_response_message: optional(text),
  metadata: optional(Type.Object({ payment_options: list(paymentOption) })),
})

export type PayAccountReply = Static<typeof payAccount>

export const parsePayAccount = parserOf(payAccount)
