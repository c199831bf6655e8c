import { ERRORS } from '../../domain/error_catalogue.ts'
import { formatMoney, type Money } from '../../domain/money.ts'
import {
  isExpired,
  isFailed,
  isPaid,
  netAmount,
  type GatewayPayment,
  type GatewayPaymentItem,
  type GatewayRefund,
} from '../../domain/payment.ts'
import { refundableAmount, refundRefusal } from '../../domain/refund_rules.ts'
import { readClock } from '../../store/connection/settings.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import type { PaymentSummary } from '../../store/payments/lists.ts'
import { lockPayment } from '../../store/payments/locks.ts'
import { listPaymentItems, findPayment, findPaymentById } from '../../store/payments/rows.ts'
import { listRefunds } from '../../store/refunds/rows.ts'
import type { ObjectAccess } from '../operations/operation_type.ts'

const time = (at: Date | null): string | null => at?.toISOString() ?? null

interface PaymentParts {
  payment: GatewayPayment
  items: readonly GatewayPaymentItem[]
  refunds: readonly GatewayRefund[]
}

/** The reduced form of lists (api-rules.md#payments). */
export const representSummary = (payment: PaymentSummary) => ({
  id: payment.id,
  order_id: payment.order_id,
  payment_type: payment.payment_type,
  gross_amount: formatMoney(payment.gross_amount),
  transaction_status: payment.transaction_status,
  customer_email: payment.customer_email,
  is_paid: isPaid(payment),
  created_at: time(payment.created_at),
})

const representItem = (item: GatewayPaymentItem) => ({
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
})

/** The full form. `now` only decides whether a pending payment is past its expiry. */
function representPayment({ payment, items, refunds }: PaymentParts, now: Date) {
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
    authorized_amount: formatMoney(payment.authorized_amount),
    captured_amount: formatMoney(payment.captured_amount),
    refund_amount: formatMoney(payment.refunded_amount),
    net_amount: formatMoney(netAmount(payment)),
    ...refundability(payment),
    refunds: refunds.map(representRefund),
    items: items.map(representItem),
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

const flags = (payment: GatewayPayment, now: Date) => ({
  is_paid: isPaid(payment),
  is_pending: payment.transaction_status === 'pending',
  is_failed: isFailed(payment),
  is_expired: isExpired(payment, now),
})

/** How much can be refunded now, and if nothing, why not. */
function refundability(payment: GatewayPayment) {
  const left = refundableAmount({ ...payment, status: payment.transaction_status })
  const smallest: Money = left > 0n ? left : 1n
  const refusal = refundRefusal({ ...payment, status: payment.transaction_status }, smallest, false)
  return {
    refundable_amount: formatMoney(refusal === undefined ? left : 0n),
    refund_unavailable_reason: refusal === undefined ? null : ERRORS[refusal].title,
  }
}

export type PaymentRepresentation = ReturnType<typeof representPayment>

/** The reply to a refund: the payment after it, and the refund. */
export interface Refunded {
  payment: PaymentRepresentation
  refund: ReturnType<typeof representRefund>
}

/** What the caller of this function has read already. */
interface KnownParts extends Partial<Pick<PaymentParts, 'items' | 'refunds'>> {
  now?: Date
}

/** The full form of a payment as it is in this transaction. */
export async function representWithin(
  tx: Tx,
  payment: GatewayPayment,
  known: KnownParts = {},
): Promise<PaymentRepresentation> {
  const [items, refunds, now] = await Promise.all([
    known.items ?? listPaymentItems(tx, payment.id),
    known.refunds ?? listRefunds(tx, payment.id),
    known.now ?? readClock(tx),
  ])
  return representPayment({ payment, items, refunds }, now)
}

/** How operations reach a payment. */
export const PAYMENT_ACCESS: ObjectAccess<GatewayPayment> = {
  subject_kind: 'payment',
  find: findPayment,
  findById: findPaymentById,
  lock: lockPayment,
  represent: representWithin,
}
