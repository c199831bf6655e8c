// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { Effect } from './unions.ts'

export interface NotificationSummary {
  /** The id of the notification. */
  id: Uuid
  /** The payment it is about; null where the order is unknown here. */
  payment_id: Uuid | null
  /** The owner of the payment; null where the order is unknown here. */
  owner_id: string | null
  /** The order id, as the gateway sent it. */
  order_id: string | null
  /** The gateway's id of the payment, as it was sent. */
  transaction_id: string | null
  /** The status, as the gateway sent it. */
  transaction_status: string | null
  /** The fraud status, as the gateway sent it. */
  fraud_status: string | null
  /** The payment method, as the gateway sent it. */
  payment_type: string | null
  /** The status code, as the gateway sent it. */
  status_code: string | null
  /** The amount, as the gateway sent it. */
  gross_amount: string | null
  /** What became of it; `deferred`: the gateway is asked before the payment changes. */
  effect: Effect
  /** Why it had this effect. */
  reason: string | null
  /** Which server key verified it: `current` or `previous`. */
  verified_with: string | null
  /** When it was received. */
  created_at: Timestamp
}
