// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Uuid } from '../values.ts'
import type { Effect } from './unions.ts'

export interface Replayed {
  /** The id of the new notification that the replay wrote. */
  id: Uuid
  /** What became of it; `deferred`: the gateway is asked before the payment changes. */
  effect: Effect
  /** Why it had this effect, and who replayed it. */
  reason: string | null
  /** The payment it is about; null where the order is unknown here. */
  payment_id: Uuid | null
  /** The notification that was replayed. */
  replay_of: Uuid
}
