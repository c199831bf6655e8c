// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Timestamp } from '../values.ts'

export interface WorkerPulse {
  id: string
  description: string
  started_at: Timestamp
  beat_at: Timestamp
  silent_ms: number
}
