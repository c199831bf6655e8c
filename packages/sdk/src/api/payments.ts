// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { Uuid } from '../values.ts'
import type { CaptureInput } from './capture_input.ts'
import type { ChargeInput } from './charge_input.ts'
import type { Payment } from './payment.ts'
import type { PaymentSummary } from './payment_summary.ts'
import type { RefundInput } from './refund_input.ts'
import type { Refunded } from './refunded.ts'
import type { StatusChecked } from './status_checked.ts'
import type { PaymentType, TransactionStatus } from './unions.ts'

export interface PaymentListQuery {
  payment_type?: PaymentType
  status?: TransactionStatus
  /** 1 to 100 characters. */
  order_id?: string
  /** 1 to 255 characters. */
  customer_email?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  subscription_id?: string
  /** 1 to 40 characters. */
  created_from?: string
  /** 1 to 40 characters. */
  created_before?: string
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface Payments {
  /**
   * Create a charge at the gateway. Needs the scope `payments:write`.
   * `POST /charge/`
   */
  create: (input: ChargeInput, options?: WriteOptions) => Promise<Payment>

  /**
   * List payments, newest first; staff see those of every owner.
   * `GET /payments/`
   */
  list: (query?: PaymentListQuery, options?: CallOptions) => Pages<PaymentSummary>

  /**
   * Read a payment.
   * `GET /payments/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<Payment>

  /**
   * Refresh a payment from the gateway.
   * `GET /payments/{pk}/check_status/`
   */
  checkStatus: (id: Uuid, options?: CallOptions) => Promise<StatusChecked>

  /**
   * Cancel a payment that is not in a final state. Needs the scope `payments:write`.
   * `POST /payments/{pk}/cancel/`
   */
  cancel: (id: Uuid, options?: WriteOptions) => Promise<Payment>

  /**
   * Expire a pending payment. Needs the scope `payments:write`.
   * `POST /payments/{pk}/expire/`
   */
  expire: (id: Uuid, options?: WriteOptions) => Promise<Payment>

  /**
   * Pay back all or part of a paid payment. Needs the scope `payments:refund`.
   * `POST /payments/{pk}/refund/`
   */
  refund: (id: Uuid, input: RefundInput, options?: WriteOptions) => Promise<Refunded>

  /**
   * Capture an authorized card payment. Needs the scope `payments:capture`.
   * `POST /payments/{pk}/capture/`
   */
  capture: (id: Uuid, input?: CaptureInput, options?: WriteOptions) => Promise<Payment>
}
