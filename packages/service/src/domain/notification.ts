/**
 * The effect of an accepted notification. `deferred`: the gateway is queried before any transition.
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

/** One row for each accepted call, whatever its effect (api-rules.md#the-webhook). */
export interface GatewayNotification {
  id: string
  payment_id: string | null
  /** The payment's owner; null if no owner of the order is known. */
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
  /**
   * Which of the live server keys verified it (I-34): `current` or `previous`; null if unsigned.
   */
  verified_with: string | null
  /** As received, without `signature_key`. */
  raw_payload: Readonly<Record<string, unknown>>
  received_at: Date
}
