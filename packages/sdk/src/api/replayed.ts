// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Uuid } from '../values.ts'
import type { Effect } from './unions.ts'

export interface Replayed {
  id: Uuid
  effect: Effect
  reason: string | null
  payment_id: Uuid | null
  replay_of: Uuid
}
