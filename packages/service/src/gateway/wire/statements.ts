// What the gateway says of money: balances and the transaction history.
import { Type, type Static } from 'typebox'
import { optional, parserOf, text, textual } from './shape.ts'

const sums = {
  opening_balance_effective: textual,
  opening_balance_pending: textual,
  opening_balance_overall: textual,
  closing_balance_effective: textual,
  closing_balance_pending: textual,
  closing_balance_overall: textual,
}

const mutation = Type.Object({ ...sums, wallets: optional(Type.Array(Type.Unknown())) })

export type BalanceMutation = Static<typeof mutation>

export const parseBalanceMutation = parserOf(mutation)

const token = Type.Object({
  accessToken: Type.String({ minLength: 1, maxLength: 4_096, pattern: '^[\\x21-\\x7e]+$' }),
  expiresIn: optional(textual),
})

export const parseAccessToken = parserOf(token)

/** Lines stay as they are: one that cannot be read must not hide the others. */
const page = Type.Object({ detailData: optional(Type.Array(Type.Unknown())) })

export type HistoryPage = Static<typeof page>

/** Of an empty window the list may be absent; a list of another type is no answer. */
export const parseHistoryPage = parserOf(page, ['detailData'])

const amount = Type.Object({ value: textual, currency: optional(text) })

const line = Type.Object({
  dateTime: text,
  amount,
  status: optional(text),
  type: optional(text),
  additionalInfo: Type.Object({
    referenceNo: optional(text),
    partnerReferenceNo: optional(text),
    status: optional(text),
    type: optional(text),
    channel: optional(text),
    fee: optional(Type.Object({ value: textual })),
  }),
})

export type HistoryLine = Static<typeof line>

export const parseHistoryLine = parserOf(line)
