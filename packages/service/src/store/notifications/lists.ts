import type { GatewayNotification, NotificationEffect } from '../../domain/notification.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'
import type { Tx } from '../connection/transaction.ts'
import { conditionsOf } from '../sql/lists.ts'

/** Without the payload, which only the detail page shows. */
export type NotificationSummary = Omit<GatewayNotification, 'raw_payload' | 'received_at'> & {
  /** When it was received. */
  created_at: Date
}

export interface NotificationFilters {
  effect?: NotificationEffect
  order_id?: string
  payment_id?: string
  /** Only notifications that no payment took: unmatched, mismatched, failed. */
  attention?: boolean
  /** Without those that had no effect: duplicates and out of date. About half of all have none. */
  relevant?: boolean
}

const FILTERS = [
  ['effect', 'effect = ?'],
  ['order_id', 'order_id = ?'],
  ['payment_id', 'payment_id = ?'],
] as const

const ATTENTION = "effect in ('unmatched', 'mismatch', 'failed')"
const RELEVANT = "effect not in ('duplicate', 'stale')"

// Renamed as in all lists; the planner still uses the index.
const tableOf = (where: string): string => `(
  select
    id, payment_id, owner_id, order_id, transaction_id, transaction_status, fraud_status,
    payment_type, status_code, gross_amount, effect, reason, verified_with,
    received_at as created_at
  from gapura.gateway_notification
  where ${where}
) as notification`

/**
 * A page of the inbox, newest first. For staff: not filtered by owner. By id, which begins with the
 * time of receipt by the clock of the process: an index of the database's times would be written for
 * every notification and read by hardly anyone. Those that need attention are few and have one.
 */
export async function listNotifications(
  tx: Tx,
  { attention = false, relevant = false, ...filters }: NotificationFilters,
  request: PageRequest,
): Promise<Page<NotificationSummary>> {
  const conditions = conditionsOf(FILTERS, filters)
  const { text, values } = pageStatement(
    {
      table: tableOf(attention ? ATTENTION : relevant ? RELEVANT : 'true'),
      columns: '*',
      conditions,
      by_id: !attention,
    },
    request,
  )
  return pageOf(await tx.query<NotificationSummary>(text, values, { prepare: false }), request)
}
