import type { GatewayNotification } from '../domain/notification.ts'
import type { PaymentNotification } from '../gateway/wire/notifications.ts'

/** A verified notification. The id is made by whoever received it, so no reply can be mistaken. */
export interface InboxItem {
  id: string
  payload: PaymentNotification
  /** As received, less the signature. */
  raw_payload: Readonly<Record<string, unknown>>
  verified_with: string
}

export type NotificationResult = Pick<GatewayNotification, 'id' | 'effect' | 'reason'> & {
  /** The row that holds it: its own, or its twin's. Null if enough of its order is kept. */
  kept_as: string | null
}

/** Where verified notifications are handed in. */
export interface Inbox {
  /** Resolves once the item is on disk, with its own result. */
  hand: (item: InboxItem) => Promise<NotificationResult>
  /** Resolves once everything handed in has its answer. */
  drain: () => Promise<void>
}
