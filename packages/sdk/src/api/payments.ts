// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
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
  /** Only payments with this payment method. */
  payment_type?: PaymentType
  /** Only payments in this status. */
  status?: TransactionStatus
  /** Only the payment with this order id. 1 to 100 characters. */
  order_id?: string
  /** Only payments of the customer with this email address. 1 to 255 characters. */
  customer_email?: string
  /**
   * Only payments of this subscription. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  subscription_id?: string
  /** Only payments created at this time or later; with a zone. 1 to 40 characters. */
  created_from?: string
  /** Only payments created before this time; with a zone. 1 to 40 characters. */
  created_before?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
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
