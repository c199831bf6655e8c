// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { Uuid } from '../values.ts'
import type { NoteInput } from './note_input.ts'
import type { Payment } from './payment.ts'
import type { PaymentPulse } from './payment_pulse.ts'
import type { RefundInput } from './refund_input.ts'
import type { Refunded } from './refunded.ts'
import type { StaffActInput } from './staff_act_input.ts'
import type { StaffCaptureInput } from './staff_capture_input.ts'
import type { StaffNote } from './staff_note.ts'
import type { StaffPayment } from './staff_payment.ts'
import type { StaffPaymentSummary } from './staff_payment_summary.ts'
import type { PaymentType, TransactionStatus } from './unions.ts'

export interface StaffPaymentListQuery {
  /** Only payments with this payment method. */
  payment_type?: PaymentType
  /** Only payments in this status. */
  status?: TransactionStatus
  /** Only payments still pending past their expiry time. */
  overdue?: 'true'
  /** Only payments of this owner. 1 to 255 characters. */
  owner_id?: string
  /** Only the payment with this order id. 1 to 100 characters. */
  order_id?: string
  /** Only payments of the customer with this email address. 1 to 255 characters. */
  customer_email?: string
  /** Only the payment with this id of the gateway's. 1 to 100 characters. */
  transaction_id?: string
  /** Only payments into this virtual account. 1 to 100 characters. */
  va_number?: string
  /** Only payments with this Mandiri bill key. 1 to 100 characters. */
  bill_key?: string
  /** Only payments with this code for a convenience store. 1 to 100 characters. */
  payment_code?: string
  /** Only payments of exactly this amount, as 150000.00. 1 to 20 characters. */
  gross_amount?: string
  /**
   * Only payments of this subscription. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  subscription_id?: string
  /** Only payments of this invoice. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  invoice_id?: string
  /** Only payments created at this time or later; with a zone. 1 to 40 characters. */
  created_from?: string
  /** Only payments created before this time; with a zone. 1 to 40 characters. */
  created_before?: string
  /** In which order; `newest` first by default. */
  sort?: 'newest' | 'oldest' | 'highest' | 'lowest'
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface StaffPaymentExportQuery {
  /** Only payments with this payment method. */
  payment_type?: PaymentType
  /** Only payments in this status. */
  status?: TransactionStatus
  /** Only payments still pending past their expiry time. */
  overdue?: 'true'
  /** Only payments of this owner. 1 to 255 characters. */
  owner_id?: string
  /** Only the payment with this order id. 1 to 100 characters. */
  order_id?: string
  /** Only payments of the customer with this email address. 1 to 255 characters. */
  customer_email?: string
  /** Only the payment with this id of the gateway's. 1 to 100 characters. */
  transaction_id?: string
  /** Only payments into this virtual account. 1 to 100 characters. */
  va_number?: string
  /** Only payments with this Mandiri bill key. 1 to 100 characters. */
  bill_key?: string
  /** Only payments with this code for a convenience store. 1 to 100 characters. */
  payment_code?: string
  /** Only payments of exactly this amount, as 150000.00. 1 to 20 characters. */
  gross_amount?: string
  /**
   * Only payments of this subscription. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  subscription_id?: string
  /** Only payments of this invoice. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  invoice_id?: string
  /** Only payments created at this time or later; with a zone. 1 to 40 characters. */
  created_from?: string
  /** Only payments created before this time; with a zone. 1 to 40 characters. */
  created_before?: string
  /** In which order; `newest` first by default. */
  sort?: 'newest' | 'oldest' | 'highest' | 'lowest'
}

export interface StaffPayments {
  /**
   * List every owner's payments, in one of four orders. For staff. Needs the scope `staff:read`.
   * `GET /staff/payments/`
   */
  list: (query?: StaffPaymentListQuery, options?: CallOptions) => Pages<StaffPaymentSummary>

  /**
   * Export what the same filters list, as a CSV file made while it is sent. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/payments/export/`
   */
  export: (
    query?: StaffPaymentExportQuery,
    options?: CallOptions,
  ) => Promise<ReadableStream<Uint8Array>>

  /**
   * Read a payment with its history, why it is so and what can be done. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/payments/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<StaffPayment>

  /**
   * Read whether a payment has moved, and nothing else of it. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/payments/{pk}/pulse/`
   */
  pulse: (id: Uuid, options?: CallOptions) => Promise<PaymentPulse>

  /**
   * Write a note on a payment, for the others at the desk. For staff. Needs the scope
   * `staff:act`.
   * `POST /staff/payments/{pk}/notes/`
   */
  note: (id: Uuid, input: NoteInput, options?: WriteOptions) => Promise<StaffNote>

  /**
   * Refresh a payment from the gateway. For staff. Needs the scope `staff:read`.
   * `POST /staff/payments/{pk}/refresh/`
   */
  refresh: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Cancel a payment that is not in a final state, with a reason. For staff. Needs the scope
   * `payments:write`.
   * `POST /staff/payments/{pk}/cancel/`
   */
  cancel: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Expire a pending payment, with a reason. For staff. Needs the scope `payments:write`.
   * `POST /staff/payments/{pk}/expire/`
   */
  expire: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Capture an authorized card payment, with a reason. For staff. Needs the scope
   * `payments:capture`.
   * `POST /staff/payments/{pk}/capture/`
   */
  capture: (id: Uuid, input?: StaffCaptureInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Let a card payment out of review. For staff. Needs the scope `payments:capture`.
   * `POST /staff/payments/{pk}/approve/`
   */
  approve: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Deny a card payment that is in review. For staff. Needs the scope `payments:capture`.
   * `POST /staff/payments/{pk}/deny/`
   */
  deny: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Pay back all or part of a paid payment. For staff. Needs the scope `payments:refund`.
   * `POST /staff/payments/{pk}/refund/`
   */
  refund: (id: Uuid, input: RefundInput, options?: WriteOptions) => Promise<Refunded>
}
