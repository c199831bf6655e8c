// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
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
  payment_type?: PaymentType
  status?: TransactionStatus
  overdue?: 'true'
  /** 1 to 255 characters. */
  owner_id?: string
  /** 1 to 100 characters. */
  order_id?: string
  /** 1 to 255 characters. */
  customer_email?: string
  /** 1 to 100 characters. */
  transaction_id?: string
  /** 1 to 100 characters. */
  va_number?: string
  /** 1 to 100 characters. */
  bill_key?: string
  /** 1 to 100 characters. */
  payment_code?: string
  /** 1 to 20 characters. */
  gross_amount?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  subscription_id?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  invoice_id?: string
  /** 1 to 40 characters. */
  created_from?: string
  /** 1 to 40 characters. */
  created_before?: string
  sort?: 'newest' | 'oldest' | 'highest' | 'lowest'
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface StaffPaymentExportQuery {
  payment_type?: PaymentType
  status?: TransactionStatus
  overdue?: 'true'
  /** 1 to 255 characters. */
  owner_id?: string
  /** 1 to 100 characters. */
  order_id?: string
  /** 1 to 255 characters. */
  customer_email?: string
  /** 1 to 100 characters. */
  transaction_id?: string
  /** 1 to 100 characters. */
  va_number?: string
  /** 1 to 100 characters. */
  bill_key?: string
  /** 1 to 100 characters. */
  payment_code?: string
  /** 1 to 20 characters. */
  gross_amount?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  subscription_id?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  invoice_id?: string
  /** 1 to 40 characters. */
  created_from?: string
  /** 1 to 40 characters. */
  created_before?: string
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
