import { formatMoney, type Money } from './money.ts'
import {
  chargedBackAmount,
  isExpired,
  isFailed,
  isPaid,
  netAmount,
  type GatewayPayment,
  type GatewayPaymentItem,
  type GatewayRefund,
} from './payment.ts'
import { refundableAmount, refundRefusal } from './refund_rules.ts'
import { ERRORS } from './error_catalogue.ts'

const time = (at: Date | null): string | null => at?.toISOString() ?? null
const moneyOrNull = (amount: Money | null): string | null =>
  amount === null ? null : formatMoney(amount)

export interface PaymentParts {
  payment: GatewayPayment
  items: readonly GatewayPaymentItem[]
  refunds: readonly GatewayRefund[]
}

type Summarised = Pick<
  GatewayPayment,
  | 'id'
  | 'order_id'
  | 'payment_type'
  | 'gross_amount'
  | 'transaction_status'
  | 'fraud_status'
  | 'customer_email'
  | 'created_at'
>

/** The reduced form of lists (api-rules.md#payments). */
export const representSummary = (payment: Summarised) => ({
  id: payment.id,
  order_id: payment.order_id,
  payment_type: payment.payment_type,
  gross_amount: formatMoney(payment.gross_amount),
  transaction_status: payment.transaction_status,
  customer_email: payment.customer_email,
  is_paid: isPaid(payment),
  created_at: time(payment.created_at),
})

export const representItem = (item: GatewayPaymentItem) => ({
  id: item.id,
  item_id: item.item_id,
  name: item.name,
  price: formatMoney(item.price),
  quantity: item.quantity,
  brand: item.brand,
  category: item.category,
  merchant_name: item.merchant_name,
  url: item.url,
  subtotal: formatMoney(item.price * BigInt(item.quantity)),
})

export const representRefund = (refund: GatewayRefund) => ({
  id: refund.id,
  refund_key: refund.refund_key,
  amount: formatMoney(refund.amount),
  reason: refund.reason,
  is_direct: refund.is_direct,
  status: refund.status,
  source: refund.source,
  status_code: refund.status_code,
  status_message: refund.status_message,
  confirmed_at: time(refund.confirmed_at),
  created_at: time(refund.created_at),
  reference: refund.reference,
})

export type RefundRepresentation = ReturnType<typeof representRefund>

export interface SavedCardFields {
  saved_token_id: string | null
  saved_token_id_expired_at: string | null
}

/** In every form that is stored or read later: a saved token is never stored (ADR 0019). */
export const NO_SAVED_CARD: SavedCardFields = {
  saved_token_id: null,
  saved_token_id_expired_at: null,
}

/**
 * The full form, of HTTP replies, in-process results and events alike. `now` only decides whether a
 * pending payment is past its expiry.
 */
export function representPayment({ payment, items, refunds }: PaymentParts, now: Date) {
  return {
    id: payment.id,
    order_id: payment.order_id,
    transaction_id: payment.transaction_id,
    payment_type: payment.payment_type,
    bank: payment.bank,
    store: payment.store,
    acquirer: payment.acquirer,
    issuer: payment.issuer,
    masked_card: payment.masked_card,
    ...NO_SAVED_CARD,
    gross_amount: formatMoney(payment.gross_amount),
    currency: payment.currency,
    transaction_status: payment.transaction_status,
    fraud_status: payment.fraud_status,
    status_code: payment.status_code,
    status_message: payment.status_message,
    customer_first_name: payment.customer_first_name,
    customer_last_name: payment.customer_last_name,
    customer_email: payment.customer_email,
    customer_phone: payment.customer_phone,
    va_number: payment.va_number,
    bill_key: payment.bill_key,
    biller_code: payment.biller_code,
    payment_code: payment.payment_code,
    redirect_url: payment.redirect_url,
    deeplink_url: payment.deeplink_url,
    qr_string: payment.qr_string,
    payer_instructions: payment.actions,
    ...amounts(payment),
    ...refundability(payment),
    refunds: refunds.map(representRefund),
    items: items.map(representItem),
    invoice_id: payment.invoice_id,
    checkout_id: payment.checkout_id,
    subscription_id: payment.subscription_id,
    metadata: payment.metadata,
    custom_field1: payment.custom_field1,
    custom_field2: payment.custom_field2,
    custom_field3: payment.custom_field3,
    transaction_time: time(payment.transaction_time),
    settlement_time: time(payment.settlement_time),
    expiry_time: time(payment.expiry_time),
    paid_at: time(payment.paid_at),
    ...flags(payment, now),
    created_at: time(payment.created_at),
    updated_at: time(payment.updated_at),
  }
}

const amounts = (payment: GatewayPayment) => ({
  authorized_amount: formatMoney(payment.authorized_amount),
  captured_amount: formatMoney(payment.captured_amount),
  refund_amount: formatMoney(payment.refunded_amount),
  charged_back_amount: moneyOrNull(chargedBackAmount(payment)),
  net_amount: formatMoney(netAmount(payment)),
})

const flags = (payment: GatewayPayment, now: Date) => ({
  is_paid: isPaid(payment),
  is_pending: payment.transaction_status === 'pending',
  is_failed: isFailed(payment),
  is_expired: isExpired(payment, now),
})

/** How much can be refunded now, and if nothing, why not. */
function refundability(payment: GatewayPayment) {
  const facts = { ...payment, status: payment.transaction_status }
  const left = refundableAmount(facts)
  const refusal = refundRefusal(facts, left, false)
  return {
    refundable_amount: formatMoney(refusal === undefined ? left : 0n),
    refund_unavailable_reason: refusal === undefined ? null : ERRORS[refusal].title,
  }
}

export type PaymentRepresentation = ReturnType<typeof representPayment>
