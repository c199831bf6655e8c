// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { Uuid } from '../values.ts'
import type { NotificationDetail } from './notification_detail.ts'
import type { NotificationSummary } from './notification_summary.ts'
import type { Replayed } from './replayed.ts'
import type { Effect } from './unions.ts'

export interface StaffNotificationListQuery {
  /** Only those with this effect. */
  effect?: Effect
  /** Only those about this order id. 1 to 100 characters. */
  order_id?: string
  /** Only those about this payment. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  payment_id?: string
  /** Only those that changed no payment: unmatched, mismatched or failed. */
  attention?: boolean | 'true' | 'false'
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface StaffNotifications {
  /**
   * List the inbox, newest first. For staff. Needs the scope `staff:read`.
   * `GET /staff/notifications/`
   */
  list: (query?: StaffNotificationListQuery, options?: CallOptions) => Pages<NotificationSummary>

  /**
   * Read a notification with its payload. For staff. Needs the scope `staff:read`.
   * `GET /staff/notifications/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<NotificationDetail>

  /**
   * Weigh a kept notification once more, as if it came this moment. For staff. Needs the scope
   * `staff:act`.
   * `POST /staff/notifications/{pk}/replay/`
   */
  replay: (id: Uuid, options?: WriteOptions) => Promise<Replayed>
}
