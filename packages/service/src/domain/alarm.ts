import { OBJECT_KINDS } from './signals.ts'

/** What staff must look at. At most one is open for each kind and subject. */
export const ALARM_KINDS = [
  'amount_mismatch',
  'late_money',
  'reversal',
  'outcome_unknown',
  'payer_instructions_lost',
  'unmatched_notification',
  'duplicate_at_gateway',
  'event_dead',
  'refund_overdue',
  // A subscription that the caller disabled or cancelled, and the gateway goes on charging.
  'active_at_gateway',
  // A report that no answer of the gateway has settled for an hour.
  'report_unsettled',
  // A status or fraud status that this version does not know, or settled money in review.
  'status_unknown',
  // An endpoint of webhooks that replied 410 or failed for days; its events wait.
  'endpoint_disabled',
  // A second payment of one order was paid: the payer's money is here twice.
  'paid_twice',
] as const

/**
 * The subject of the one alarm about all orders that the gateway has and we do not: a merchant
 * account shared with another system brings such orders all day long.
 */
export const FOREIGN_ORDERS_SUBJECT = '00000000-0000-4000-8000-000000000001'

export type AlarmKind = (typeof ALARM_KINDS)[number]

export const ALARM_SUBJECT_KINDS = [
  ...OBJECT_KINDS,
  'notification',
  'operation',
  'event',
  'endpoint',
] as const

export interface GatewayAlarm {
  id: string
  kind: AlarmKind
  subject_kind: (typeof ALARM_SUBJECT_KINDS)[number]
  subject_id: string
  /** Null if no owner is known. */
  owner_id: string | null
  detail: string
  opened_at: Date
  closed_at: Date | null
  closed_by: string | null
  note: string | null
  /** The staff member it is assigned to, and since when; null if unassigned. */
  taken_at: Date | null
  taken_by: string | null
}
