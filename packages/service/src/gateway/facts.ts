import { parseMoney, type Money } from '../domain/money.ts'
import type { PayerAction } from '../domain/payment.ts'
import {
  isKnownFraud,
  parseFraudStatus,
  parseReportedStatus,
  type FraudStatus,
  type ReportedStatus,
} from '../domain/payment_status.ts'
import { namesAcquirer, OWN_VA_FIELD } from '../domain/payment_type.ts'
import { hideSecrets } from '../domain/secret_shapes.ts'
import { parseGatewayTime } from '../domain/time.ts'
import { isObject } from './json.ts'
import { scrub } from './redaction.ts'
import { Secret } from './secret.ts'
import { isId } from './wire/shape.ts'
import type { TransactionReply } from './wire/transactions.ts'

/** One refund as the gateway lists it. */
export interface RefundFact {
  refund_key: string
  amount: Money
  reason: string
  is_direct: boolean
  confirmed_at: Date | null
  /** Of the answer to the refund itself; a list of refunds has none. */
  status_code?: string
  status_message?: string | null
}

/** What an answer or a report can add to a payment's record. Absent stays absent. */
export interface PaymentDetailFacts {
  bank?: string
  store?: string
  acquirer?: string
  issuer?: string
  masked_card?: string
  va_number?: string
  bill_key?: string
  biller_code?: string
  payment_code?: string
  redirect_url?: string
  deeplink_url?: string
  qr_string?: string
  actions?: readonly PayerAction[]
  transaction_time?: Date
  settlement_time?: Date
  expiry_time?: Date
}

/** What the gateway reports about a transaction, in our terms and types. */
export interface TransactionFacts {
  status: ReportedStatus
  fraud: FraudStatus | null
  /** A fraud status that this version does not know, which `fraud` reads as a review. */
  unknown_fraud: string | null
  status_code: string
  status_message: string | null
  transaction_id: string | null
  order_id: string | null
  gross_amount: Money | null
  /** The part of the amount that is a fee the payer bears, if the gateway reports it. */
  imposed_fee: Money
  /** Cumulative. */
  refund_amount: Money | null
  refunds: readonly RefundFact[]
  /** Whether it carries our payment id, `metadata.gapura_payment_id`. */
  payment_id: string | null
  /** The gateway's id of the subscription whose cycle it is; not signed, so a hint (ADR 0004). */
  subscription_id: string | null
  details: PaymentDetailFacts
}

/** A card that the gateway keeps for later charges (ADR 0019). */
export interface SavedCard {
  /** Never stored: only the request that asked for it may see it. */
  token: Secret
  expires_at: Date | null
}

/** A text in the token's place that is no token may be an echo, and is not passed on. */
const SAVED_TOKEN = /^[\w-]{16,255}$/

/** The saved card of an answer; undefined if the gateway kept none. */
export function savedCardOf(reply: TransactionReply): SavedCard | undefined {
  const { saved_token_id: token, saved_token_id_expired_at } = reply
  if (typeof token !== 'string' || !SAVED_TOKEN.test(token)) return undefined
  return {
    token: new Secret(token),
    expires_at: parseGatewayTime(saved_token_id_expired_at) ?? null,
  }
}

/** The facts of an answer; undefined if its status is unknown: then there is no transition. */
export function factsOf(reply: TransactionReply): TransactionFacts | undefined {
  const status = parseReportedStatus(reply.transaction_status)
  if (status === undefined) return undefined
  const mark = isObject(reply.metadata) ? reply.metadata['gapura_payment_id'] : undefined
  return {
    status,
    fraud: parseFraudStatus(reply.fraud_status) ?? null,
    unknown_fraud: isKnownFraud(reply.fraud_status) ? null : wordOf(reply.fraud_status),
    status_code: String(reply.status_code),
    status_message: wordsOf(reply.status_message),
    transaction_id: idOf(reply.transaction_id),
    order_id: reply.order_id ?? null,
    gross_amount: amountOf(reply.gross_amount),
    imposed_fee: imposedFee(reply.metadata),
    refund_amount: amountOf(reply.refund_amount),
    refunds: (reply.refunds ?? []).flatMap(refundFact),
    payment_id: typeof mark === 'string' ? mark : null,
    subscription_id: reply.subscription_id ?? null,
    details: detailsOf(reply),
  }
}

