import type { GatewayNotification } from '../domain/notification.ts'
import type { PaymentNotification } from '../gateway/wire/notifications.ts'

/** A verified notification. The receiver makes its id, so that each caller finds its own result. */
export interface InboxItem {
  id: string
  payload: PaymentNotification
  /** As received, without the signature. */
  raw_payload: Readonly<Record<string, unknown>>
  verified_with: string
}

export type NotificationResult = Pick<GatewayNotification, 'id' | 'effect' | 'reason'> & {
  /**
   * The row that stores it: its own or an earlier duplicate's. Null if its order has too many rows.
   */
  kept_as: string | null
}

/** The queue of verified notifications that are to be written. */
export interface Inbox {
  /** Resolves with the item's own result once the item is on disk. */
  hand: (item: InboxItem) => Promise<NotificationResult>
  /** Resolves once every item has its result. */
  drain: () => Promise<void>
}
