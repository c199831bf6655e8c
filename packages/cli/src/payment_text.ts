import type { PaymentRepresentation } from 'gapura'
import { rupiah, timeOf } from './formats.ts'
import { record } from './output.ts'

/** A payment as text, the most important fields first. */
export const paymentText = (payment: PaymentRepresentation): string =>
  record([
    ['payment', payment.id],
    ['order', payment.order_id],
    ['status', statusOf(payment)],
    ['amount', rupiah(payment.gross_amount)],
    ['type', [payment.payment_type, payment.bank ?? payment.store].filter(Boolean).join(' ')],
    ['pay to', payment.va_number ?? payment.bill_key ?? payment.payment_code],
    ['customer', payment.customer_email ?? payment.customer_phone],
    ['refunded', payment.refunds.length === 0 ? null : rupiah(payment.refund_amount)],
    ['refundable', refundableOf(payment)],
    ['gateway id', payment.transaction_id],
    ['made', timeOf(payment.created_at)],
    ['paid', payment.paid_at && timeOf(payment.paid_at)],
    ['expires', payment.is_pending ? timeOf(payment.expiry_time) : null],
  ])

const statusOf = ({ transaction_status, fraud_status }: PaymentRepresentation): string =>
  fraud_status === 'challenge' ? `${transaction_status} (in review)` : transaction_status

const refundableOf = (payment: PaymentRepresentation): string =>
  payment.refund_unavailable_reason === null
    ? rupiah(payment.refundable_amount)
    : `no: ${payment.refund_unavailable_reason}`
