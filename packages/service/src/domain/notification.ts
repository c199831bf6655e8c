/**
 * What became of an accepted notification. `deferred`: the gateway is asked before anything moves.
 * `unmatched`: authentic, but for no order of ours yet. `mismatch`: the amount is not ours.
 */
export const NOTIFICATION_EFFECTS = [
  'applied',
  'duplicate',
  'stale',
  'deferred',
  'unmatched',
  'mismatch',
  'failed',
] as const

export type NotificationEffect = (typeof NOTIFICATION_EFFECTS)[number]

/** One row for each accepted call, whatever it led to (api-rules.md#the-webhook). */
export interface GatewayNotification {
  id: string
  payment_id: string | null
  /** The payment's; null where the order is of no owner known to us. */
  owner_id: string | null
  order_id: string | null
  transaction_id: string | null
  transaction_status: string | null
  fraud_status: string | null
  payment_type: string | null
  status_code: string | null
  /** The received string; the signature was taken over it, not over our form of the amount. */
  gross_amount: string | null
  effect: NotificationEffect
  reason: string | null
  /** Which of the live server keys verified it (I-34): `current` or `previous`; null if unsigned. */
  verified_with: string | null
  /** As received, less `signature_key`. */
  raw_payload: Readonly<Record<string, unknown>>
  received_at: Date
}
