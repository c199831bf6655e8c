// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { Uuid } from '../values.ts'
import type { ReasonInput } from './reason_input.ts'
import type { RefundRequest } from './refund_request.ts'
import type { Refunded } from './refunded.ts'
import type { StaffActInput } from './staff_act_input.ts'

export interface StaffRefundRequestListQuery {
  /** Only requests in this state. */
  state?: 'held' | 'approved' | 'declined' | 'expired'
  /**
   * Only requests about this payment. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  payment_id?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface StaffRefundRequests {
  /**
   * List refunds that wait for a second person, or waited, newest first. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/refund_requests/`
   */
  list: (query?: StaffRefundRequestListQuery, options?: CallOptions) => Pages<RefundRequest>

  /**
   * Agree to a held refund, as another person than who asked for it, and make it. For staff.
   * Needs the scope `payments:refund`.
   * `POST /staff/refund_requests/{pk}/approve/`
   */
  approve: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Refunded>

  /**
   * Say no to a held refund, or take it back if it is one’s own, with a reason. For staff. Needs
   * the scope `payments:refund`.
   * `POST /staff/refund_requests/{pk}/decline/`
   */
  decline: (id: Uuid, input: ReasonInput, options?: WriteOptions) => Promise<RefundRequest>
}