/** An id that cannot be queried again is dropped: the order id remains. */
const idOf = (id: string | null | undefined): string | null =>
  typeof id === 'string' && isId(id) ? id : null

/** A sentence, in which the gateway may quote anything. */
const wordsOf = (message: string | null | undefined): string | null =>
  typeof message === 'string' ? scrub(message, []) : null

const WORD_LENGTH_MAX = 50

/** A word that is shown to staff. */
const wordOf = (word: unknown): string => scrub(String(word), []).slice(0, WORD_LENGTH_MAX)

/** The amount as text or, in a few samples, as a number. */
const amountOf = (value: string | number | null | undefined): Money | null =>
  parseMoney(value) ?? null

/**
 * The gateway may raise the amount by a fee that the payer bears
 * (gateway-protocol.md#payment-notifications).
 */
function imposedFee(metadata: unknown): Money {
  const extra = isObject(metadata) ? metadata['extra_info'] : undefined
  const amounts = isObject(extra) ? extra['gross_amount_info'] : undefined
  const fee = isObject(amounts) ? parseMoney(amounts['customer_imposed_payment_fee']) : undefined
  return fee !== undefined && fee > 0n ? fee : 0n
}

type WireRefund = NonNullable<NonNullable<TransactionReply['refunds']>[number]>

function refundFact(refund: WireRefund): RefundFact[] {
  const amount = amountOf(refund.refund_amount)
  const key = refund.refund_key ?? refund.refund_chargeback_uuid ?? refund.refund_chargeback_id
  if (amount === null || key === null || key === undefined) return []
  return [
    {
      refund_key: String(key),
      amount,
      reason: hideSecrets(refund.reason ?? ''),
      is_direct: refund.refund_method === 'online',
      confirmed_at: parseGatewayTime(refund.bank_confirmed_at) ?? null,
    },
  ]
}

const ACTIONS_MAX = 20

function detailsOf(reply: TransactionReply): PaymentDetailFacts {
  const va = reply.va_numbers?.[0]
  const own_va = reply[OWN_VA_FIELD.field]
  const actions = (reply.actions ?? [])
    .slice(0, ACTIONS_MAX)
    // In the order in which jsonb stores keys, so that first and later answers read the same.
    .map(({ name, method, url }) => ({ url, name, method: method ?? 'GET' }))
  const link = actions.find(({ name }) => name === 'deeplink-redirect')?.url
  return present({
    bank: va?.bank ?? (own_va ? OWN_VA_FIELD.bank : reply.bank),
    va_number: va?.va_number ?? own_va,
    store: reply.store,
    // For a card the acquiring bank is what direct refunds depend on.
    acquirer: reply.acquirer ?? (namesAcquirer(reply.payment_type) ? reply.bank : undefined),
    issuer: reply.issuer,
    masked_card: reply.masked_card,
    bill_key: reply.bill_key,
    biller_code: reply.biller_code,
    payment_code: reply.payment_code,
    redirect_url: reply.redirect_url,
    deeplink_url: link,
    qr_string: reply.qr_string,
    actions: actions.length > 0 ? actions : undefined,
    transaction_time: parseGatewayTime(reply.transaction_time),
    settlement_time: parseGatewayTime(reply.settlement_time),
    expiry_time: parseGatewayTime(reply.expiry_time ?? reply.expire_time),
  })
}

type Gaps<T> = { [K in keyof T]: T[K] | null | undefined }

/** Only what is present: an absent field must not look like an emptied one. */
function present<T extends object>(fields: Gaps<T>): Partial<T> {
  const kept: Partial<T> = {}
  for (const key in fields) {
    const value = fields[key]
    if (value !== null && value !== undefined) kept[key] = value
  }
  return kept
}
